/// One possible reading of the text at an offset: a literal or encoded character, and the offset
/// after it.
struct SpelledCharacter: Equatable {
    /// A byte, or a Unicode scalar if `isScalar` is true.
    var value: UInt32
    /// True for a scalar that takes several bytes in UTF-8.
    var isScalar = false
    var end: Int
    /// Number of encodings applied to the character; 0 if it is literal.
    var level: UInt8 = 0

    var byte: UInt8? { isScalar ? nil : UInt8(truncatingIfNeeded: value) }
    var isLineEnd: Bool { value == 10 || value == 13 }
}

/// The possible readings of the text at one offset. The literal byte is the first one.
struct SpelledCharacters {
    /// Maximum number of characters. Any further ones are dropped.
    static let countMax = 8

    private var items: InlineArray<8, SpelledCharacter>
    private(set) var count = 1

    init(literal byte: UInt8, end: Int) {
        items = InlineArray(repeating: SpelledCharacter(value: UInt32(byte), end: end))
    }

    subscript(index: Int) -> SpelledCharacter { items[index] }

    /// Returns true if a character in ASCII or a byte satisfies the predicate.
    func contains(where predicate: (UInt8) -> Bool) -> Bool {
        for index in 0..<count {
            if let byte = items[index].byte, predicate(byte) { return true }
        }
        return false
    }

    mutating func add(_ character: SpelledCharacter) {
        guard count < Self.countMax else { return }
        for index in 0..<count
        where items[index].value == character.value && items[index].end == character.end {
            return
        }
        items[count] = character
        count += 1
    }
}

/// Reader of escape sequences, percent-encoding, quoted-printable and character references, which
/// may be encoded again.
///
/// Reading the characters at an offset takes a bounded number of steps for any text.
struct EscapeReader {
    /// Maximum number of nested encodings.
    static let levelsMax = 3
    /// Maximum number of backslashes before an escaped character. Each further encoding doubles
    /// them.
    static let backslashesMax = 32
    private static let nameBytesMax = 8

    let bytes: [UInt8]
    /// Number of sequences read so far, as a measure of the work.
    private(set) var steps = 0

