/// Encoder that turns lines into frames for sending. The counterpart of ``LineFramer``.
public struct FrameWriter: Sendable {
    let framing: Framing
    let side: Framing.Side
    let ends: LineEnds
    let continuationMarker: ContinuationMarker?

    /// Creates a writer for one direction.
    public init(_ dialect: Dialect, direction: Direction) {
        framing = dialect.framing
        side = dialect.framing.side(direction)
        ends = LineEnds(side.accepted)
        continuationMarker = ContinuationMarker(dialect.framing, direction)
    }

    /// Appends `line` and its payload to `target` as a frame.
    ///
    /// - Throws: ``FramingError`` if the peer would parse the frame as a different line or payload;
    ///   `target` is then unchanged.
    public func append(
        line: [UInt8], payload: [UInt8]? = nil, kind: PayloadKind = .none,
        to target: inout [UInt8]
    ) throws(FramingError) {
        let lower = target.count
        switch framing.unit {
        case .line:
            try refuseUnreadable(kind == .line ? payload ?? [] : line, payload ?? [], kind)
            if kind == .answer { try refuseUnreadableAnswer(line, payload ?? []) }
            // A message may consist only of a payload.
            if !line.isEmpty || kind != .block && kind != .line {
                target.append(contentsOf: line)
                target.append(contentsOf: side.terminator.bytes)
            }
            appendPayload(payload ?? [], kind, to: &target)
        case .lengthPrefix(let prefix):
            try appendPrefixed(line, prefix, to: &target)
        case .headerFrame(let lengthHeader):
            try refuseUnreadableHead(line, payload ?? [], lengthHeader)
            target.append(contentsOf: line)
            target.append(contentsOf: [ASCII.lf, ASCII.lf])
            target.append(contentsOf: payload ?? [])
            target.append(ASCII.nul)
        case .resp:
            try refuseUnreadableValue(line)
            target.append(contentsOf: line)
            target.append(contentsOf: [ASCII.cr, ASCII.lf])
        }
        if framing.telnet { doubleIAC(in: &target, from: lower) }
    }

    /// The kind of payload that follows a line.
    public enum PayloadKind: Sendable, Hashable {
        case none
        case counted(terminated: Bool)
        case block
        /// The payload is the whole line.
        case line
        /// The remaining lines of a multi-line answer.
        case answer
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

    /// Returns true if the block after the command `verb` depends on the other side.
    func isConditional(_ verb: [UInt8]) -> Bool {
        framing.blocks.contains { $0.after != nil && $0.verb == verb }
    }

    /// Throws an error if a receiver would not find the end of the line exactly after `line`.
    private func refuseUnreadable(
        _ line: [UInt8], _ payload: [UInt8], _ kind: PayloadKind
    ) throws(FramingError) {
        if let offset = forbiddenOffset(in: line) { throw .containsTerminator(at: offset) }
        let follows = kind == .none || kind == .line ? nil : payload.first
        if let follows, side.terminator.first == nil, completes(side.terminator.last, follows) {
            throw .payloadCompletesTerminator
        }
    }

    /// Throws an error unless exactly the last line of `more` ends the answer.
    private func refuseUnreadableAnswer(_ line: [UInt8], _ more: [UInt8]) throws(FramingError) {
        guard let continuationMarker, continuationMarker.starts(0..<line.count, line.span) else {
            throw .answerUnmarked
        }
        let bytes = line + more + side.terminator.bytes
        var lineStart = line.count
        while let end = ends.find(bytes.span, lineStart: lineStart, from: lineStart) {
            let upper = end.offset + 1 - end.terminator.count
            let isLast = end.offset + 1 >= bytes.count
            if continuationMarker.ends(lineStart..<upper, 0, bytes.span) != isLast {
                throw .answerEnd(at: lineStart - line.count)
            }
            lineStart = end.offset + 1
        }
    }

    /// Returns the first offset in `line` where a receiver would find the end of this line or of
    /// the previous one; nil if there is none.
    private func forbiddenOffset(in line: [UInt8]) -> Int? {
        let bytes = line.span
        for offset in 0..<line.count
        where ends.terminator(endingAt: offset, bytes, lineStart: 0) != nil { return offset }
        guard let first = line.first, let last = line.last else { return nil }
        // The first byte may form a terminator with the end of the previous line, and the last byte
        // may form one with the terminator that follows.
        if side.terminator.first == nil, completes(side.terminator.last, first) { return 0 }
        return ends.isPair(last, side.terminator.bytes[0]) ? line.count - 1 : nil
    }

    private func completes(_ half: UInt8, _ byte: UInt8) -> Bool {
        ends.halves.contains(half) && ends.isPair(half, byte)
    }

    /// Throws an error if a receiver would find the end of the head or of the body at the wrong
    /// offset.
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

    /// Throws an error if a receiver would not read exactly this value or inline command.
    private func refuseUnreadableValue(_ value: [UInt8]) throws(FramingError) {
        guard let first = value.first, RESPScan.isType(first) else {
            let isEmpty = value.allSatisfy { $0 == ASCII.cr }
            if let offset = value.firstIndex(of: ASCII.lf) ?? (isEmpty ? 0 : nil) {
                throw .containsTerminator(at: offset)
            }
            return
        }
        let whole = value + [ASCII.cr, ASCII.lf]
        var scan = RESPScan()
        guard scan.advance(whole.span, from: 0) == .end(whole.count) else {
            throw .containsTerminator(at: min(scan.offset, max(0, value.count - 1)))
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
        case .answer, .line:
            target.append(contentsOf: payload)
            target.append(contentsOf: side.terminator.bytes)
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
