/// Error for an invalid escape sequence, or for a value that cannot be escaped.
public struct EscapeError: Error, Sendable, Hashable {
    /// Byte offset in the value, from 0.
    public var offset: Int
    /// The kind of error.
    public var reason: Reason

    /// Creates an error.
    public init(offset: Int, reason: Reason) {
        self.offset = offset
        self.reason = reason
    }

    /// The kind of error.
    public enum Reason: Sendable, Hashable {
        /// The letter after the escape byte is not in the table.
        case unknownEscape(UInt8)
        /// The value ends with an escape byte.
        case loneEscape
        /// The byte can be sent neither literally nor escaped.
        case unrepresentable(UInt8)
        /// The value is empty and cannot be written in this position.
        case emptyValue
        /// The value is not valid UTF-8, which JSON requires.
        case notUTF8
        /// A JSON string contains half of a surrogate pair.
        case loneSurrogate
    }
}

extension EscapeRule {
    /// Unescapes the value in `range` of `bytes` and appends it to `target`.
    ///
    /// - Throws: ``EscapeError`` for an escape sequence that the rule treats as an error. The bytes
    ///   before that sequence have already been appended.
    public func decode(
        _ bytes: Span<UInt8>, _ range: Range<Int>, into target: inout [UInt8]
    ) throws(EscapeError) {
        switch self {
        case .none: bytes.append(range, to: &target)
        case .table(let table): try table.decode(bytes, range, into: &target)
        case .percent: Self.decodePercent(bytes, range, into: &target)
        case .doubling(let byte, _): Self.decodeDoubled(byte, bytes, range, into: &target)
        case .quotes: Self.decodeQuoted(bytes, range, into: &target)
        case .json: try JSONEscape.decode(bytes, range, into: &target)
        }
    }

    /// Returns the unescaped value.
    ///
    /// - Throws: ``EscapeError`` for an escape sequence that the rule treats as an error.
    public func decode(_ bytes: [UInt8]) throws(EscapeError) -> [UInt8] {
        var result: [UInt8] = []
        try decode(bytes.span, 0..<bytes.count, into: &result)
        return result
    }

    private static func decodePercent(
        _ bytes: Span<UInt8>, _ range: Range<Int>, into target: inout [UInt8]
    ) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let byte = bytes[offset]
            if byte == ASCII.percent, offset + 2 < range.upperBound,
                let high = ASCII.hexValue(bytes[offset + 1]),
                let low = ASCII.hexValue(bytes[offset + 2])
            {
                target.append(high << 4 | low)
                offset += 3
            } else {
                // A percent sign without two hexadecimal digits is kept unchanged, as in MSN
                // clients.
                target.append(byte)
                offset += 1
            }
        }
    }

    private static func decodeDoubled(
        _ doubled: UInt8, _ bytes: Span<UInt8>, _ range: Range<Int>, into target: inout [UInt8]
    ) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let byte = bytes[offset]
            target.append(byte)
            let next = offset + 1
            offset =
                byte == doubled && next < range.upperBound && bytes[next] == doubled
                ? offset + 2 : next
        }
    }

    /// Decodes the escapes that Redis allows between double quotes: `\n \r \t \b \a \xHH`. A
    /// backslash before any other letter is dropped.
    private static func decodeQuoted(
        _ bytes: Span<UInt8>, _ range: Range<Int>, into target: inout [UInt8]
    ) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let byte = bytes[offset]
            guard byte == ASCII.backslash, offset + 1 < range.upperBound else {
                target.append(byte)
                offset += 1
                continue
            }
            let letter = bytes[offset + 1]
            if letter == UInt8(ascii: "x"), offset + 3 < range.upperBound,
                let high = ASCII.hexValue(bytes[offset + 2]),
                let low = ASCII.hexValue(bytes[offset + 3])
            {
                target.append(high << 4 | low)
                offset += 4
            } else {
                target.append(quotedByte(for: letter))
                offset += 2
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
        // Unescaping never makes a value longer, so it can be done in place.
        var text = target.mutableSpan
        let upper = decode(&text, from: lower, &mistake)
        target.removeLast(target.count - upper)
        if let mistake { throw mistake }
    }

    /// Unescapes `text` in place, starting at `lower`, and returns the end of the result.
    private func decode(
        _ text: inout MutableSpan<UInt8>, from lower: Int, _ mistake: inout EscapeError?
    ) -> Int {
        var written = lower
        var offset = lower
        while offset < text.count, mistake == nil {
            let byte = text[offset]
            offset += 1
            if byte != escape {
                text[written] = byte
                written += 1
            } else if offset < text.count {
                decode(letter: text[offset], at: offset - 1 - lower, &text, &written, &mistake)
                offset += 1
            } else {
                decodeLone(at: offset - 1 - lower, &text, &written, &mistake)
            }
        }
        return written
    }

    /// Writes the byte that an escape sequence represents.
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

    /// Handles an escape byte at the end of the value.
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
