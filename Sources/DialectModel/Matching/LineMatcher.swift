import Diagnostics
package import LineProtocol
import Scenario

/// A matcher that compares received lines with patterns.
package struct LineMatcher: Sendable {
    package let dialect: Dialect
    package let decoder: MessageDecoder
    /// The dialect's spellings of Boolean values.
    package let bools: [BoolSpelling]
    var message = Message()

    package init(_ dialect: Dialect) {
        self.dialect = dialect
        decoder = MessageDecoder(dialect)
        bools = dialect.boolSpellings
    }

    /// Compares a line with a pattern. If they match, stores the captures in the context and
    /// returns nil. Otherwise, returns the mismatch, and the context contains no captures.
    package mutating func mismatch(
        _ pattern: LinePattern, _ line: ReceivedLine, _ context: inout MatchContext
    ) -> Mismatch? {
        context.captures.removeAll(keepingCapacity: true)
        let result: Mismatch?
        switch pattern.form {
        case .raw(let bytes, let withTerminator):
            result = mismatchRaw(bytes, withTerminator, line, &context)
        case .wire(let wire):
            decode(line)
            result = mismatchWire(wire, pattern, line, &context)
        case .json(let json):
            decode(line)
            result = mismatchJSON(json, line, jsonVerb(line), &context)
        case .typed(let typed):
            decode(line)
            result = mismatchTyped(typed, line, &context)
        }
        if result != nil { context.captures.removeAll(keepingCapacity: true) }
        return result
    }

    /// Returns the name of a line's command in the dialect (nil if unknown) and on the wire.
    package mutating func commandName(_ line: ReceivedLine) -> (name: String?, verb: String) {
        decode(line)
        let verb =
            dialect.syntax.fromServer.json == nil
            ? Array(line.bytes[message.split.verb]) : jsonVerb(line)
        let name = message.command.map { decoder.commands.signatures[$0].name }
        return (name, escapedForDisplay(verb))
    }

    /// Returns the parts of a line that are compared between two runs: source, command, decoded
    /// fields and payload. If lines are JSON objects, the only part is the object in canonical
    /// form.
    package mutating func parts(_ line: ReceivedLine) -> [[UInt8]] {
        decode(line)
        var result = [message.split.source.map { Array(line.bytes[$0]) } ?? []]
        if dialect.syntax.fromServer.json != nil, let value = JSONText.value(line.bytes) {
            return [JSONText.canonical(value, in: line.bytes)]
        }
        result.append(Array(line.bytes[message.split.verb]))
        for field in message.split.fields {
            if let key = field.key { result.append(Array(line.bytes[key])) }
            result.append(decoded(field, line.bytes))
        }
        if let payload = line.payload { result.append(payload) }
        return result
    }

    /// Returns the command of a line, in upper case if the dialect ignores the case of commands.
    package mutating func verb(_ buffer: [UInt8], _ line: Range<Int>) -> [UInt8] {
        decoder.decode(
            buffer.span, Frame(line: line, whole: line), from: .fromClient, into: &message)
        let verb = Array(buffer[message.split.verb])
        return dialect.syntax.fromClient.ignoresVerbCase ? verb.map(ASCII.uppercased) : verb
    }

    /// Returns the unescaped command of the line that was decoded last.
    private func jsonVerb(_ line: ReceivedLine) -> [UInt8] {
        let verb = Array(line.bytes[message.split.verb])
        return (try? EscapeRule.json.decode(verb)) ?? verb
    }

    private mutating func decode(_ line: ReceivedLine) {
        let (buffer, frame) = line.standalone
        decoder.decode(buffer.span, frame, from: .fromServer, into: &message)
    }

    private func mismatchRaw(
        _ pattern: BytesPattern, _ withTerminator: Bool, _ line: ReceivedLine,
        _ context: inout MatchContext
    ) -> Mismatch? {
        let bytes = withTerminator ? line.bytes + line.terminator : line.bytes
        guard !pattern.matches(bytes, &context) else { return nil }
        return difference("", pattern, bytes, context)
    }

    /// Returns the decoded value of a field; if it cannot be decoded, returns its raw bytes.
    private func decoded(_ field: Field, _ bytes: [UInt8]) -> [UInt8] {
        let raw = Array(bytes[field.value])
        let rule = dialect.escaping.fromServer.rule(for: field, in: dialect.syntax.fromServer)
        return (try? rule.decode(raw)) ?? raw
    }
}

// MARK: - Wire text

extension LineMatcher {
    private func mismatchWire(
        _ wire: WirePattern, _ pattern: LinePattern, _ line: ReceivedLine,
        _ context: inout MatchContext
    ) -> Mismatch? {
        let split = message.split
        if let verb = wire.verb {
            let bytes = Array(line.bytes[split.verb])
            let ignoringCase = dialect.syntax.fromServer.ignoresVerbCase
            if !verb.matches(bytes, &context, ignoringCase: ignoringCase) {
                var result = difference("as the command", verb, bytes, context)
                result.isOtherCommand = true
                return result
            }
        }
        if let source = wire.source {
            let bytes = split.source.map { Array(line.bytes[$0]) }
            if !source.matches(bytes ?? [], &context) {
                return difference("as the source", source, bytes ?? [], context)
            }
        }
        if let tags = wire.tags, let result = mismatchTags(tags, pattern, line, &context) {
            return result
        }
        if let result = mismatchFields(wire, pattern, line, &context) { return result }
        if let payload = wire.payload {
            let bytes = payloadBytes(line)
            if !payload.matches(bytes, &context) {
                return difference("as the payload", payload, bytes, context)
            }
        }
        return nil
    }

