/// The digits of base64, base32 or binary numbers.
struct DigitAlphabet: Sendable {
    static let base64 = DigitAlphabet(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", bits: 6,
        aliases: ["-": 62, "_": 63])
    static let base32 = DigitAlphabet(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", bits: 5,
        aliases: Dictionary(uniqueKeysWithValues: zip("abcdefghijklmnopqrstuvwxyz", 0...)))
    static let binary = DigitAlphabet("01", bits: 1, aliases: [:])
    private static let none: UInt8 = 255
    private static let mark: UInt8 = 254

    /// The value of each byte as a digit; `mark` if it can only continue a run of digits, as a line
    /// break or an escaped digit; otherwise `none`.
    private let values: [UInt8]
    /// Bits per digit.
    let bits: Int
    /// Number of digits after which a digit starts at a byte boundary again.
    let groupCount: Int
    /// Number of digits of the shortest secret that is recognised.
    let digitsMin: Int

    private init(_ digits: String, bits: Int, aliases: [Character: UInt8]) {
        var values = (0...UInt8.max).map { byte in
            EscapeReader.isSpecial(byte) || ASCIIText.isLineEnd(byte) ? Self.mark : Self.none
        }
        for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
        for (alias, value) in aliases {
            if let byte = alias.asciiValue { values[Int(byte)] = value }
        }
        self.values = values
        self.bits = bits
        groupCount = bits == 6 ? 4 : 8
        digitsMin = (SecretSpelling.encodedBytesMin * 8 + bits - 1) / bits
    }

    @inline(__always)
    subscript(byte: UInt8) -> UInt8? {
        let value = values[Int(byte)]
        return value < Self.mark ? value : nil
    }

    /// Returns the offset of the next byte that can be in a run of digits; the length of the text
    /// if there is none.
    func next(in bytes: [UInt8], from start: Int) -> Int {
        var offset = start
        while offset < bytes.count, values[Int(bytes[offset])] == Self.none { offset += 1 }
        return offset
    }
}

/// Digits in a text, which may be divided into lines.
private struct DigitRun {
    /// A line of digits.
    struct Line {
        /// Index of the line's first digit.
        var first: Int
        /// Range in the text.
        var range: Range<Int>
    }

    var digits: [UInt8] = []
    var lines: [Line] = []
    var end = 0

    mutating func begin(at offset: Int) {
        digits.removeAll(keepingCapacity: true)
        lines.removeAll(keepingCapacity: true)
        end = offset
    }

    /// Number of digits in the last line.
    var lineCount: Int { digits.count - (lines.last?.first ?? 0) }

    mutating func add(_ digit: UInt8, _ range: Range<Int>, isNewLine: Bool) {
        beginLine(at: range.lowerBound, isNewLine)
        digits.append(digit)
        extendLine(to: range.upperBound)
    }

    /// Adds the literal digits at an offset, and returns false if there are none.
    mutating func addDigits(
        _ alphabet: DigitAlphabet, _ bytes: [UInt8], at start: Int, isNewLine: Bool
    ) -> Bool {
        guard alphabet[bytes[start]] != nil else { return false }
        beginLine(at: start, isNewLine)
        var offset = start
        while offset < bytes.count, let digit = alphabet[bytes[offset]] {
            digits.append(digit)
            offset += 1
        }
        extendLine(to: offset)
        return true
    }

    private mutating func beginLine(at offset: Int, _ isNewLine: Bool) {
        if isNewLine || lines.isEmpty {
            lines.append(Line(first: digits.count, range: offset..<offset))
        }
    }

    mutating func extendLine(to offset: Int) {
        let lower = lines[lines.count - 1].range.lowerBound
        lines[lines.count - 1].range = lower..<offset
        end = offset
    }
}

extension SecretScanner {
    /// Minimum number of digits in a line that is continued in the next line.
    private static let lineDigitsMin = 4
    /// Numbers of digits in a group, of which all have the same length.
    private static let groupDigits = 4...16
    /// Minimum number of digits in all groups.
    private static let groupedDigitsMin = 12
    /// Maximum indentation of a continued line, in bytes.
    private static let indentationMax = 16
    /// Spaces, and marks of quotations and comments.
    private static let indentation = Set(" \t>#*|;".utf8)

    /// Adds the ranges of base64 or base32 text that contains secrets. The whole text is masked,
    /// except for lines without a part of a secret, because the digits around a secret also encode
    /// bits of it.
    mutating func addDigits(
        _ alphabet: DigitAlphabet, _ reader: inout EscapeReader, _ depth: Int,
        to found: inout [Range<Int>]
    ) {
        var run = DigitRun()
        var decoded: [UInt8] = []
        let bytes = reader.bytes
        var offset = alphabet.next(in: bytes, from: 0)
        while offset < bytes.count {
            defer { offset = alphabet.next(in: bytes, from: offset) }
            var end = offset
            while end < bytes.count, alphabet[bytes[end]] != nil { end += 1 }
            let next = end < bytes.count ? bytes[end] : 0
            let isContinued =
                EscapeReader.isSpecial(next)
                || ASCIIText.isLineEnd(next) && end - offset >= Self.lineDigitsMin
                || Self.isGrouped(alphabet, bytes, offset..<end)
            guard end - offset >= alphabet.digitsMin || isContinued && end < bytes.count else {
                offset = max(end, offset + 1)
                continue
            }
            read(&run, alphabet, &reader, at: offset)
            if run.digits.count >= alphabet.digitsMin {
                for shift in 0..<alphabet.groupCount {
                    Self.decode(run.digits[shift...], alphabet.bits, to: &decoded)
                    for range in ranges(in: decoded, depth: depth + 1) {
                        let first = shift + range.lowerBound * 8 / alphabet.bits
                        let last = shift + (range.upperBound * 8 - 1) / alphabet.bits
                        Self.add(run, first, last, to: &found)
                    }
                }
            }
            offset = max(run.end, offset + 1)
        }
    }

