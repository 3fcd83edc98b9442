import LineProtocol

/// A matcher for received lines. Its buffers are reused, so matching a line allocates nothing.
///
/// Methods that are called for each line are mutating, because the compiler would copy the struct
/// for each call of a nonmutating one.
struct RuleMatcher {
    private let matchRules: MatchRules
    /// The rules of `matchRules`, kept separately: reading one from a ``MatchRules`` copy would
    /// retain and release all its arrays.
    private let rules: [LineRule]
    private let decoder: MessageDecoder
    private let ignoringCase: Bool
    private(set) var message = Message()
    private var slots = SlotOffsets()
    private let verdicts = ExpressionVerdicts()

    init(_ operatorScript: OperatorScript) {
        self.init(operatorScript.rules, operatorScript.dialect)
    }

    init(_ matchRules: MatchRules, _ dialect: Dialect) {
        self.matchRules = matchRules
        rules = matchRules.rules
        decoder = MessageDecoder(dialect)
        ignoringCase = dialect.syntax.fromServer.ignoresVerbCase
    }

    /// Returns the index of the first rule after `start`, in matching order, that matches the line;
    /// nil if none matches.
    mutating func firstRule(
        of bytes: Span<UInt8>, _ frame: Frame, after start: Int = -1
    ) -> Int? {
        if start < 0 { decoder.decode(bytes, frame, from: .fromServer, into: &message) }
        if let command = message.command {
            for dispatchIndex in matchRules.starts[command]..<matchRules.starts[command + 1] {
                let index = matchRules.dispatch[dispatchIndex]
                if index > start, matches(index, bytes) { return index }
            }
        } else {
            for index in matchRules.unknown where index > start && matches(index, bytes) {
                return index
            }
        }
        return nil
    }

    /// Returns true if the last matched line may violate the command table. The line is already
    /// decoded, so this costs nothing extra.
    func isSuspicious(_ frame: Frame) -> Bool { SchemaCheck.isSuspicious(frame, message) }

    func purpose(_ rule: Int) -> MatchRules.Purpose { matchRules.purposes[rule] }

    /// Calls `body` with the bytes of a slot in the last matched line. Returns nil if the line has
    /// no such slot.
    mutating func withSlot<Result>(
        _ slot: Slot, _ bytes: Span<UInt8>, _ body: (Span<UInt8>) -> Result
    ) -> Result? {
        guard let found = slots[slot] else { return nil }
        switch found.part {
        case .argument(let index):
            let argument = message.arguments[index]
            guard let range = argument.bufferRange else {
                return message.withBytes(argument, in: bytes) { part in
                    body(part.extracting(found.lower..<found.upper))
                }
            }
            let lower = range.lowerBound
            return body(bytes.extracting(lower + found.lower..<lower + found.upper))
        case .field(let index):
            let lower = message.split.fields[index].value.lowerBound
            return body(bytes.extracting(lower + found.lower..<lower + found.upper))
        }
    }

    // MARK: Matching

    private mutating func matches(_ index: Int, _ bytes: Span<UInt8>) -> Bool {
        switch rules[index].verb {
        case .commands, .any: break
        case .literal(let verb):
            guard equals(bytes, message.split.verb, verb) else { return false }
        case .expression(let expression):
            let verb = bytes.extracting(message.split.verb)
            guard verdicts.matches(expression, index, -1, verb) else { return false }
        }
        if let count = rules[index].fieldCount {
            let fields = message.split.fields.count
            guard fields == count || (fields > count && rules[index].isOpen) else {
                return false
            }
        }
        slots.clear()
        for checkIndex in rules[index].checks.indices {
            let check = rules[index].checks[checkIndex]
            guard holds(index, check, bytes) else { return false }
        }
        return true
    }

    private func equals(_ bytes: Span<UInt8>, _ range: Range<Int>, _ verb: [UInt8]) -> Bool {
        guard range.count == verb.count else { return false }
        for letter in verb.indices {
            let (ours, theirs) = (verb[letter], bytes[range.lowerBound + letter])
            if ours == theirs { continue }
            guard ignoringCase, uppercased(ours) == uppercased(theirs) else { return false }
        }
        return true
    }

    private func uppercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x61 && byte <= 0x7A ? byte - 0x20 : byte
    }

    /// Applies a check to its part of the line, and records the slots found.
    private mutating func holds(
        _ rule: Int, _ check: LineRule.Check, _ bytes: Span<UInt8>
    ) -> Bool {
        switch check.part {
        case .argument(let index):
            guard index < message.arguments.count else { return false }
            let argument = message.arguments[index]
            guard !argument.isAbsent else { return false }
            guard let range = argument.bufferRange else {
                let unescaped = message.unescaped
                return holds(rule, check, in: unescaped.span.extracting(argument.range))
            }
            return holds(rule, check, in: bytes.extracting(range))
        case .field(let index):
            guard index < message.split.fields.count else { return false }
            return holds(rule, check, in: bytes.extracting(message.split.fields[index].value))
        }
    }

    private mutating func holds(
        _ rule: Int, _ check: LineRule.Check, in part: Span<UInt8>
    ) -> Bool {
        var offset = 0
        let end = check.first + check.count
        for index in check.first..<end {
            switch rules[rule].elements[index] {
            case .literal(let lower, let count):
                guard starts(part, offset, rule, lower, count) else {
                    return false
                }
                offset += count
            case .slot(let slot):
                guard let upper = endOfPlaceholder(rule, index, end, part, offset) else {
                    return false
                }
                // A name of a different length is not that of a simulated operator.
                if slot == .name, upper - offset != SlotWidths.name { return false }
                slots.set(slot, check.part, offset, upper)
                offset = upper
            case .anything:
                guard let upper = endOfPlaceholder(rule, index, end, part, offset) else {
                    return false
                }
                offset = upper
            case .matching(let number):
                let expression = rules[rule].expressions[number]
                guard let upper = endOfPlaceholder(rule, index, end, part, offset),
                    verdicts.matches(expression, rule, number, part.extracting(offset..<upper))
                else { return false }
                offset = upper
            }
        }
        return offset == part.count
    }

    /// Returns the end of a placeholder: the start of the next literal or the end of the part.
    /// Returns nil if the literal does not occur.
    private func endOfPlaceholder(
        _ rule: Int, _ index: Int, _ end: Int, _ part: Span<UInt8>, _ offset: Int
    ) -> Int? {
        guard index + 1 < end else { return part.count }
        guard case .literal(let lower, let count) = rules[rule].elements[index + 1] else {
            return offset
        }
        // The last literal of a part must match at the end of the part.
        if index + 2 == end {
            let start = part.count - count
            return start >= offset && starts(part, start, rule, lower, count) ? start : nil
        }
        var at = offset
        while at + count <= part.count {
            if starts(part, at, rule, lower, count) { return at }
            at += 1
        }
        return nil
    }

    private func starts(
        _ part: Span<UInt8>, _ offset: Int, _ rule: Int, _ lower: Int, _ count: Int
    ) -> Bool {
        guard part.count - offset >= count else { return false }
        for index in 0..<count
        where part[offset + index] != rules[rule].literals[lower + index] {
            return false
        }
        return true
    }
}
