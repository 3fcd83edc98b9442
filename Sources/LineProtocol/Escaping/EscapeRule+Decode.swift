/// What is wrong with an escape.
public struct EscapeError: Error, Sendable, Hashable {
    /// The place in the value, in bytes from 0.
    public var offset: Int
    /// What is wrong at the place.
    public var reason: Reason

    /// An error at `offset`.
    public init(offset: Int, reason: Reason) {
        self.offset = offset
        self.reason = reason
    }

    /// What can be wrong with an escape.
    public enum Reason: Sendable, Hashable {
        /// The letter after the escape byte stands for nothing.
        case unknownEscape(UInt8)
        /// The value ends with the escape byte.
        case loneEscape
        /// The byte can be neither sent as it is nor escaped.
        case unrepresentable(UInt8)
        /// An empty value has no spelling in this place.
        case emptyValue
    }
}

extension EscapeRule {
    /// Appends the value written in `range` of `bytes` to `target`.
    ///
    /// - Throws: ``EscapeError`` where the rule calls an escape an error; what stood before it has been
    ///   appended.
    public func decode(
        _ bytes: Span<UInt8>, _ range: Range<Int>, into target: inout [UInt8]
    ) throws(EscapeError) {
        switch self {
        case .none: bytes.append(range, to: &target)
        case .table(let table): try table.decode(bytes, range, into: &target)
        case .percent: Self.decodePercent(bytes, range, into: &target)
        case .doubling(let byte, _): Self.decodeDoubled(byte, bytes, range, into: &target)
        case .quotes: Self.decodeQuoted(bytes, range, into: &target)
        }
    }

    /// The value that `bytes` spell.
    public func decode(_ bytes: [UInt8]) throws(EscapeError) -> [UInt8] {
        var result: [UInt8] = []
        try decode(bytes.span, 0..<bytes.count, into: &result)
        return result
    }

    private static func decodePercent(
        _ bytes: Span<UInt8>, _ range: Range<Int>, into target: inout [UInt8]
    ) {
        var place = range.lowerBound
        while place < range.upperBound {
            let byte = bytes[place]
            if byte == ASCII.percent, place + 2 < range.upperBound,
                let high = ASCII.hexValue(bytes[place + 1]),
                let low = ASCII.hexValue(bytes[place + 2])
            {
                target.append(high << 4 | low)
                place += 3
            } else {
                // A percent sign that opens nothing stands for itself, as MSN's clients took it.
                target.append(byte)
                place += 1
            }
        }
    }

    private static func decodeDoubled(
        _ doubled: UInt8, _ bytes: Span<UInt8>, _ range: Range<Int>, into target: inout [UInt8]
    ) {
        var place = range.lowerBound
        while place < range.upperBound {
            let byte = bytes[place]
            target.append(byte)
            let next = place + 1
            place =
                byte == doubled && next < range.upperBound && bytes[next] == doubled
                ? place + 2 : next
        }
    }

    /// The escapes that Redis reads between double quotes: `\n \r \t \b \a \xHH`, any other letter as it is.
    private static func decodeQuoted(
        _ bytes: Span<UInt8>, _ range: Range<Int>, into target: inout [UInt8]
    ) {
        var place = range.lowerBound
        while place < range.upperBound {
            let byte = bytes[place]
            guard byte == ASCII.backslash, place + 1 < range.upperBound else {
                target.append(byte)
                place += 1
                continue
            }
            let letter = bytes[place + 1]
            if letter == UInt8(ascii: "x"), place + 3 < range.upperBound,
                let high = ASCII.hexValue(bytes[place + 2]),
                let low = ASCII.hexValue(bytes[place + 3])
            {
                target.append(high << 4 | low)
                place += 4
            } else {
                target.append(quotedByte(for: letter))
                place += 2
            }
        }
    }

    private static func quotedByte(for letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "a"): 0x07
        default: letter
        }
    }
}

extension EscapeTable {
    func decode(
        _ bytes: Span<UInt8>, _ range: Range<Int>, into target: inout [UInt8]
    ) throws(EscapeError) {
        let lower = target.count
        bytes.append(range, to: &target)
        var mistake: EscapeError?
        // What an escape stands for is never longer than the escape, so that the bytes move to the front.
        var text = target.mutableSpan
        let upper = decode(&text, from: lower, &mistake)
        target.removeLast(target.count - upper)
        if let mistake { throw mistake }
    }

    /// Unescapes `text` from `lower` on in its place and returns where what it stands for ends.
    private func decode(
        _ text: inout MutableSpan<UInt8>, from lower: Int, _ mistake: inout EscapeError?
    ) -> Int {
        var written = lower
        var place = lower
        while place < text.count, mistake == nil {
            let byte = text[place]
            place += 1
            if byte != escape {
                text[written] = byte
                written += 1
            } else if place < text.count {
                decode(letter: text[place], at: place - 1 - lower, &text, &written, &mistake)
                place += 1
            } else {
                decodeLone(at: place - 1 - lower, &text, &written, &mistake)
            }
        }
        return written
    }

    /// Writes what the escape with `letter` stands for.
    private func decode(
        letter: UInt8, at offset: Int, _ text: inout MutableSpan<UInt8>, _ written: inout Int,
        _ mistake: inout EscapeError?
    ) {
        if byte(for: letter) == nil, unknown == .error {
            mistake = EscapeError(offset: offset, reason: .unknownEscape(letter))
            return
        }
        if byte(for: letter) == nil, unknown == .verbatim {
            text[written] = escape
            written += 1
        }
        text[written] = byte(for: letter) ?? letter
        written += 1
    }

    /// Writes what an escape byte at the end stands for.
    private func decodeLone(
        at offset: Int, _ text: inout MutableSpan<UInt8>, _ written: inout Int,
        _ mistake: inout EscapeError?
    ) {
        switch lone {
        case .drop: break
        case .verbatim:
            text[written] = escape
            written += 1
        case .error: mistake = EscapeError(offset: offset, reason: .loneEscape)
        }
    }
}
