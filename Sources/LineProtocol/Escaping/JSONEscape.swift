/// Escape sequences in JSON strings (RFC 8259 §7).
enum JSONEscape {
    /// Appends the unescaped value of the string in `range`, which excludes the quotes.
    ///
    /// - Throws: ``EscapeError`` for an invalid escape sequence and for half of a surrogate pair.
    static func decode(
        _ bytes: Span<UInt8>, _ range: Range<Int>, into target: inout [UInt8]
    ) throws(EscapeError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let rest = offset..<range.upperBound
            let escape = firstOffset(of: ASCII.backslash, in: bytes, rest) ?? range.upperBound
            bytes.append(offset..<escape, to: &target)
            guard escape < range.upperBound else { return }
            offset = try decodeEscape(bytes, escape, range, into: &target)
        }
    }

    /// Appends the character that the sequence at `offset` represents, and returns the offset of
    /// the text after it.
    private static func decodeEscape(
        _ bytes: Span<UInt8>, _ offset: Int, _ range: Range<Int>, into target: inout [UInt8]
    ) throws(EscapeError) -> Int {
        func error(_ reason: EscapeError.Reason) -> EscapeError {
            EscapeError(offset: offset - range.lowerBound, reason: reason)
        }
        guard offset + 1 < range.upperBound else { throw error(.loneEscape) }
        let letter = bytes[offset + 1]
        guard letter == UInt8(ascii: "u") else {
            guard let byte = byte(for: letter) else { throw error(.unknownEscape(letter)) }
            target.append(byte)
            return offset + 2
        }
        guard let unit = unit(bytes, offset, range) else { throw error(.unknownEscape(letter)) }
        if let scalar = Unicode.Scalar(unit) {
            append(scalar, to: &target)
            return offset + 6
        }
        guard unit < 0xDC00, let low = self.unit(bytes, offset + 6, range),
            (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw error(.loneSurrogate) }
        append(scalar, to: &target)
        return offset + 12
    }

    private static func append(_ scalar: Unicode.Scalar, to target: inout [UInt8]) {
        for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { target.append(unit) }
    }

    /// Returns the number in the sequence `\uHHHH` at `offset`, or nil.
    private static func unit(_ bytes: Span<UInt8>, _ offset: Int, _ range: Range<Int>) -> UInt32? {
        guard offset + 6 <= range.upperBound, bytes[offset] == ASCII.backslash,
            bytes[offset + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt32 = 0
        for digit in (offset + 2)..<(offset + 6) {
            guard let value = ASCII.hexValue(bytes[digit]) else { return nil }
            unit = unit << 4 | UInt32(value)
        }
        return unit
    }

    private static func byte(for letter: UInt8) -> UInt8? {
        switch letter {
        case ASCII.quote, ASCII.backslash, UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): ASCII.lf
        case UInt8(ascii: "r"): ASCII.cr
        case UInt8(ascii: "t"): ASCII.tab
        default: nil
        }
    }

    /// Appends `value` with quotes, backslashes and control bytes escaped.
    ///
    /// - Throws: ``EscapeError`` if the value is not UTF-8.
    static func encode(
        _ value: [UInt8], into target: inout [UInt8]
    ) throws(EscapeError) {
        if let offset = UTF8Check.firstInvalid(value) {
            throw EscapeError(offset: offset, reason: .notUTF8)
        }
        for byte in value {
            switch byte {
            case ASCII.quote, ASCII.backslash: target += [ASCII.backslash, byte]
            case 0x08: target += [ASCII.backslash, UInt8(ascii: "b")]
            case ASCII.tab: target += [ASCII.backslash, UInt8(ascii: "t")]
            case ASCII.lf: target += [ASCII.backslash, UInt8(ascii: "n")]
            case 0x0C: target += [ASCII.backslash, UInt8(ascii: "f")]
            case ASCII.cr: target += [ASCII.backslash, UInt8(ascii: "r")]
            case 0..<0x20:
                target += "\\u00".utf8
                target.append(ASCII.hexDigit(byte >> 4))
                target.append(ASCII.hexDigit(byte))
            default: target.append(byte)
            }
        }
    }
}
