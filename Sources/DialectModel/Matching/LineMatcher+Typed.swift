import Diagnostics
import LineProtocol

/// Compares typed messages.
extension LineMatcher {
    func mismatchTyped(
        _ typed: TypedPattern, _ line: ReceivedLine, _ context: inout MatchContext
    ) -> Mismatch? {
        let signature = decoder.commands.signatures[typed.command]
        guard let command = message.command, decoder.commands.signatures[command].name == typed.name
        else {
            let name = message.command.map { decoder.commands.signatures[$0].name }
            let verb = escapedForDisplay(line.bytes[message.split.verb])
            return Mismatch(
                part: "as the command", expected: typed.name, got: name ?? verb,
                range: typed.nameRange, isOtherCommand: true)
        }
        let (buffer, _) = line.standalone
        for argument in typed.arguments {
            let type = signature.arguments[argument.index].type
            let value = message.value(at: argument.index, of: signature, in: buffer.span)
            if !matches(argument.value, value, type, &context) {
                return mismatch(argument, value, type, context)
            }
        }
        return nil
    }

    private func matches(
        _ pattern: TypedPattern.ValuePattern, _ value: ArgumentValue, _ type: ArgumentType,
        _ context: inout MatchContext
    ) -> Bool {
        switch pattern {
        case .equals(let expected):
            return value == expected
        case .bytes(let pattern):
            guard let bytes = ValueConversion.bytes(value, type) else { return false }
            if type == .json, let constant = pattern.constant {
                return JSONText.isSame(constant, bytes)
            }
            return pattern.matches(bytes, &context)
        case .list(let patterns):
            guard case .list(let values) = value, values.count == patterns.count else {
                return false
            }
            var element = type
            if case .list(let of, _) = type { element = of }
            for (pattern, value) in zip(patterns, values)
            where !matches(pattern, value, element, &context) {
                return false
            }
            return true
        case .unordered(let patterns):
            guard case .list(let values) = value else { return false }
            var element = type
            if case .list(let of, _) = type { element = of }
            return matchesInAnyOrder(patterns, values, element, &context)
        }
    }

    /// Returns true if every value can be assigned a different pattern that it matches.
    private func matchesInAnyOrder(
        _ patterns: [TypedPattern.ValuePattern], _ values: [ArgumentValue], _ type: ArgumentType,
        _ context: inout MatchContext
    ) -> Bool {
        guard values.count == patterns.count else { return false }
        // Uses augmenting paths: a value may take another value's pattern if the other value
        // matches a different pattern.
        var owner: [Int?] = Array(repeating: nil, count: patterns.count)
        func assign(_ value: Int, _ tried: inout Set<Int>) -> Bool {
            for pattern in patterns.indices where !tried.contains(pattern) {
                var trial = context
                guard matches(patterns[pattern], values[value], type, &trial) else { continue }
                tried.insert(pattern)
                if let other = owner[pattern], !assign(other, &tried) { continue }
                owner[pattern] = value
                return true
            }
            return false
        }
        for value in values.indices {
            var tried: Set<Int> = []
            guard assign(value, &tried) else { return false }
        }
        // Capture values in the order of the patterns.
        return zip(patterns, owner).allSatisfy { pattern, value in
            value.map { matches(pattern, values[$0], type, &context) } ?? false
        }
    }

    private func mismatch(
        _ argument: TypedPattern.ArgumentPattern, _ value: ArgumentValue, _ type: ArgumentType,
        _ context: MatchContext
    ) -> Mismatch {
        let name = "as argument `\(argument.name)`"
        let got = shown(value, type)
        switch argument.value {
        case .bytes(let pattern):
            let bytes = ValueConversion.bytes(value, type) ?? []
            var result = difference(name, pattern, bytes, context)
            result.range = argument.range
            return result
        case .equals(let expected):
            return Mismatch(
                part: name, expected: shown(expected, type), got: got, range: argument.range)
        case .list(let patterns):
            return Mismatch(
                part: name, expected: "a list of \(counted(patterns.count, "element"))", got: got,
                range: argument.range)
        case .unordered(let patterns):
            return Mismatch(
                part: name,
                expected: "a list of these \(patterns.count) elements in any order", got: got,
                range: argument.range)
        }
    }

    private func shown(_ value: ArgumentValue, _ type: ArgumentType) -> String {
        if value == .absent { return "nothing" }
        let bytes = ValueConversion.bytes(value, type) ?? []
        let text = escapedForDisplay(bytes)
        switch type {
        case .text, .bytes, .json, .xml, .list: return "\"\(text)\""
        default: return text
        }
    }

    /// Returns the mismatch between a pattern and the received bytes. If the expected bytes are
    /// known, the mismatch shows where they first differ.
    func difference(
        _ part: String, _ pattern: BytesPattern, _ bytes: [UInt8], _ context: MatchContext
    ) -> Mismatch {
        var wanted: [UInt8]? = []
        for element in pattern.elements {
            switch element {
            case .literal(let literal): wanted? += literal
            case .variable(let variable):
                guard let value = context.variables[variable] else {
                    wanted = nil
                    continue
                }
                wanted? += value
            case .computed(let computed):
                guard let value = computed.bytes({ context.variables[$0] }) else {
                    wanted = nil
                    continue
                }
                wanted? += value
            case .placeholder, .rest: wanted = nil
            }
        }
        return Mismatch(part: part, expected: wanted, got: bytes, range: pattern.range)
    }
}
