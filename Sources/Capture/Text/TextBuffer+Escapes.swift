/// Escapes text, so that output cannot contain terminal control sequences.
extension TextBuffer {
    /// Escape syntax for displayed text.
    enum Style {
        /// As in scenario string literals: `\"`, `\\`, `\n`, `\xHH`.
        case log
        /// As in JSON: `\"`, `\\`, `\n`, `\u00HH`. The text must be valid UTF-8.
        case json
    }

    /// Appends the text, escaped and in quotes.
    @inline(__always)
    mutating func append(quoted bytes: Span<UInt8>, _ style: Style) {
        if appendQuotedPlain(bytes) { return }
        append(0x22)
        append(escaped: bytes, style)
        append(0x22)
    }

    /// Appends the text in quotes and returns true, or returns false if some of it may need
    /// escaping.
    @inline(__always)
    private mutating func appendQuotedPlain(_ bytes: Span<UInt8>) -> Bool {
        let target = unsafe reserve(bytes.count &+ 10)
        guard unsafe Self.copyPlain(bytes, to: target + 1) == bytes.count else { return false }
        unsafe target[0] = 0x22
        unsafe target[bytes.count &+ 1] = 0x22
        advance(bytes.count &+ 2)
        return true
    }

    /// Maximum number of bytes that are copied in blocks.
    private var blockwiseMax: Int { 256 }