    static func decode(
        _ digits: ArraySlice<UInt8>, _ bitsPerDigit: Int, to decoded: inout [UInt8]
    ) {
        decoded.removeAll(keepingCapacity: true)
        var bits: UInt32 = 0
        var count = 0
        for digit in digits {
            bits = bits << UInt32(bitsPerDigit) | UInt32(digit)
            count += bitsPerDigit
            if count >= 8 {
                count -= 8
                decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
    }

    /// Adds the lines that contain the digits from `first` to `last`.
    private static func add(
        _ run: DigitRun, _ first: Int, _ last: Int, to found: inout [Range<Int>]
    ) {
        for (index, line) in run.lines.enumerated() {
            let end = index + 1 < run.lines.count ? run.lines[index + 1].first : run.digits.count
            if line.first <= last, end > first { found.append(line.range) }
        }
    }

    /// Reads digits, some of which may be escaped, with line breaks between them.
    private mutating func read(
        _ run: inout DigitRun, _ alphabet: DigitAlphabet, _ reader: inout EscapeReader,
        at start: Int
    ) {
        let bytes = reader.bytes
        run.begin(at: start)
        var isNewLine = false
        var offset = start
        while offset < bytes.count {
            if run.addDigits(alphabet, bytes, at: offset, isNewLine: isNewLine) {
                // All literal digits are added.
            } else if let (digit, end) = escapedDigit(alphabet, &reader, offset) {
                run.add(digit, offset..<end, isNewLine: isNewLine)
            } else if !isNewLine, run.lineCount >= Self.lineDigitsMin,
                let next = Self.nextLine(&reader, offset)
            {
                // The `=` before a line break is padding, or marks a soft line break.
                if bytes[offset] == 0x3D { run.extendLine(to: offset + 1) }
                isNewLine = true
                offset = next
                continue
            } else if !isNewLine, let line = run.lines.last,
                let next = Self.nextGroup(alphabet, bytes, after: line.range)
            {
                isNewLine = true
                offset = next
                continue
            } else {
                break
            }
            isNewLine = false
            offset = run.end
        }
        // The padding belongs to the last line.
        if !run.lines.isEmpty, !isNewLine {
            var end = run.end
            while end < bytes.count, end < run.end + alphabet.groupCount, bytes[end] == 0x3D {
                end += 1
            }
            run.extendLine(to: end)
        }
    }

    /// Returns true if enough groups of digits with the same length follow each other. Two short words
    /// of an ordinary text often have the same length.
    private static func isGrouped(
        _ alphabet: DigitAlphabet, _ bytes: [UInt8], _ first: Range<Int>
    ) -> Bool {
        guard let second = nextGroup(alphabet, bytes, after: first) else { return false }
        return 2 * first.count >= groupedDigitsMin
            || nextGroup(alphabet, bytes, after: second..<second + first.count) != nil
    }

    /// Returns the offset of the next group of digits if it has as many as the last one; otherwise nil.
    private static func nextGroup(
        _ alphabet: DigitAlphabet, _ bytes: [UInt8], after group: Range<Int>
    ) -> Int? {
        guard groupDigits.contains(group.count) else { return nil }
        let offset = afterSeparators(bytes, group.upperBound)
        guard offset > group.upperBound,
            !bytes[group.upperBound..<offset].contains(where: ASCIIText.isLineEnd)
        else { return nil }
        let next = bytes[offset...].prefix(group.count + 1).prefix {
            alphabet[$0] != nil || $0 == UInt8(ascii: "=")
        }
        return next.count == group.count ? offset : nil
    }

    private func escapedDigit(
        _ alphabet: DigitAlphabet, _ reader: inout EscapeReader, _ offset: Int
    ) -> (UInt8, Int)? {
        guard reader.bytes[offset] != 0x3D, EscapeReader.isSpecial(reader.bytes[offset]) else {
            return nil
        }
        let characters = reader.characters(at: offset)
        var found: (UInt8, Int)?
        for index in 1..<max(characters.count, 1) {
            let character = characters[index]
            if character.isLineEnd { return nil }
            guard let byte = character.byte, let digit = alphabet[byte] else { continue }
            // A letter after a backslash is not an escaped digit.
            if character.end == offset + 2, ASCIIText.isLetter(byte) { continue }
            found = (digit, character.end)
        }
        return found
    }

    /// Returns the offset of the next line if a line ends at the offset; otherwise nil.
    private static func nextLine(_ reader: inout EscapeReader, _ start: Int) -> Int? {
        let bytes = reader.bytes
        var offset = start
        if bytes[offset] == 0x3D { offset += 1 }
        var isLineEnd = false
        for _ in 0..<2 where offset < bytes.count {
            let characters = reader.characters(at: offset)
            for index in 0..<characters.count where characters[index].isLineEnd {
                isLineEnd = true
                offset = characters[index].end
                break
            }
        }
        guard isLineEnd else { return nil }
        let limit = min(bytes.count, offset + indentationMax)
        while offset < limit, indentation.contains(bytes[offset]) { offset += 1 }
        return offset
    }
}
