import LineProtocol
import Scenario

/// Converts lines to typed commands, where wire text cannot express them.
extension ScenarioDraft {
    /// Returns a typed command for a line that consists only of a block; nil for other lines.
    func blockCall(_ line: Line) -> String? {
        guard line.line.bytes.isEmpty, line.line.terminator.isEmpty,
            let payload = line.line.payload, let signature = signature(of: line.line),
            let argument = signature.payloadArgument
        else { return nil }
        var value = secrets.string(payload)
        if case .pieces = line.payload { value = "\"{{_}}\"" }
        return "\(signature.name)(\(signature.arguments[argument].name): \(value))"
    }

    /// Returns a typed command to expect if it says more than wire text; nil for other lines. Wire
    /// text cannot contain strings with a length, and it compares lists in their order, although
    /// many servers send names in the order of a hash table.
    func expectedCall(_ line: Line, isLoose: Bool, comparedMax: Int?) -> String? {
        let recorded = line.line
        guard recorded.payload == nil, let signature = signature(of: recorded) else { return nil }
        let isRESP = dialect.syntax.fromServer.resp
        let hasStrings = isRESP && recorded.bytes.contains(0x0A)
        guard hasStrings || !isLoose && hasLists(line, signature, comparedMax) else { return nil }
        var arguments: [String] = []
        if let source = line.source, !isLoose,
            let argument = signature.arguments.first(where: { $0.position == .source })
        {
            arguments.append("\(argument.name): \(secrets.string(source))")
        }
        for argument in signature.arguments {
            let first = recorded.fields.firstIndex { $0.argument == argument.name }
            guard let first, first < comparedMax ?? .max else { continue }
            // The fields of a variadic argument extend to the end.
            let end = min(recorded.fields.count, comparedMax ?? .max)
            let fields = first..<(argument.presence == .variadic ? end : first + 1)
            guard let value = value(of: argument, line, fields, isLoose: isLoose) else { continue }
            arguments.append("\(argument.name): \(value)")
        }
        return "\(signature.name)(\(arguments.joined(separator: ", ")))"
    }

    /// Returns whether the command has a payload. An unknown command may have one.
    func takesPayload(_ line: RecordedLine) -> Bool {
        signature(of: line).map { $0.payloadArgument != nil } ?? true
    }

    private func signature(of line: RecordedLine) -> CommandSignature? {
        line.command.flatMap { name in dialect.commands.signatures.first { $0.name == name } }
    }

    /// Returns whether one of the values to compare is a list of several elements, and the others
    /// are text or numbers without escape sequences.
    private func hasLists(_ line: Line, _ signature: CommandSignature, _ comparedMax: Int?) -> Bool
    {
        var found = false
        for (index, field) in line.line.fields.enumerated() where index < comparedMax ?? .max {
            guard field.isPlain,
                let argument = signature.arguments.first(where: { $0.name == field.argument })
            else { return false }
            switch argument.type {
            case .text, .bytes, .int: continue
            case .list(of: .text, let separator):
                let elements = line.line.value(field).split(separator: separator)
                if elements.count > 1, line.fields[index] == .literal { found = true }
            default: return false
            }
        }
        return found
    }

    /// Returns the value to compare; nil if it is not compared.
    private func value(
        of argument: ArgumentSignature, _ line: Line, _ fields: Range<Int>, isLoose: Bool
    ) -> String? {
        if argument.presence == .variadic {
            let values = fields.map { value(line, $0, argument.type, isLoose: isLoose) }
            guard values.contains(where: { $0 != nil }) else { return nil }
            return "[\(values.map { $0 ?? "{{_}}" }.joined(separator: ", "))]"
        }
        return value(line, fields.lowerBound, argument.type, isLoose: isLoose)
    }

    private func value(
        _ line: Line, _ index: Int, _ type: ArgumentType, isLoose: Bool
    ) -> String? {
        let bytes = line.line.value(line.line.fields[index])
        switch line.fields[index] {
        case .capture(let name), .variable(let name): return "{{\(name)}}"
        case .pieces(let pieces):
            if isLoose { return nil }
            if pieces.count == 1, case .placeholder(let text) = pieces[0] { return text }
            return secrets.string(pieces)
        case .literal:
            if isLoose { return nil }
            if case .list(_, let separator) = type {
                let elements = bytes.split(separator: separator).map { secrets.string(Array($0)) }
                return "any order [\(elements.joined(separator: ", "))]"
            }
            if type == .int, let number = Int64(String(decoding: bytes, as: UTF8.self)) {
                return String(number)
            }
            return secrets.string(bytes)
        }
    }
}