    /// Appends bytes that need no escaping in quotes.
    @inline(__always)
    mutating func append(quotedPlain range: Range<Int>, of bytes: Span<UInt8>) {
        let count = range.count
        let target = unsafe reserve(count &+ 34)
        unsafe target[0] = 0x22
        unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, range.upperBound <= bytes.count else { return }
            let text = unsafe base + range.lowerBound
            let target = unsafe UnsafeMutableRawPointer(target + 1)
            // Copying blocks of a fixed size is faster than copying exactly as many bytes as needed.
            if count <= blockwiseMax, range.upperBound &+ 31 <= bytes.count {
                var offset = 0
                while offset < count {
                    unsafe Self.copy32(text + offset, to: target + offset)
                    offset &+= 32
                }
            } else {
                unsafe target.copyMemory(from: text, byteCount: count)
            }
        }
        unsafe target[count &+ 1] = 0x22
        advance(count &+ 2)
    }

    /// Returns whether no byte in the range needs escaping.
    @inline(__always)
    static func isPlain(_ range: Range<Int>, of bytes: Span<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, range.upperBound <= bytes.count else {
                return false
            }
            var text = unsafe base + range.lowerBound
            var rest = range.count
            while rest >= 16 {
                guard unsafe isPlainPair(SIMD2(words: text)) else { return false }
                unsafe text += 16
                rest &-= 16
            }
            // The last word overlaps bytes that have already been checked.
            if rest > 8, unsafe !isPlain(text.loadUnaligned(as: UInt64.self)) { return false }
            if rest > 0, range.count >= 8 {
                return unsafe isPlain((text + (rest &- 8)).loadUnaligned(as: UInt64.self))
            }
            while rest > 0 {
                guard unsafe isPlain(text.load(as: UInt8.self)) else { return false }
                unsafe text += 1
                rest &-= 1
            }
            return true
        }
    }

    @inline(__always)
    mutating func append(escaped bytes: Span<UInt8>, _ style: Style) {
        let plain = appendPlain(bytes)
        if plain < bytes.count {
            appendEscaped(bytes.extracting(plain..<bytes.count), style)
        }
    }

    /// Appends the bytes up to the first one that may need escaping, and returns their number.
    @inline(__always)
    private mutating func appendPlain(_ bytes: Span<UInt8>) -> Int {
        let target = unsafe reserve(bytes.count)
        let plain = unsafe Self.copyPlain(bytes, to: target)
        advance(plain)
        return plain
    }

    /// Copies the bytes up to the first one that may need escaping, and returns their number.
    @inline(__always)
    private static func copyPlain(
        _ bytes: Span<UInt8>, to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let count = bytes.count
        return unsafe bytes.withUnsafeBufferPointer { source -> Int in
            guard let base = source.baseAddress else { return 0 }
            var offset = 0
            while offset &+ 16 <= count {
                guard unsafe copyPlainPair(base + offset, to: target + offset) else { break }
                offset &+= 16
            }
            while offset &+ 8 <= count {
                guard unsafe copyPlainWord(base + offset, to: target + offset) else { break }
                offset &+= 8
            }
            // The last word overlaps bytes that have already been copied, so that a full word can
            // be read.
            if count >= 8, count &- offset < 8 {
                let last = count &- 8
                if unsafe copyPlainWord(base + last, to: target + last) { return count }
            }
            while offset < count {
                let byte = unsafe base[offset]
                guard isPlain(byte) else { break }
                unsafe target[offset] = byte
                offset &+= 1
            }
            return offset
        }
    }

    /// Copies 16 bytes. If one of them may need escaping, returns false without copying.
    @inline(__always)
    private static func copyPlainPair(
        _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let words = unsafe SIMD2(words: UnsafeRawPointer(source))
        guard isPlainPair(words) else { return false }
        let to = UnsafeMutableRawPointer(target)
        unsafe to.storeBytes(of: words[0], as: UInt64.self)
        unsafe to.storeBytes(of: words[1], toByteOffset: 8, as: UInt64.self)
        return true
    }

    /// Copies eight bytes. If one of them may need escaping, returns false without copying.
    @inline(__always)
    private static func copyPlainWord(
        _ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let word = unsafe UnsafeRawPointer(source).loadUnaligned(as: UInt64.self)
        guard isPlain(word) else { return false }
        unsafe UnsafeMutableRawPointer(target).storeBytes(of: word, as: UInt64.self)
        return true
    }

    /// Returns whether a byte is printable ASCII other than a quote or backslash.
    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x5C
    }

    /// Returns whether all 16 bytes of two words are plain.
    @inline(__always)
    private static func isPlainPair(_ words: SIMD2<UInt64>) -> Bool {
        // As in `isPlain(_: UInt64)`.
        let ones = SIMD2<UInt64>(repeating: 0x0101_0101_0101_0101)
        let quotes = words ^ SIMD2(repeating: 0x2222_2222_2222_2222)
        let backslashes = words ^ SIMD2(repeating: 0x5C5C_5C5C_5C5C_5C5C)
        let special =
            words | (words &+ ones) | (words &- SIMD2(repeating: 0x2020_2020_2020_2020))
            | (quotes &- ones) | (backslashes &- ones)
        return (special[0] | special[1]) & 0x8080_8080_8080_8080 == 0
    }

    /// Returns whether all eight bytes of a word are plain.
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // The subtractions and the addition set the highest bit of each byte that is not plain.
        // They may also set the highest bit of its neighbours and of non-ASCII bytes.
        let quotes = (word ^ 0x2222_2222_2222_2222) &- ones
        let backslashes = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- ones
        let special =
            word | (word &+ ones) | (word &- 0x2020_2020_2020_2020) | quotes | backslashes
        return special & 0x8080_8080_8080_8080 == 0
    }

    @inline(never)
    private mutating func appendEscaped(_ bytes: Span<UInt8>, _ style: Style) {
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte < 0x80 {
                append(ascii: byte, style)
                offset += 1
                // A byte that needs escaping is usually followed by plain bytes.
                offset += appendPlain(bytes.extracting(offset..<bytes.count))
                continue
            }
            guard let scalar = UTF8Scalar(bytes, offset) else {
                append(escapedByte: byte)
                offset += 1
                continue
            }
            if scalar.isPrintable {
                append(bytes.extracting(offset..<(offset + scalar.count)))
            } else if style == .json {
                append(jsonEscape: scalar.value)
            } else {
                for index in offset..<(offset + scalar.count) { append(escapedByte: bytes[index]) }
            }
            offset += scalar.count
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

    /// Appends bytes as JSON: a string if they are valid UTF-8, otherwise `{"hex":"00ff"}`.
    @inline(__always)
    mutating func append(json bytes: Span<UInt8>) {
        if appendQuotedPlain(bytes) { return }
        append(unusualJSON: bytes)
    }

    @inline(never)
    private mutating func append(unusualJSON bytes: Span<UInt8>) {
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

extension SIMD2<UInt64> {
    /// Reads 16 bytes at an address that need not be aligned.
    @inline(__always)
    fileprivate init(words address: UnsafeRawPointer) {
        unsafe self.init(
            address.loadUnaligned(as: UInt64.self),
            address.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
}

/// A Unicode scalar encoded in two to four bytes of UTF-8.
struct UTF8Scalar {
    var value: UInt32
    var count: Int

    /// Decodes the scalar at `offset`; nil if the encoding is invalid.
    init?(_ bytes: Span<UInt8>, _ offset: Int) {
        let first = bytes[offset]
        let forms: (count: Int, bits: UInt32, minimum: UInt32)
        switch first {
        case 0xC2...0xDF: forms = (2, UInt32(first & 0x1F), 0x80)
        case 0xE0...0xEF: forms = (3, UInt32(first & 0x0F), 0x800)
        case 0xF0...0xF4: forms = (4, UInt32(first & 0x07), 0x10000)
        default: return nil
        }
        guard offset + forms.count <= bytes.count else { return nil }
        var value = forms.bits
        for index in 1..<forms.count {
            let byte = bytes[offset + index]
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard value >= forms.minimum, value <= 0x10FFFF, !(0xD800...0xDFFF).contains(value) else {
            return nil
        }
        self.value = value
        count = forms.count
    }

    /// False for control characters, line separators and invisible formatting characters, which can
    /// change the direction of text.
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

    /// Returns whether the bytes from `offset` to the end are valid UTF-8.
    static func areAll(_ bytes: Span<UInt8>, from offset: Int) -> Bool {
        var offset = offset
        while offset < bytes.count {
            if bytes[offset] < 0x80 {
                offset += 1
            } else if let scalar = UTF8Scalar(bytes, offset) {
                offset += scalar.count
            } else {
                return false
            }
        }
        return true
    }
}

extension TextBuffer {
    /// Maximum number of bytes that the log shows per value, line or payload.
    static var shownBytesMax: Int { 4_096 }

    /// Appends bytes to the log in quotes, truncated if there are too many.
    @_optimize(speed)
    @inline(__always)
    mutating func append(shown bytes: Span<UInt8>) {
        if bytes.count <= Self.shownBytesMax {
            append(quoted: bytes, .log)
        } else {
            append(startOf: bytes)
        }
    }

    @inline(never)
    private mutating func append(startOf bytes: Span<UInt8>) {
        append(quoted: bytes.extracting(first: Self.shownBytesMax), .log)
        append("… and ")
        append(magnitude: UInt64(bytes.count - Self.shownBytesMax))
        append(" more bytes")
    }
}
