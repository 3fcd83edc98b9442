/// A scanner for JSON text (RFC 8259) that finds values and checks their syntax without copying or
/// storing them.
///
/// Methods that read or skip something set ``error`` and return nil if the text is invalid. The
/// scanner does not check that strings are valid UTF-8 or that surrogates come in pairs.
@safe
struct JSONScanner {
    private let bytes: UnsafePointer<UInt8>
    /// End of the text.
    private let upper: Int
    /// The number of readable bytes, at least `upper`.
    private let room: Int
    /// Offset of the next byte.
    private(set) var offset: Int
    /// The first error, or nil.
    private(set) var error: JSONError?

    /// Creates a scanner for the text in `range`. The buffer must outlive the scanner.
    @inline(__always)
    @unsafe init(_ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, room: Int) {
        unsafe self.bytes = unsafe bytes
        offset = range.lowerBound
        upper = range.upperBound
        self.room = room
    }

    /// A value or a key. The range of a string excludes its quotes.
    struct Token {
        var lower: Int
        var upper: Int
        var isString = false
        var hasEscape = false
    }

    @inline(__always)
    var isAtEnd: Bool { offset >= upper }

    /// The next byte; NUL at the end of the text.
    @inline(__always)
    var next: UInt8 { unsafe offset < upper ? bytes[offset] : 0 }

    @inline(__always)
    mutating func skip() { offset &+= 1 }

    @inline(__always)
    mutating func skipSpace() {
        while offset < upper {
            let byte = unsafe bytes[offset]
            guard byte <= ASCII.space,
                byte == ASCII.space || byte == ASCII.tab || byte == ASCII.lf || byte == ASCII.cr
            else { return }
            offset &+= 1
        }
    }

    /// Records an error unless there is one already. Returns nil, for use in `return`.
    @inline(never)
    mutating func fail<Result>(_ reason: JSONError.Reason) -> Result? {
        if error == nil {
            error = JSONError(isAtEnd ? .incomplete : reason, at: min(offset, upper))
        }
        return nil
    }

    /// Returns true if the text at `offset` starts with `other`.
    @inline(__always)
    func equals(_ offset: Int, _ other: [UInt8]) -> Bool {
        guard offset &+ other.count <= upper else { return false }
        for index in 0..<other.count where unsafe bytes[offset &+ index] != other[index] {
            return false
        }
        return true
    }

    /// Returns true if the string in `range`, once unescaped, equals `other`.
    @inline(never)
    func equalsUnescaped(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
        let text = unsafe Array(
            UnsafeBufferPointer(rebasing: UnsafeBufferPointer(start: bytes, count: upper)[range]))
        return (try? EscapeRule.json.decode(text)) == other
    }

    /// Reads a key and the colon after it, and moves to the value.
    @inline(__always)
    mutating func key() -> Token? {
        guard next == ASCII.quote else { return fail(.expectedKey) }
        guard let key = string() else { return nil }
        if next != ASCII.colon {
            skipSpace()
            guard next == ASCII.colon else { return fail(.expectedColon) }
        }
        skip()
        skipSpace()
        return key
    }

    /// Reads a value of any kind.
    ///
    /// - Parameter depth: the number of objects and arrays that contain the value.
    @inline(__always)
    mutating func value(depth: Int) -> Token? {
        let first = next
        if first == ASCII.quote { return string() }
        let lower = offset
        let isNested = first == ASCII.openBrace || first == ASCII.openBracket
        guard isNested ? skipNested(depth) != nil : skipScalar(first) != nil else { return nil }
        return Token(lower: lower, upper: offset)
    }

    /// Reads a string, whose opening quote is the next byte.
    @inline(__always)
    private mutating func string() -> Token? {
        let lower = offset &+ 1
        var hasEscape = false
        offset = lower
        while true {
            toSpecialByte()
            guard offset < upper else { return fail(.incomplete) }
            let byte = unsafe bytes[offset]
            if byte == ASCII.quote {
                offset &+= 1
                return Token(
                    lower: lower, upper: offset &- 1, isString: true, hasEscape: hasEscape)
            }
            guard byte == ASCII.backslash else { return fail(.controlByte) }
            hasEscape = true
            guard skipEscape() != nil else { return nil }
        }
    }

