/// Puts lines into frames for sending: the counterpart of ``LineFramer``.
public struct FrameWriter: Sendable {
    let framing: Framing
    let side: Framing.Side

    public init(_ dialect: Dialect, direction: Direction) {
        framing = dialect.framing
        side = dialect.framing.side(direction)
    }

    /// Appends `line` to `target` as a frame; a payload follows it as `kind` says.
    ///
    /// - Throws: ``FramingError`` if the line cannot be a frame; `target` is then as it was.
    public func append(
        line: [UInt8], payload: [UInt8]? = nil, kind: PayloadKind = .none,
        to target: inout [UInt8]
    ) throws(FramingError) {
        switch framing.unit {
        case .line:
            if let forbidden = forbiddenByte(in: line) { throw .containsTerminator(at: forbidden) }
            appendTransparent(line, to: &target)
            target.append(contentsOf: side.terminator.bytes)
            appendPayload(payload ?? [], kind, to: &target)
        case .lengthPrefix(let prefix):
            try appendPrefixed(line, prefix, to: &target)
        case .headerFrame:
            appendTransparent(line, to: &target)
            target.append(contentsOf: [ASCII.lf, ASCII.lf])
            target.append(contentsOf: payload ?? [])
            target.append(ASCII.nul)
        }
    }

    /// What follows a line.
    public enum PayloadKind: Sendable, Hashable {
        case none
        case counted(terminated: Bool)
        case block
    }

    /// What follows a line of the command `verb` in this direction.
    public func payloadKind(
        verb: [UInt8], direction: Direction, ignoringCase: Bool
    ) -> PayloadKind {
        let span = verb.span
        let all = 0..<verb.count
        for rule in framing.payloads where rule.direction.allows(direction) {
            if span.matches(all, rule.verb, ignoringCase: ignoringCase) {
                return .counted(terminated: rule.terminated)
            }
        }
        for rule in framing.blocks where rule.direction.allows(direction) {
            if span.matches(all, rule.verb, ignoringCase: ignoringCase) { return .block }
        }
        return .none
    }

    /// The place of the first byte that would end the line early at the peer.
    private func forbiddenByte(in line: [UInt8]) -> Int? {
        for (place, byte) in line.enumerated() {
            for terminator in side.accepted where terminator.last == byte {
                guard let first = terminator.first else { return place }
                if place > 0, line[place - 1] == first { return place }
            }
        }
        // A line that ends with the first half of a terminator would be cut short by the second.
        if let last = line.last, side.accepted.contains(where: { $0.first == last }),
            !side.accepted.contains(where: {
                $0.first == nil && $0.last == side.terminator.bytes[0]
            })
        {
            let swallowed = side.accepted.contains { $0.bytes == [last, side.terminator.bytes[0]] }
            return swallowed ? line.count - 1 : nil
        }
        return nil
    }

    private func appendTransparent(_ bytes: [UInt8], to target: inout [UInt8]) {
        guard framing.telnet else {
            target.append(contentsOf: bytes)
            return
        }
        for byte in bytes {
            target.append(byte)
            if byte == ASCII.iac { target.append(byte) }
        }
    }

    private func appendPayload(_ payload: [UInt8], _ kind: PayloadKind, to target: inout [UInt8]) {
        switch kind {
        case .none:
            break
        case .counted(let terminated):
            target.append(contentsOf: payload)
            if terminated { target.append(contentsOf: side.terminator.bytes) }
        case .block:
            DotStuffing.append(payload, terminator: side.terminator, to: &target)
        }
    }

    private func appendPrefixed(
        _ line: [UInt8], _ prefix: Framing.LengthPrefix, to target: inout [UInt8]
    ) throws(FramingError) {
        let text = prefix.dropsFinalNUL ? line + [ASCII.nul] : line
        let length = text.count + (prefix.countsItself ? prefix.width : 0)
        let lengthMax = 1 << (8 * prefix.width) - 1
        guard length <= lengthMax else { throw .tooLong(length: length, max: lengthMax) }
        for place in (0..<prefix.width).reversed() {
            target.append(UInt8(truncatingIfNeeded: length >> (8 * place)))
        }
        target.append(contentsOf: text)
    }
}

/// Why a line cannot be a frame.
public enum FramingError: Error, Sendable, Hashable {
    /// The byte at this place would end the line early.
    case containsTerminator(at: Int)
    case tooLong(length: Int, max: Int)
}
