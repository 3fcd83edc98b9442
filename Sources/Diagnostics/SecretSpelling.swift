/// A secret and the ways in which its characters may be written.
///
/// - Each byte may be written literally or in a form that ``EscapeReader`` reads.
/// - Control characters between the bytes do not matter, such as the zero bytes in UTF-16, and
///   neither do other characters that take no room (``InvisibleText``).
/// - A secret of at least 8 bytes is also recognised in a different letter case, across line
///   breaks, and in part: at least its first 6 bytes at the end of the text or a line, or at least
///   its last 6 bytes at the start of the text, or 12 if they are letters, and any part of 8 bytes.
///   Its special characters may be written in any way (``LooseCharacters``).
/// - A secret of fewer than 4 bytes is recognised only as a whole word.
struct SecretSpelling: Sendable {
    /// Minimum length of a secret that is recognised inside a word, in bytes.
    static let embeddedBytesMin = 4
    /// Minimum length of a secret that is recognised in encoded data, in bytes.
    static let encodedBytesMin = 6
    /// Minimum length of a part of a secret that is recognised, in bytes. A part that consists of
    /// letters may be an ordinary word, so it must be longer.
    private static let (partBytesMin, wordBytesMin) = (6, 12)
    static let foldedBytesMin = 8
    /// Maximum number of readings of a text to follow at the same time.
    private static let readingsMax = 8
    /// Maximum number of characters to skip between two bytes of a secret: `=`, CR, LF and a space.
    private static let skippedMax = 4
    private static let separators = Set(" \t,;:|=\"'`{}[]<>()\r\n\0".utf8)
    private static let closingMax = 256
    /// Maximum length of a secret of which parts are recognised, in bytes.
    private static let partedBytesMax = 512
    private static let backslash = UInt8(ascii: "\\")

    let secret: [UInt8]
    /// The secret with each run of backslashes reduced to one, because escaping doubles them.
    let letters: [UInt8]
    private let loose: LooseCharacters
    /// The bytes that occur in the secret; none if the secret is not found in lists.
    let occurring: SecretBytes
    /// True if the secret consists of digits.
    let isNumber: Bool
    private let isVariant: Bool

    /// Creates a spelling.
    ///
    /// - Parameter isVariant: True if only special characters differ from those of another secret.
    ///   Lists and parts are not searched for it, because special characters do not matter there.
    init(_ secret: [UInt8], isVariant: Bool = false) {
        self.secret = secret
        var letters: [UInt8] = []
        for byte in secret where byte != Self.backslash || letters.last != Self.backslash {
            letters.append(byte)
        }
        self.letters = letters
        let isFolded = secret.count >= Self.foldedBytesMin
        loose = LooseCharacters(letters, isFolded: isFolded)
        var occurring = SecretBytes()
        if secret.count >= Self.encodedBytesMin, !isVariant {
            for letter in letters { occurring.insert(letter, isFolded: isFolded) }
        }
        self.occurring = occurring
        self.isVariant = isVariant
        isNumber = secret.allSatisfy(ASCIIText.isDigit)
    }

    var isWord: Bool { secret.count < Self.embeddedBytesMin }
    var isFolded: Bool { secret.count >= Self.foldedBytesMin }
    var isEncoded: Bool { secret.count >= Self.encodedBytesMin }

    /// Returns the literal spellings of one of the secret's bytes; none if the secret is too short.
    func bytes(at index: Int) -> [UInt8] {
        guard index < letters.count else { return [] }
        let letter = letters[index]
        return isFolded && ASCIIText.isLetter(letter) ? [letter, letter ^ 0x20] : [letter]
    }

    /// Number of bytes, with each run of backslashes counted once.
    var letterCount: Int { letters.count }

    /// Returns true if this byte of the secret is neither a letter nor a digit in ASCII.
    func isSpecial(_ letter: Int) -> Bool { LooseCharacters.isLoose(letters[letter]) }

    /// True if anything may follow the secret's first byte.
    var isLooseAtStart: Bool { loose.isAtStart }

    /// Numbers of leading bytes that a secret at the start of a text may lack and still be long
    /// enough to be recognised.
    var tails: Range<Int> {
        guard isFolded else { return 0..<0 }
        let last = (1..<letters.count).last { isLongEnough($0..<letters.count) }
        return 1..<(last ?? 0) + 1
    }