    /// Moves to the next quote, backslash or control byte, or to the end of the text.
    @inline(__always)
    private mutating func toSpecialByte() {
        while offset &+ 8 <= room, offset < upper {
            let word = unsafe UInt64(
                littleEndian: UnsafeRawPointer(bytes + offset).loadUnaligned(as: UInt64.self))
            let isControl = (word &- Word.filled(0x20)) & ~word & Word.filled(0x80)
            let found =
                isControl | Word.firstMatch(word, Word.filled(ASCII.quote))
                | Word.firstMatch(word, Word.filled(ASCII.backslash))
            guard found == 0 else {
                offset = min(offset &+ found.trailingZeroBitCount &>> 3, upper)
                return
            }
            offset &+= 8
        }
        while offset < upper {
            let byte = unsafe bytes[offset]
            if byte < 0x20 || byte == ASCII.quote || byte == ASCII.backslash { return }
            offset &+= 1
        }
        offset = min(offset, upper)
    }

    @inline(never)
    private mutating func skipEscape() -> Void? {
        guard offset &+ 1 < upper else {
            offset = upper
            return fail(.incomplete)
        }
        switch unsafe bytes[offset &+ 1] {
        case ASCII.quote, ASCII.backslash, UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset &+= 2
        case UInt8(ascii: "u"):
            guard offset &+ 6 <= upper else {
                offset = upper
                return fail(.incomplete)
            }
            for digit in 2..<6 where unsafe ASCII.hexValue(bytes[offset &+ digit]) == nil {
                return fail(.badEscape)
            }
            offset &+= 6
        default: return fail(.badEscape)
        }
        return ()
    }

    /// Skips a number or one of the words `true`, `false` and `null`.
    @inline(__always)
    private mutating func skipScalar(_ first: UInt8) -> Void? {
        if first == ASCII.minus || ASCII.isDigit(first) { return skipNumber() }
        switch first {
        case UInt8(ascii: "t"): return skipWord("true")
        case UInt8(ascii: "f"): return skipWord("false")
        case UInt8(ascii: "n"): return skipWord("null")
        default: return fail(.expectedValue)
        }
    }

    private mutating func skipWord(_ word: StaticString) -> Void? {
        let count = word.utf8CodeUnitCount
        for index in 0..<count {
            guard offset &+ index < upper else {
                offset = upper
                return fail(.incomplete)
            }
            guard unsafe bytes[offset &+ index] == word.utf8Start[index] else {
                return fail(.expectedValue)
            }
        }
        offset &+= count
        return ()
    }

    /// Skips a number: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?` (RFC 8259 §6).
    @inline(__always)
    private mutating func skipNumber() -> Void? {
        if next == ASCII.minus { offset &+= 1 }
        if next == ASCII.zero {
            offset &+= 1
        } else {
            guard skipDigits() else { return fail(.badNumber) }
        }
        if next == ASCII.dot {
            offset &+= 1
            guard skipDigits() else { return fail(.badNumber) }
        }
        if next | 0x20 == UInt8(ascii: "e") {
            offset &+= 1
            if next == ASCII.plus || next == ASCII.minus { offset &+= 1 }
            guard skipDigits() else { return fail(.badNumber) }
        }
        if ASCII.isDigit(next) { return fail(.badNumber) }
        return ()
    }

    /// Skips digits; returns false if there are none.
    @inline(__always)
    private mutating func skipDigits() -> Bool {
        let lower = offset
        while ASCII.isDigit(next) { offset &+= 1 }
        return offset > lower
    }

    /// Skips an object or array, including everything in it.
    @inline(never)
    private mutating func skipNested(_ outer: Int) -> Void? {
        var depth = 0
        /// One bit for each open object (1) or array (0). The lowest bit is for the innermost one.
        var objects: UInt128 = 0
        while true {
            let first = next
            if first == ASCII.openBrace || first == ASCII.openBracket {
                guard outer &+ depth < JSONSyntax.depthMax else { return fail(.tooDeep) }
                let isObject = first == ASCII.openBrace
                depth &+= 1
                objects = objects &<< 1 | (isObject ? 1 : 0)
                skip()
                skipSpace()
                if next != (isObject ? ASCII.closeBrace : ASCII.closeBracket) {
                    if isObject, key() == nil { return nil }
                    continue
                }
            } else if first == ASCII.quote {
                guard string() != nil else { return nil }
            } else {
                guard skipScalar(first) != nil else { return nil }
            }
            // A value has ended, or the object or array is empty.
            while true {
                guard depth > 0 else { return () }
                skipSpace()
                let isObject = objects & 1 == 1
                if next == ASCII.comma {
                    skip()
                    skipSpace()
                    if isObject, key() == nil { return nil }
                    break
                }
                guard next == (isObject ? ASCII.closeBrace : ASCII.closeBracket) else {
                    return fail(.expectedCommaOrEnd)
                }
                skip()
                depth &-= 1
                objects = objects &>> 1
            }
        }
    }
}