    private func payloadBytes(_ line: ReceivedLine) -> [UInt8] {
        guard let payload = line.payload, line.payloadIsBlock else { return line.payload ?? [] }
        var result: [UInt8] = []
        DotStuffing.unstuff(
            payload.span, 0..<payload.count, side: dialect.framing.fromServer, into: &result)
        return result
    }

    private func mismatchTags(
        _ tags: [WirePattern.TagPattern], _ pattern: LinePattern, _ line: ReceivedLine,
        _ context: inout MatchContext
    ) -> Mismatch? {
        guard let syntax = dialect.syntax.fromServer.tags else { return nil }
        let section = message.split.tags ?? 0..<0
        let present = TagSection.tags(line.bytes.span, section, syntax)
        for tag in tags {
            let name = "tag `\(escapedForDisplay(tag.key))`"
            guard let found = present.last(where: { Array(line.bytes[$0.key]) == tag.key }) else {
                return Mismatch(
                    part: "", expected: name, got: "none", range: tag.value.range)
            }
            let raw = Array(line.bytes[found.value])
            let value = (try? dialect.escaping.fromServer.tagValue.decode(raw)) ?? raw
            if !tag.value.matches(value, &context) {
                return difference("for \(name)", tag.value, value, context)
            }
        }
        return nil
    }

    private func mismatchFields(
        _ wire: WirePattern, _ pattern: LinePattern, _ line: ReceivedLine,
        _ context: inout MatchContext
    ) -> Mismatch? {
        let fields = message.split.fields
        var used = 0
        for (index, field) in wire.fields.enumerated() {
            if let key = field.key {
                if let result = mismatchKeyed(field, key, line, &context) { return result }
                used += 1
                continue
            }
            guard index < fields.count else { return countMismatch(wire, pattern, fields.count) }
            if index == wire.fields.count - 1, takesRest(wire) {
                used = fields.count - 1
            }
            let bytes =
                used > index
                ? joined(fields[index].range.lowerBound..<fields[used].range.upperBound, line.bytes)
                : decoded(fields[index], line.bytes)
            if field.value.endsWithRest,
                index < fields.count - 1 || dialect.syntax.fromServer.verb == .none
            {
                let whole = Array(line.bytes[fields[index].range.lowerBound...])
                guard field.value.matches(whole, &context) else {
                    return difference("as field \(index + 1)", field.value, whole, context)
                }
                return nil
            }
            if !field.value.matches(bytes, &context) {
                let name = dialect.syntax.fromServer.verb == .none ? "" : "as field \(index + 1)"
                return difference(name, field.value, bytes, context)
            }
            used += 1
        }
        switch wire.tail {
        case .nothing:
            return used == fields.count ? nil : countMismatch(wire, pattern, fields.count)
        case .anything(let capture):
            guard let capture else { return nil }
            let rest = used < fields.count ? restStart(fields[used], line.bytes) : line.bytes.count
            context.captures.append(Capture(variable: capture, bytes: Array(line.bytes[rest...])))
            return nil
        }
    }

    /// Returns true if the fields after the last one of the pattern are part of the command's last
    /// argument.
    private func takesRest(_ wire: WirePattern) -> Bool {
        guard case .nothing = wire.tail, message.split.fields.count > wire.fields.count,
            let command = message.command
        else { return false }
        let signature = decoder.commands.signatures[command]
        return dialect.joinsRest(signature, from: .fromServer)
            && signature.arguments.count(where: \.isPositional) == wire.fields.count
    }

    /// Returns the decoded value of several fields and the separators between them.
    private func joined(_ range: Range<Int>, _ bytes: [UInt8]) -> [UInt8] {
        let raw = Array(bytes[range])
        return (try? dialect.escaping.fromServer.field.decode(raw)) ?? raw
    }

    /// Returns the offset where a field starts on the wire, including its marker, dash or quote.
    private func restStart(_ field: Field, _ bytes: [UInt8]) -> Int {
        switch field.form {
        case .trailing
        where field.range.lowerBound > 0
            && bytes[field.range.lowerBound - 1] == dialect.syntax.fromServer.trailingMarker:
            field.range.lowerBound - 1
        case .option, .quoted: field.range.lowerBound - 1
        default: field.range.lowerBound
        }
    }

    private func mismatchKeyed(
        _ field: WirePattern.FieldPattern, _ key: [UInt8], _ line: ReceivedLine,
        _ context: inout MatchContext
    ) -> Mismatch? {
        let name = "key `\(escapedForDisplay(key))`"
        let firstWins = dialect.syntax.fromServer.keyValue?.firstWins ?? true
        guard
            let found = message.split.field(
                key: key, row: field.row, in: line.bytes.span, firstWins: firstWins)
        else {
            return Mismatch(
                part: "", expected: name, got: "none", range: field.value.range)
        }
        if field.isOption { return nil }
        let bytes = decoded(found, line.bytes)
        return field.value.matches(bytes, &context)
            ? nil : difference("for \(name)", field.value, bytes, context)
    }

    private func countMismatch(
        _ wire: WirePattern, _ pattern: LinePattern, _ count: Int
    ) -> Mismatch {
        var open = false
        if case .anything = wire.tail { open = true }
        let lead = open ? "at least " : ""
        return Mismatch(
            part: "", expected: "\(lead)\(counted(wire.fields.count, "field"))",
            got: "\(count)", range: pattern.range)
    }
}
