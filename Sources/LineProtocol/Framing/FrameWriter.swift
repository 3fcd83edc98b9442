/// Puts lines into frames for sending: the counterpart of ``LineFramer``.
public struct FrameWriter: Sendable {
    let framing: Framing
    let side: Framing.Side
    let ends: LineEnds

    /// A writer of what `direction` sends.
    public init(_ dialect: Dialect, direction: Direction) {
        framing = dialect.framing
        side = dialect.framing.side(direction)
        ends = LineEnds(side.accepted)
    }

    /// Appends `line` to `target` as a frame; a payload follows it as `kind` says.
    ///
    /// - Throws: ``FramingError`` if the peer would not read the line or the payload as they are;
    ///   `target` is then as it was.
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

    /// Throws if a reader would find an end of line elsewhere than after `line`.
    private func refuseUnreadable(
        _ line: [UInt8], _ payload: [UInt8], _ kind: PayloadKind
    ) throws(FramingError) {
        if let place = forbiddenPlace(in: line) { throw .containsTerminator(at: place) }
        let follows = kind == .none ? nil : payload.first
        if let follows, side.terminator.first == nil, completes(side.terminator.last, follows) {
            throw .payloadCompletesTerminator
        }
    }

    /// The first place in `line` that a reader takes for the end of it, or of the line before.
    private func forbiddenPlace(in line: [UInt8]) -> Int? {
        let bytes = line.span
        for place in 0..<line.count
        where ends.terminator(endingAt: place, bytes, lineStart: 0) != nil { return place }
        guard let first = line.first, let last = line.last else { return nil }
        // The line's first byte with the terminator before it, and its last byte with the one after it.
        if side.terminator.first == nil, completes(side.terminator.last, first) { return 0 }
        return ends.isPair(last, side.terminator.bytes[0]) ? line.count - 1 : nil
    }

    private func completes(_ half: UInt8, _ byte: UInt8) -> Bool {
        ends.halves.contains(half) && ends.isPair(half, byte)
    }

    /// Throws if a reader would find the end of the head or of the body elsewhere.
    private func refuseUnreadableHead(
        _ head: [UInt8], _ body: [UInt8], _ lengthHeader: [UInt8]
    ) throws(FramingError) {
        guard let first = head.first, first != ASCII.lf, first != ASCII.cr else {
            throw .containsTerminator(at: 0)
        }
        for (place, byte) in head.enumerated() where byte == ASCII.lf {
            let next = place + 1 < head.count ? head[place + 1] : ASCII.lf
            let afterNext = place + 2 < head.count ? head[place + 2] : ASCII.lf
            if next == ASCII.lf || (next == ASCII.cr && afterNext == ASCII.lf) {
                throw .containsTerminator(at: place)
            }
        }
        let prefix = lengthHeader + [ASCII.colon]
        let isCounted = head.split(separator: ASCII.lf).contains { $0.starts(with: prefix) }
        if !isCounted, let place = body.firstIndex(of: ASCII.nul) {
            throw .bodyContainsNUL(at: place)
        }
    }

    private func doubleIAC(in target: inout [UInt8], from lower: Int) {
        var place = lower
        while place < target.count {
            if target[place] == ASCII.iac {
                target.insert(ASCII.iac, at: place)
                place += 1
            }
            place += 1
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
        for place in (0..<width).reversed() {
            target.append(UInt8(truncatingIfNeeded: length >> (8 * place)))
        }
        target.append(contentsOf: text)
    }
}

/// Why a line cannot be a frame.
public enum FramingError: Error, Sendable, Hashable {
    /// With the byte at this place a reader would see the line, or the one before, end elsewhere.
    case containsTerminator(at: Int)
    /// The payload's first byte would be taken for a part of the line's terminator.
    case payloadCompletesTerminator
    /// A body that ends with a NUL has one at this place, and no header counts its bytes.
    case bodyContainsNUL(at: Int)
    case tooLong(length: Int, max: Int)
}