    /// The characters read last at offsets with different remainders, since several spellings are
    /// looked for at the same offset. The key is the offset plus 1.
    private var recent = InlineArray<4, (key: Int, characters: SpelledCharacters)>(
        repeating: (0, SpelledCharacters(literal: 0, end: 0)))

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns true if the byte can start an encoded character.
    @inline(__always)
    static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x25, 0x26, 0x2B, 0x3D, 0x5C: true
        default: false
        }
    }

    /// Returns the possible readings of the text at the offset.
    mutating func characters(at offset: Int, levels: Int = levelsMax) -> SpelledCharacters {
        let byte = bytes[offset]
        var found = SpelledCharacters(literal: byte, end: offset + 1)
        guard levels > 0, Self.isSpecial(byte) else { return found }
        let slot = offset & 3
        if levels == Self.levelsMax, recent[slot].key == offset + 1 {
            return recent[slot].characters
        }
        var next = 0
        while next < found.count {
            if Int(found[next].level) < levels { read(found[next], levels - 1, &found) }
            next += 1
        }
        if levels == Self.levelsMax { recent[slot] = (offset + 1, found) }
        return found
    }

    /// Returns true if the offset is inside a run of backslashes, where nothing begins that does not
    /// also begin at the start of the run. Of a long run, only the last part is read as a whole.
    func isInsideBackslashes(_ offset: Int) -> Bool {
        let backslash = UInt8(ascii: "\\")
        guard offset > 0, bytes[offset] == backslash, bytes[offset - 1] == backslash else {
            return false
        }
        return afterBackslashes(offset + 1) - offset != Self.backslashesMax
    }

    /// Returns the offset after the backslashes at an offset, of which at most ``backslashesMax``
    /// count.
    private func afterBackslashes(_ start: Int) -> Int {
        bytes[start...].prefix(Self.backslashesMax).prefix { $0 == UInt8(ascii: "\\") }.endIndex
    }

    /// Adds the characters encoded by sequences that start with `first`.
    private mutating func read(
        _ first: SpelledCharacter, _ levels: Int, _ found: inout SpelledCharacters
    ) {
        guard let byte = first.byte else { return }
        steps += 1
        let level = first.level + 1
        switch byte {
        case UInt8(ascii: "%"):
            if let (value, end) = number(2, at: first.end, levels) {
                found.add(SpelledCharacter(value: value, end: end, level: level))
            } else if let unicode = character(at: first.end, levels), unicode.value | 0x20 == 0x75 {
                addScalar(number(4, at: unicode.end, levels), level, &found)
            }
        case UInt8(ascii: "="):
            if let (value, end) = number(2, at: first.end, levels) {
                found.add(SpelledCharacter(value: value, end: end, level: level))
            }
        case UInt8(ascii: "+"):
            found.add(SpelledCharacter(value: 0x20, end: first.end, level: level))
        case UInt8(ascii: "&"):
            readReference(at: first.end, level: level, levels: levels, into: &found)
        case UInt8(ascii: "\\"):
            readEscape(after: first, level: level, levels: levels, into: &found)
        default: break
        }
    }

    /// Returns the most deeply encoded character at the offset.
    private mutating func character(at offset: Int, _ levels: Int) -> SpelledCharacter? {
        guard offset < bytes.count else { return nil }
        let byte = bytes[offset]
        if levels == 0 || !Self.isSpecial(byte) {
            return SpelledCharacter(value: UInt32(byte), end: offset + 1)
        }
        let all = characters(at: offset, levels: levels)
        return all[all.count - 1]
    }

    private mutating func digit(
        at offset: Int, _ radix: UInt32, _ levels: Int
    ) -> (value: UInt32, end: Int)? {
        guard let character = character(at: offset, levels), let byte = character.byte,
            let value = ASCIIText.digit(byte), value < radix
        else { return nil }
        return (value, character.end)
    }

    /// Reads a number of `count` hexadecimal digits.
    private mutating func number(
        _ count: Int, at offset: Int, _ levels: Int
    ) -> (value: UInt32, end: Int)? {
        var result: (value: UInt32, end: Int) = (0, offset)
        for _ in 0..<count {
            guard let digit = digit(at: result.end, 16, levels) else { return nil }
            result = (result.value << 4 | digit.value, digit.end)
        }
        return result
    }

    /// Reads a number of one to `countMax` digits.
    private mutating func number(
        upTo countMax: Int, radix: UInt32, at offset: Int, _ levels: Int
    ) -> (value: UInt32, end: Int)? {
        var result: (value: UInt32, end: Int)?
        for _ in 0..<countMax {
            guard let digit = digit(at: result?.end ?? offset, radix, levels) else { break }
            result = ((result?.value ?? 0) * radix + digit.value, digit.end)
        }
        return result
    }

    private func addScalar(
        _ number: (value: UInt32, end: Int)?, _ level: UInt8, _ found: inout SpelledCharacters
    ) {
        guard let (value, end) = number else { return }
        found.add(
            SpelledCharacter(value: value, isScalar: value > 0x7F, end: end, level: level))
    }

    // MARK: Escape sequences

    /// Reads `\x41`, `\x{41}`, `\u0041`, `\u{41}`, `\U00000041`, `\101` (octal), `\065` (decimal),
    /// `\41` (hexadecimal), `\n`, `\"` and the like.
    /// Each further level of encoding doubles the backslash, so there may be any number of
    /// backslashes before the letter.
    private mutating func readEscape(
        after first: SpelledCharacter, level: UInt8, levels: Int,
        into found: inout SpelledCharacters
    ) {
        var start = first.end
        if first.level == 0 {
            start = afterBackslashes(start)
            steps += start - first.end
            let backslash = SpelledCharacter(value: first.value, end: start, level: level)
            if start > first.end { found.add(backslash) }
            if start - first.end == Self.backslashesMax { return }
        }
        guard let next = character(at: start, levels) else { return }
        // The escaped character can itself start a sequence, as in `\%41`.
        if next.level > 0 {
            found.add(SpelledCharacter(value: UInt32(bytes[start]), end: start + 1, level: level))
        }
        found.add(
            SpelledCharacter(
                value: next.value, isScalar: next.isScalar, end: next.end, level: level))
        guard let letter = next.byte else { return }
        switch letter {
        case UInt8(ascii: "x"), UInt8(ascii: "u"):
            let count = letter == UInt8(ascii: "x") ? 2 : 4
            if let brace = character(at: next.end, levels), brace.value == 0x7B {
                guard let digits = number(upTo: 8, radix: 16, at: brace.end, levels),
                    let close = character(at: digits.end, levels), close.value == 0x7D
                else { return }
                addScalar((digits.value, close.end), level, &found)
            } else if let digits = number(count, at: next.end, levels) {
                if count == 4 {
                    addScalar(withSurrogate(digits), level, &found)
                } else {
                    found.add(
                        SpelledCharacter(value: digits.value, end: digits.end, level: level))
                }
            }
        case UInt8(ascii: "U"): addScalar(number(8, at: next.end, levels), level, &found)
        default:
            if let value = Self.controls[letter] {
                found.add(SpelledCharacter(value: UInt32(value), end: next.end, level: level))
            }
            guard ASCIIText.digit(letter) != nil else { return }
            for digits in [
                number(upTo: 3, radix: 8, at: start, levels), number(2, at: start, levels),
                number(upTo: 3, radix: 10, at: start, levels),
            ] {
                guard let digits, digits.value < 256 else { continue }
                found.add(SpelledCharacter(value: digits.value, end: digits.end, level: level))
            }
        }
    }

    /// Joins a high surrogate with the low one in the escape sequence that follows.
    private mutating func withSurrogate(
        _ high: (value: UInt32, end: Int)
    ) -> (value: UInt32, end: Int) {
        guard (0xD800...0xDBFF).contains(high.value) else { return high }
        let start = afterBackslashes(high.end)
        guard start > high.end, start < bytes.count, bytes[start] == UInt8(ascii: "u"),
            let low = number(4, at: start + 1, 0), (0xDC00...0xDFFF).contains(low.value)
        else { return high }
        return (0x1_0000 + (high.value - 0xD800) << 10 + (low.value - 0xDC00), low.end)
    }

    /// Letters that encode another character after a backslash, in JSON, C, shells, IRC tags
    /// and TeamSpeak.
    private static let controls: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
        UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08, UInt8(ascii: "v"): 0x0B,
        UInt8(ascii: "f"): 0x0C, UInt8(ascii: "e"): 0x1B, UInt8(ascii: "s"): 0x20,
        UInt8(ascii: "p"): 0x7C, UInt8(ascii: ":"): 0x3B,
    ]

    // MARK: Character references

    /// Reads `&lt;`, `&#60;`, `&#x3C;` and the like after the ampersand. The semicolon may be
    /// missing after a number and after the four oldest names.
    private mutating func readReference(
        at start: Int, level: UInt8, levels: Int, into found: inout SpelledCharacters
    ) {
        guard let first = character(at: start, levels) else { return }
        if first.value == 0x23 {
            var digits = number(upTo: 9, radix: 10, at: first.end, levels)
            if let letter = character(at: first.end, levels), letter.value | 0x20 == 0x78 {
                digits = number(upTo: 8, radix: 16, at: letter.end, levels)
            }
            guard var digits else { return }
            if let end = character(at: digits.end, levels), end.value == 0x3B {
                digits.end = end.end
            }
            return addScalar(digits, level, &found)
        }
        var name: UInt64 = 0
        var offset = start
        for _ in 0...Self.nameBytesMax {
            guard let next = character(at: offset, levels), let byte = next.byte else { break }
            if byte == UInt8(ascii: ";") {
                if let value = Self.names[name] {
                    found.add(
                        SpelledCharacter(value: UInt32(value), end: next.end, level: level))
                } else if let value = Self.latinNames[name] {
                    addScalar((value, next.end), level, &found)
                }
                return
            }
            if let value = Self.oldNames[name] {
                found.add(SpelledCharacter(value: UInt32(value), end: offset, level: level))
            }
            guard ASCIIText.isLetter(byte) else { return }
            name = name << 8 | UInt64(byte)
            offset = next.end
        }
    }

    private static func packed(_ names: [String: String]) -> [UInt64: UInt8] {
        var result: [UInt64: UInt8] = [:]
        for (name, character) in names {
            result[name.utf8.reduce(0) { $0 << 8 | UInt64($1) }] = character.utf8.first
        }
        return result
    }

    /// The names of the letters from U+00C0 to U+00FF in HTML.
    private static let latinNames: [UInt64: UInt32] = {
        let names = """
            Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave \
            Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
            Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig \
            ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute \
            ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
            """
        var result: [UInt64: UInt32] = [:]
        for (index, name) in names.split(separator: " ").enumerated() {
            result[name.utf8.reduce(0) { $0 << 8 | UInt64($1) }] = 0xC0 + UInt32(index)
        }
        return result
    }()

    private static let oldNames = packed(["lt": "<", "gt": ">", "amp": "&", "quot": "\""])

    /// The names of ASCII characters in HTML.
    private static let names = packed([
        "Tab": "\t", "NewLine": "\n", "excl": "!", "quot": "\"", "QUOT": "\"", "num": "#",
        "dollar": "$", "percnt": "%", "amp": "&", "AMP": "&", "apos": "'", "lpar": "(",
        "rpar": ")", "ast": "*", "midast": "*", "plus": "+", "comma": ",", "period": ".",
        "sol": "/", "colon": ":", "semi": ";", "lt": "<", "LT": "<", "equals": "=", "gt": ">",
        "GT": ">", "quest": "?", "commat": "@", "lsqb": "[", "lbrack": "[", "bsol": "\\",
        "rsqb": "]", "rbrack": "]", "Hat": "^", "lowbar": "_", "UnderBar": "_", "grave": "`",
        "lcub": "{", "lbrace": "{", "verbar": "|", "vert": "|", "rcub": "}", "rbrace": "}",
        "hyphen": "-", "dash": "-", "tilde": "~", "nbsp": " ",
    ])
}
