/// A word of letters and digits, or a punctuation mark by itself, which may be a part of a secret that
/// is written as a list.
struct ListItem {
    /// A value of an item: a character, or a number that consists of one or more bytes.
    struct Reading {
        var value: UInt64
        /// The notations in which the item has this value.
        var notations: Notations

        /// Number of bytes that the value takes: 1, 2, 4 or 8.
        var count: Int { value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFF_FFFF ? 4 : 8 }

        /// The bytes of the character outside ASCII with this number; nil if there is none.
        var utf8: UTF8.EncodedScalar? {
            guard value >= 0x80, let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init)
            else { return nil }
            return UTF8.encode(scalar)
        }

        /// Returns a byte, counted from the most significant one or from the least significant one.
        func byte(_ index: Int, isReversed: Bool) -> UInt8 {
            let shift = 8 * (isReversed ? index : count - 1 - index)
            return UInt8(truncatingIfNeeded: value >> UInt64(shift))
        }
    }

    /// Notations of a value. All numbers in a list have the same one.
    struct Notations: OptionSet {
        let rawValue: UInt8

        /// A character as it is. There may also be such characters in a list of numbers.
        static let character: Notations = [.decimal, .hexadecimal, .octal, .binary]
        static let decimal = Notations(rawValue: 1)
        static let hexadecimal = Notations(rawValue: 2)
        static let octal = Notations(rawValue: 4)
        static let binary = Notations(rawValue: 8)
    }

    /// Maximum length of an item, in bytes: that of a binary number of 8 bytes with a prefix.
    private static let bytesMax = 66
    /// Maximum number of letters after a number, such as `u8` or `h`.
    private static let suffixMax = 2
    private static let readingsMax = 6

    private(set) var range = 0..<0
    /// Range of the whole word, of which a number may be only the end.
    private(set) var word = 0..<0
    private var readings = InlineArray<6, Reading>(repeating: Reading(value: 0, notations: []))
    /// Number of values that the item may have; 0 for a word that is neither a character nor a number.
    private(set) var count = 0
    /// True if the item is a single character outside ASCII.
    private(set) var isScalar = false
    /// The bytes that the item may represent, or begin with.
    private(set) var bytes = SecretBytes()

    /// Reads the next item; returns false if there is none.
    mutating func next(in bytes: [UInt8]) -> Bool {
        var offset = range.upperBound
        count = 0
        isScalar = false
        self.bytes = SecretBytes()
        while offset < bytes.count {
            offset = Self.afterColour(bytes, offset)
            guard offset < bytes.count else { return false }
            let first = offset
            if !Self.isWord(bytes[offset]) {
                offset += 1
                guard Self.isAlone(bytes, first) else { continue }
                range = first..<offset
                word = range
                add(UInt64(bytes[first]), .character)
                return true
            }
            // Offset of the first digit, and of the first other byte than a hexadecimal digit.
            var (digit, other) = (-1, -1)
            while offset < bytes.count, Self.isWord(bytes[offset]) {
                if ASCIIText.isDigit(bytes[offset]) {
                    if digit < 0 { digit = offset }
                } else if other < 0, ASCIIText.digit(bytes[offset]) == nil {
                    other = offset
                }
                offset += 1
            }
            guard offset - first <= Self.bytesMax else { continue }
            range = first..<offset
            word = range
            self.bytes.insert(bytes[first])
            if bytes[first] >= 0x80 {
                isScalar = bytes[range.dropFirst()].allSatisfy { $0 & 0xC0 == 0x80 }
                return true
            }
            // `[aA]` is any case of a character in a regular expression.
            let isPair = range.count == 2 && digit < 0 && bytes[first] ^ 0x20 == bytes[first + 1]
            if range.count == 1 || isPair { add(UInt64(bytes[first]), .character) }
            if digit >= 0 || other < 0 || other == first && Self.isPrefix(bytes[first]) {
                addNumbers(bytes)
            }
            if count == 0, digit > first {
                // Digits after letters.
                range = digit..<offset
                addNumbers(bytes)
            }
            if count > 0 { addScientific(bytes) } else { range = word }
            return true
        }
        return false
    }

    /// Returns the offset after a colour code of IRC or of a terminal, which a letter may follow
    /// directly.
    static func afterColour(_ bytes: [UInt8], _ start: Int) -> Int {
        func afterNumber(_ offset: Int) -> Int {
            offset + bytes[offset...].prefix(2).prefix(while: ASCIIText.isDigit).count
        }
        switch bytes[start] {
        case 0x03:
            let end = afterNumber(start + 1)
            guard end > start + 1, end < bytes.count, bytes[end] == UInt8(ascii: ",") else {
                return end
            }
            let second = afterNumber(end + 1)
            return second > end + 1 ? second : end
        case UInt8(ascii: "["):
            let numbers = bytes[(start + 1)...].prefix(bytesMax).prefix {
                ASCIIText.isDigit($0) || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":")
            }
            let end = numbers.endIndex
            let isColour = !numbers.isEmpty && end < bytes.count && bytes[end] == UInt8(ascii: "m")
            return isColour ? end + 1 : start
        default:
            return start
        }
    }

    subscript(index: Int) -> Reading { readings[index] }

    private mutating func add(_ value: UInt64, _ notations: Notations) {
        for index in 0..<count where readings[index].value == value {
            readings[index].notations.formUnion(notations)
            return
        }
        guard count < Self.readingsMax else { return }
        let reading = Reading(value: value, notations: notations)
        readings[count] = reading
        count += 1
        for position in 0..<reading.count {
            bytes.insert(reading.byte(position, isReversed: false))
        }
        if let first = reading.utf8?.first { bytes.insert(first) }
    }

    /// Adds the values of the word as a number in decimal, hexadecimal, octal or binary. There may be
    /// a prefix such as `0x` or `U`, and a suffix such as `h` or `u8`.
    private mutating func addNumbers(_ bytes: [UInt8]) {
        var start = range.lowerBound
        var radix: UInt64?
        if range.count > 2, bytes[start] == UInt8(ascii: "0") {
            switch bytes[start + 1] | 0x20 {
            case UInt8(ascii: "x"): radix = 16
            case UInt8(ascii: "o"): radix = 8
            case UInt8(ascii: "b"): radix = 2
            default: break
            }
            if radix != nil { start += 2 }
        } else if range.count > 1, Self.isPrefix(bytes[start]) {
            radix = 16
            start += 1
        }
        var values = InlineArray<4, UInt64>(repeating: 0)
        var ends = InlineArray<4, Int>(repeating: start)
        var hasDigit = false
        var offset = start
        while offset < range.upperBound, let digit = ASCIIText.digit(bytes[offset]) {
            for base in 0..<4 where digit < Self.bases[base] && ends[base] == offset {
                let (times, hasLeft) = values[base].multipliedReportingOverflow(
                    by: Self.bases[base])
                let (value, isOver) = times.addingReportingOverflow(UInt64(digit))
                guard !hasLeft, !isOver else { continue }
                values[base] = value
                ends[base] = offset + 1
            }
            hasDigit = hasDigit || digit < 10
            offset += 1
        }
        // Many words start with letters that are hexadecimal digits.
        let suffixMax = hasDigit ? Self.suffixMax : 0
        // A negative number is a signed byte, as in Java.
        let isNegative = start > 0 && bytes[start - 1] == UInt8(ascii: "-")
        for base in 0..<4 where radix == nil || radix == Self.bases[base] {
            guard ends[base] > start, range.upperBound - ends[base] <= suffixMax else { continue }
            let notation = Notations(rawValue: 1 << UInt8(base))
            add(values[base], notation)
            if isNegative, (1...128).contains(values[base]) { add(256 - values[base], notation) }
        }
    }

    /// Adds the value of a number such as `1.150000e+02`, which begins with the word.
    private mutating func addScientific(_ bytes: [UInt8]) {
        guard bytes[range].allSatisfy(ASCIIText.isDigit), range.upperBound + 1 < bytes.count,
            bytes[range.upperBound] == UInt8(ascii: ".")
        else { return }
        let limit = min(bytes.count, range.upperBound + Self.bytesMax)
        let fraction = bytes[range.upperBound + 1..<limit].prefix(while: ASCIIText.isDigit)
        var offset = fraction.endIndex
        guard offset + 1 < limit, bytes[offset] | 0x20 == UInt8(ascii: "e") else { return }
        offset += bytes[offset + 1] == UInt8(ascii: "+") ? 2 : 1
        let exponent = bytes[offset..<limit].prefix(while: ASCIIText.isDigit)
        guard let shift = Int(String(decoding: exponent, as: UTF8.self)), shift <= 3 else {
            return
        }
        let whole = fraction.prefix(shift)
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: shift - whole.count)
        guard fraction.dropFirst(shift).allSatisfy({ $0 == UInt8(ascii: "0") }),
            let value = UInt64(String(decoding: bytes[range] + whole + zeros, as: UTF8.self))
        else { return }
        range = range.lowerBound..<exponent.endIndex
        count = 0
        add(value, .decimal)
    }

    private static let bases: InlineArray<4, UInt64> = [10, 16, 8, 2]

    /// Returns true for letters and digits, and for all characters outside ASCII.
    static func isWord(_ byte: UInt8) -> Bool { ASCIIText.isWord(byte) || byte >= 0x80 }

    /// Returns true for a letter before a hexadecimal number, as in `x5A`, `U+005A` and `&H5A`.
    private static func isPrefix(_ byte: UInt8) -> Bool {
        switch byte | 0x20 {
        case UInt8(ascii: "h"), UInt8(ascii: "u"), UInt8(ascii: "x"): true
        default: false
        }
    }

    /// Returns true for a punctuation mark in quotes or brackets, or between spaces and commas.
    private static func isAlone(_ bytes: [UInt8], _ offset: Int) -> Bool {
        let byte = bytes[offset]
        guard byte > 0x20, byte < 0x7F else { return false }
        let space = UInt8(ascii: " ")
        let before = offset > 0 ? bytes[offset - 1] : space
        let after = offset + 1 < bytes.count ? bytes[offset + 1] : space
        switch (before, after) {
        case (UInt8(ascii: "'"), UInt8(ascii: "'")), (UInt8(ascii: "\""), UInt8(ascii: "\"")),
            (UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "<"), UInt8(ascii: ">")),
            (UInt8(ascii: ">"), UInt8(ascii: "<")):
            return true
        default:
            return (isSeparator(before) || before == UInt8(ascii: "=")) && isSeparator(after)
                && !isSeparator(byte)
        }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: ","), UInt8(ascii: "'"), UInt8(ascii: "\""),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"),
            UInt8(ascii: "("), UInt8(ascii: ")"):
            true
        default: false
        }
    }
}
