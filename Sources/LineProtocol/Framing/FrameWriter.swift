/// Encodes lines as frames for sending; the counterpart of ``LineFramer``.
public struct FrameWriter: Sendable {
    let framing: Framing
    let side: Framing.Side
    let ends: LineEnds

    /// Creates a writer for one direction.
    public init(_ dialect: Dialect, direction: Direction) {
        framing = dialect.framing
        side = dialect.framing.side(direction)
        ends = LineEnds(side.accepted)
    }

    /// Appends `line` and its payload to `target` as a frame.
    ///
    /// - Throws: ``FramingError`` if the peer would read the line or payload differently; `target`
    ///   is then unchanged.
    public func append(
        line: [UInt8], payload: [UInt8]? = nil, kind: PayloadKind = .none,
        to target: inout [UInt8]
    ) throws(FramingError) {
        let lower = target.count
        switch framing.unit {
        case .line:
            try refuseUnreadable(line, payload ?? [], kind)
            target.append(contentsOf: line)
            target.append(contentsOf: side.terminator.bytes)
            appendPayload(payload ?? [], kind, to: &target)
        case .lengthPrefix(let prefix):
            try appendPrefixed(line, prefix, to: &target)
        case .headerFrame(let lengthHeader):
            try refuseUnreadableHead(line, payload ?? [], lengthHeader)
            target.append(contentsOf: line)
            target.append(contentsOf: [ASCII.lf, ASCII.lf])
            target.append(contentsOf: payload ?? [])
            target.append(ASCII.nul)
        }
        if framing.telnet { doubleIAC(in: &target, from: lower) }
    }

    /// The kind of payload that follows a line.
    public enum PayloadKind: Sendable, Hashable {
        case none
        case counted(terminated: Bool)
        case block
    }

    /// Returns the kind of payload that follows the command `verb` in this direction.
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

    /// Throws an error if a reader would find a line end anywhere but after `line`.
    private func refuseUnreadable(
        _ line: [UInt8], _ payload: [UInt8], _ kind: PayloadKind
    ) throws(FramingError) {
        if let offset = forbiddenOffset(in: line) { throw .containsTerminator(at: offset) }
        let follows = kind == .none ? nil : payload.first
        if let follows, side.terminator.first == nil, completes(side.terminator.last, follows) {
            throw .payloadCompletesTerminator
        }
    }

    /// Returns the first offset in `line` that a reader would take for the end of this line or the
    /// previous one.
    private func forbiddenOffset(in line: [UInt8]) -> Int? {
        let bytes = line.span
        for offset in 0..<line.count
        where ends.terminator(endingAt: offset, bytes, lineStart: 0) != nil { return offset }
        guard let first = line.first, let last = line.last else { return nil }
        // The first byte may combine with the previous terminator, and the last byte with the next
        // one.
        if side.terminator.first == nil, completes(side.terminator.last, first) { return 0 }
        return ends.isPair(last, side.terminator.bytes[0]) ? line.count - 1 : nil
    }

    private func completes(_ half: UInt8, _ byte: UInt8) -> Bool {
        ends.halves.contains(half) && ends.isPair(half, byte)
    }

    /// Throws an error if a reader would find the end of the head or of the body somewhere else.
    private func refuseUnreadableHead(
        _ head: [UInt8], _ body: [UInt8], _ lengthHeader: [UInt8]
    ) throws(FramingError) {
        guard let first = head.first, first != ASCII.lf, first != ASCII.cr else {
            throw .containsTerminator(at: 0)
        }
        for (offset, byte) in head.enumerated() where byte == ASCII.lf {
            let next = offset + 1 < head.count ? head[offset + 1] : ASCII.lf
            let afterNext = offset + 2 < head.count ? head[offset + 2] : ASCII.lf
            if next == ASCII.lf || (next == ASCII.cr && afterNext == ASCII.lf) {
                throw .containsTerminator(at: offset)
            }
        }
        let prefix = lengthHeader + [ASCII.colon]
        let isCounted = head.split(separator: ASCII.lf).contains { $0.starts(with: prefix) }
        if !isCounted, let offset = body.firstIndex(of: ASCII.nul) {
            throw .bodyContainsNUL(at: offset)
        }
    }

    private func doubleIAC(in target: inout [UInt8], from lower: Int) {
        var offset = lower
        while offset < target.count {
            if target[offset] == ASCII.iac {
                target.insert(ASCII.iac, at: offset)
                offset += 1
            }
            offset += 1
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
            DotStuffing.append(payload, terminator: side.terminator, ends: ends, to: &target)
        }
    }

    private func appendPrefixed(
        _ line: [UInt8], _ prefix: Framing.LengthPrefix, to target: inout [UInt8]
    ) throws(FramingError) {
        let width = prefix.boundedWidth
        let text = prefix.dropsFinalNUL ? line + [ASCII.nul] : line
        let length = text.count + (prefix.countsItself ? width : 0)
        let lengthMax = 1 << (8 * width) - 1
        guard length <= lengthMax else { throw .tooLong(length: length, max: lengthMax) }
        for index in (0..<width).reversed() {
            target.append(UInt8(truncatingIfNeeded: length >> (8 * index)))
        }
        target.append(contentsOf: text)
    }
}

/// The reason a line cannot be sent as a frame.
public enum FramingError: Error, Sendable, Hashable {
    /// The byte at this offset would end the line, or extend the end of the previous one.
    case containsTerminator(at: Int)
    /// The first byte of the payload would be read as part of the line's terminator.
    case payloadCompletesTerminator
    /// The body contains a NUL at this offset, ends with NUL and has no length header.
    case bodyContainsNUL(at: Int)
    case tooLong(length: Int, max: Int)
}