    /// True if parts of the secret inside a line, or in lists, are recognised. Finding parts of a very
    /// long secret, such as a certificate, would take too long.
    var hasParts: Bool {
        isFolded && !isNumber && !isVariant && letters.count <= Self.partedBytesMax
    }

    /// Returns true if a part of the secret is recognised.
    func isLongEnough(_ part: Range<Int>) -> Bool {
        part.count >= Self.wordBytesMin
            || part.count >= Self.partBytesMin
                && !letters[part].allSatisfy(ASCIIText.isLetter)
    }

    /// Returns the longest part of the secret at an offset of a text.
    func longestPart(
        in reader: inout EscapeReader, at offset: Int
    ) -> (part: Range<Int>, end: Int) {
        var longest = (part: 0..<0, end: offset)
        let characters = reader.characters(at: offset)
        for first in letters.indices.dropLast(Self.partBytesMin - 1)
        where begins(with: characters, at: first) {
            let found = spelledEnd(in: &reader, from: offset, letter: first)
            if found.letter - first > longest.part.count {
                longest = (first..<found.letter, found.offset)
            }
        }
        return longest
    }

    /// Returns true if the part is not one of the words of the secret, which may occur in other text,
    /// for example as a user name.
    func isDivided(by part: Range<Int>) -> Bool {
        let space = UInt8(ascii: " ")
        func isInsideWord(_ index: Int) -> Bool {
            index > 0 && index < letters.count && !isSpecial(index - 1) && !isSpecial(index)
        }
        return isInsideWord(part.lowerBound) || isInsideWord(part.upperBound)
            || letters[part].drop { $0 == space }.reversed().drop { $0 == space }
                .contains(where: LooseCharacters.isLoose)
    }

    /// Returns the range if the secret is a whole word at the offset; otherwise nil.
    func wordRange(in bytes: [UInt8], at offset: Int) -> Range<Int>? {
        func isBoundary(_ offset: Int) -> Bool {
            !bytes.indices.contains(offset) || Self.separators.contains(bytes[offset])
        }
        guard isBoundary(offset - 1), bytes[offset...].starts(with: secret),
            isBoundary(offset + secret.count)
        else { return nil }
        return offset..<offset + secret.count
    }

    /// A reading of the text so far: the index of the secret's next byte, and the offset in the
    /// text where it is expected.
    private struct Reading: Equatable {
        var letter = 0
        var offset = 0
        /// Number of characters skipped right before the offset.
        var skipped = 0
    }

    /// Returns the end of the longest spelling of the secret that begins at the offset; nil if
    /// there is none.
    ///
    /// - Parameter first: The first byte of the secret to look for.
    func end(in reader: inout EscapeReader, at start: Int, from first: Int = 0) -> Int? {
        var begin = Reading(letter: first, offset: start)
        while begin.letter < letters.count, begin.offset < reader.bytes.count {
            let byte = reader.bytes[begin.offset]
            guard isLetter(begin.letter, byte), !EscapeReader.isSpecial(byte) else { break }
            begin.letter += 1
            begin.offset += 1
        }
        if begin.letter == letters.count { return begin.offset }
        var found: (end: Int, isWhole: Bool)?
        if canContinue(begin, first, reader.bytes) {
            found = end(in: &reader, after: begin, first)
            if let found, found.isWhole { return found.end }
        }
        guard first == 0 else { return nil }
        return interruptedEnd(in: &reader, from: begin.offset, after: begin.letter)
            ?? loose.end(in: reader.bytes, from: start) ?? found?.end
    }

    /// Returns false if the text certainly does not continue with the secret.
    private func canContinue(_ reading: Reading, _ first: Int, _ bytes: [UInt8]) -> Bool {
        guard reading.offset < bytes.count else { return reading.letter > first }
        let byte = bytes[reading.offset]
        if EscapeReader.isSpecial(byte) { return true }
        return reading.letter > first
            && (ASCIIText.isInvisible(byte) || ASCIIText.isLineEnd(byte)
                || InvisibleText.canStart(byte))
            || isCut(reading, first, bytes)
    }

    /// Returns true if the text or a line ends after enough bytes of the secret, except for
    /// punctuation such as quotes and the lines of a table, or if an ellipsis follows.
    private func isCut(_ reading: Reading, _ first: Int, _ bytes: [UInt8]) -> Bool {
        guard isFolded, first == 0, isLongEnough(0..<reading.letter) else { return false }
        let rest = bytes[reading.offset...]
        if Self.ellipses.contains(where: rest.starts) { return true }
        let closing = rest.prefix(Self.closingMax).prefix(while: Self.closing.contains)
        return closing.endIndex == bytes.count || ASCIIText.isLineEnd(bytes[closing.endIndex])
    }

