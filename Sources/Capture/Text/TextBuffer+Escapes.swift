/// Texts of which nothing can do anything to a terminal.
extension TextBuffer {
    /// How a byte that cannot stand as it is is written.
    enum Style {
        /// As in string literals of scenarios: `\"`, `\\`, `\n`, `\xHH`.
        case log
        /// As in JSON: `\"`, `\\`, `\n`, `\u00HH`. The text must be UTF-8.
        case json
    }

    /// Appends the text between quotes.
    @inline(__always)
    mutating func append(quoted bytes: Span<UInt8>, _ style: Style) {
        append(0x22)
        append(escaped: bytes, style)
        append(0x22)
    }

    @inline(__always)
    mutating func append(escaped bytes: Span<UInt8>, _ style: Style) {
        let plain = appendPlain(bytes)
        if plain < bytes.count {
            appendEscaped(bytes.extracting(plain..<bytes.count), style)
        }
    }

    /// Appends the bytes up to the first that needs a look; returns how many these are.
    @inline(__always)
    private mutating func appendPlain(_ bytes: Span<UInt8>) -> Int {
        let count = bytes.count
        let target = unsafe reserve(count &+ 8)
        let plain = unsafe bytes.withUnsafeBufferPointer { source -> Int in
            guard let base = source.baseAddress else { return 0 }
            var place = 0
            while place &+ 8 <= count {
                guard unsafe Self.copyPlain(base + place, to: target + place) else { break }
                place &+= 8
            }
            // The rest with some of what was copied, so that it is a word, too.
            if count >= 8, count &- place < 8 {
                let last = count &- 8
                if unsafe Self.copyPlain(base + last, to: target + last) { return count }
            }
            while place < count {
                let byte = unsafe base[place]
                guard Self.isPlain(byte) else { break }
                unsafe target[place] = byte
                place &+= 1
            }
            return place
        }
        advance(plain)
        return plain
    }

    /// Copies eight bytes; false if one of them needs a look.
    @inline(__always)
    private static func copyPlain(
        _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let word = unsafe UnsafeRawPointer(source).loadUnaligned(as: UInt64.self)
        guard isPlain(word) else { return false }
        unsafe UnsafeMutableRawPointer(target).storeBytes(of: word, as: UInt64.self)
        return true
    }

    /// Printable ASCII but quotes and backslashes.
    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x5C
    }

    /// The same for eight bytes.
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let high: UInt64 = ones &* 0x80
        @inline(__always)
        func has(_ byte: UInt64) -> UInt64 {
            let difference = word ^ (ones &* byte)
            return (difference &- ones) & ~difference
        }
        let below = (word &- ones &* 0x20) & ~word
        return (below | has(0x22) | has(0x5C) | has(0x7F) | word) & high == 0
    }

    @inline(never)
    private mutating func appendEscaped(_ bytes: Span<UInt8>, _ style: Style) {
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            if byte < 0x80 {
                append(ascii: byte, style)
                place += 1
                // Most of what follows is plain again.
                place += appendPlain(bytes.extracting(place..<bytes.count))
                continue
            }
            guard let scalar = UTF8Scalar(bytes, place) else {
                append(escapedByte: byte)
                place += 1
                continue
            }
            if scalar.isPrintable {
                append(bytes.extracting(place..<(place + scalar.count)))
            } else if style == .json {
                append(jsonEscape: scalar.value)
            } else {
                for index in place..<(place + scalar.count) { append(escapedByte: bytes[index]) }
            }
            place += scalar.count
        }
    }

    private mutating func append(ascii byte: UInt8, _ style: Style) {
        switch byte {
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        case 0x20..<0x7F: append(byte)
        case 0x00 where style == .log: append("\\0")
        default:
            if style == .json {
                append(jsonEscape: UInt32(byte))
            } else {
                append(escapedByte: byte)
            }
        }
    }

    private mutating func append(escapedByte byte: UInt8) {
        append("\\x")
        append(hex: byte)
    }

    private mutating func append(jsonEscape value: UInt32) {
        guard value > 0xFFFF else {
            append("\\u")
            append(hex: UInt8(truncatingIfNeeded: value >> 8))
            append(hex: UInt8(truncatingIfNeeded: value))
            return
        }
        append(jsonEscape: 0xD800 + (value - 0x10000) >> 10)
        append(jsonEscape: 0xDC00 + (value - 0x10000) & 0x3FF)
    }

    /// Appends bytes as JSON has them: a string where they are UTF-8, else `{"hex":"00ff"}`.
    @inline(__always)
    mutating func append(json bytes: Span<UInt8>) {
        let start = count
        append(0x22)
        let plain = appendPlain(bytes)
        if plain < bytes.count {
            guard UTF8Scalar.areAll(bytes, from: plain) else {
                count = start
                appendHex(bytes)
                return
            }
            appendEscaped(bytes.extracting(plain..<bytes.count), .json)
        }
        append(0x22)
    }

    @inline(never)
    private mutating func appendHex(_ bytes: Span<UInt8>) {
        append("{\"hex\":\"")
        for index in 0..<bytes.count { append(hex: bytes[index]) }
        append("\"}")
    }
}

/// A scalar of two to four bytes of UTF-8.
struct UTF8Scalar {
    var value: UInt32
    var count: Int

    /// The scalar at `place`; nil if there is none, or one that UTF-8 forbids.
    init?(_ bytes: Span<UInt8>, _ place: Int) {
        let first = bytes[place]
        let forms: (count: Int, bits: UInt32, least: UInt32)
        switch first {
        case 0xC2...0xDF: forms = (2, UInt32(first & 0x1F), 0x80)
        case 0xE0...0xEF: forms = (3, UInt32(first & 0x0F), 0x800)
        case 0xF0...0xF4: forms = (4, UInt32(first & 0x07), 0x10000)
        default: return nil
        }
        guard place + forms.count <= bytes.count else { return nil }
        var value = forms.bits
        for index in 1..<forms.count {
            let byte = bytes[place + index]
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard value >= forms.least, value <= 0x10FFFF, !(0xD800...0xDFFF).contains(value) else {
            return nil
        }
        self.value = value
        count = forms.count
    }

    /// Whether it is shown as it is: controls, invisible formatting (which can turn the direction of
    /// writing) and separators of lines are not.
    var isPrintable: Bool {
        switch value {
        case 0xA0...0xAC, 0xAE...0x5FF, 0x3000...0xD7FF: return true
        case 0..<0xA0: return false
        default:
            guard let scalar = Unicode.Scalar(value) else { return false }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return false
            default: return true
            }
        }
    }

    /// Whether everything from `place` on is UTF-8.
    static func areAll(_ bytes: Span<UInt8>, from place: Int) -> Bool {
        var place = place
        while place < bytes.count {
            if bytes[place] < 0x80 {
                place += 1
            } else if let scalar = UTF8Scalar(bytes, place) {
                place += scalar.count
            } else {
                return false
            }
        }
        return true
    }
}