    private static let ellipses = ["...", "…"].map { Array($0.utf8) }
    /// Bytes that may follow a part of a secret at the end of a line.
    /// At most ``closingMax`` of them count, so that a long run of them is not read again and again.
    private static let closing = Set(" \"'`)]}>.,;|│=\\".utf8)

    /// Returns the end of the longest spelling, following all readings of the text at the same
    /// time, and whether it is that of the whole secret.
    private func end(
        in reader: inout EscapeReader, after begin: Reading, _ first: Int
    ) -> (end: Int, isWhole: Bool)? {
        var current = InlineArray<8, Reading>(repeating: begin)
        var count = 1
        var end: Int?
        var cut: Int?
        while count > 0 {
            var next = InlineArray<8, Reading>(repeating: begin)
            var nextCount = 0
            func add(_ reading: Reading) {
                for index in 0..<nextCount where next[index] == reading { return }
                guard nextCount < Self.readingsMax else { return }
                next[nextCount] = reading
                nextCount += 1
            }
            for index in 0..<count {
                let reading = current[index]
                if reading.letter == letters.count {
                    end = max(end ?? 0, reading.offset)
                    continue
                }
                if isCut(reading, first, reader.bytes) { cut = max(cut ?? 0, reading.offset) }
                if reading.offset >= reader.bytes.count { continue }
                let characters = reader.characters(at: reading.offset)
                for index in 0..<characters.count {
                    let length = length(of: characters[index], at: reading.letter)
                    guard length > 0 else { continue }
                    add(
                        Reading(
                            letter: reading.letter + length, offset: characters[index].end))
                }
                if reading.letter > first, reading.skipped < Self.skippedMax,
                    let offset = skip(characters, reader.bytes, reading)
                {
                    add(
                        Reading(
                            letter: reading.letter, offset: offset,
                            skipped: reading.skipped + 1))
                }
            }
            (current, count) = (next, nextCount)
        }
        return end.map { ($0, true) } ?? cut.map { ($0, false) }
    }

    /// Returns true if any of the characters can begin the secret, or the part of it at a position.
    func begins(with characters: SpelledCharacters, at letter: Int = 0) -> Bool {
        for index in 0..<characters.count where length(of: characters[index], at: letter) > 0 {
            return true
        }
        return false
    }

    /// Returns the number of the secret's bytes that the character encodes.
    func length(of character: SpelledCharacter, at letter: Int) -> Int {
        if let byte = character.byte { return isLetter(letter, byte) ? 1 : 0 }
        guard let scalar = Unicode.Scalar(character.value), let utf8 = UTF8.encode(scalar),
            letters[letter...].starts(with: utf8)
        else { return 0 }
        return utf8.count
    }

    /// Returns true if the byte equals this byte of the secret, ignoring case.
    @inline(__always)
    func isLetter(_ letter: Int, _ byte: UInt8) -> Bool {
        let expected = letters[letter]
        return byte == expected
            || isFolded && ASCIIText.isLetter(expected) && byte ^ 0x20 == expected
    }

    /// Returns the offset after an invisible character or a part of a line break, including the
    /// mark before it and the indentation after it; nil if there is none.
    private func skip(
        _ characters: SpelledCharacters, _ bytes: [UInt8], _ reading: Reading
    ) -> Int? {
        let offset = reading.offset
        for index in 0..<characters.count {
            let character = characters[index]
            if let byte = character.byte, ASCIIText.isInvisible(byte) {
                let end = character.end
                // Bold text in the output of nroff: a backspace and the same character again.
                let isBold =
                    byte == 0x08 && end < bytes.count && isLetter(reading.letter - 1, bytes[end])
                return isBold ? end + 1 : end
            }
            if character.isScalar, InvisibleText.contains(character.value) { return character.end }
            if isFolded && character.isLineEnd { return character.end }
        }
        switch bytes[offset] {
        case UInt8(ascii: "="), Self.backslash:
            let isMark = offset + 1 < bytes.count && ASCIIText.isLineEnd(bytes[offset + 1])
            return isFolded && isMark ? offset + 1 : nil
        case 0x20, 0x09:
            return reading.skipped > 0 && ASCIIText.isLineEnd(bytes[offset - 1])
                ? offset + 1 : nil
        default: return InvisibleText.end(in: bytes, at: offset)
        }
    }
}
