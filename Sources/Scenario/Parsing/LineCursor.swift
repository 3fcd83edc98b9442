import Diagnostics

/// A place in one line of a scenario, and the means to go on from there.
struct LineCursor {
    let source: SourceText
    let bytes: [UInt8]
    /// The line's end.
    let end: Int
    /// What is to be added to an offset for one in the source.
    let shift: Int
    /// The offset of the next byte.
    var at: Int

    init(source: SourceText, text: TextLines, line: TextLines.Line) {
        self.source = source
        bytes = text.bytes
        at = line.start
        end = line.end
        shift = line.shift
    }

    var isAtEnd: Bool { at >= end }

    /// The byte so many places ahead; nil beyond the line's end.
    func peek(_ ahead: Int = 0) -> UInt8? {
        at + ahead < end ? bytes[at + ahead] : nil
    }

    /// Whether the text goes on with a word.
    func starts(with word: StaticString, at offset: Int? = nil) -> Bool {
        let offset = offset ?? at
        let count = word.utf8CodeUnitCount
        guard offset + count <= end else { return false }
        return word.withUTF8Buffer { buffer in
            for index in 0..<count where unsafe buffer[index] != bytes[offset + index] {
                return false
            }
            return true
        }
    }

    /// Passes over a word of punctuation if it is next.
    mutating func skip(_ word: StaticString) -> Bool {
        guard starts(with: word) else { return false }
        at += word.utf8CodeUnitCount
        return true
    }

    /// Passes over blanks and tabs; how many there were.
    @discardableResult
    mutating func skipBlanks() -> Int {
        let start = at
        while let byte = peek(), byte.isBlank { at += 1 }
        return at - start
    }

    /// The offset of the first byte from `offset` on that is no blank.
    func afterBlanks(from offset: Int) -> Int {
        var offset = offset
        while offset < end, bytes[offset].isBlank { offset += 1 }
        return offset
    }

    /// Whether a comment starts at an offset: `#` after a blank (or at the line's start) and before a
    /// blank or the line's end.
    func isComment(at offset: Int) -> Bool {
        guard offset < end, bytes[offset] == UInt8(ascii: "#") else { return false }
        guard offset + 1 >= end || bytes[offset + 1].isBlank else { return false }
        return offset == 0 || bytes[offset - 1].isBlank || bytes[offset - 1].isLineEnd
    }

    /// Whether nothing but a comment is left.
    var isDone: Bool {
        let next = afterBlanks(from: at)
        return next >= end || isComment(at: next)
    }

    /// A name if one is next: letters, digits, `_`, and `-` between them.
    mutating func name() -> Name? {
        guard let first = peek(), first.isNameStart else { return nil }
        let start = at
        while let byte = peek() {
            let isInnerHyphen = byte == UInt8(ascii: "-") && peek(1)?.isNamePart == true
            guard byte.isNamePart || isInnerHyphen else { break }
            at += 1
        }
        return Name(text(start, at), range: range(start, at))
    }

    /// The keyword if it is next as a whole word.
    mutating func skipWord(_ word: String) -> Bool {
        let start = at
        if name()?.text == word { return true }
        at = start
        return false
    }

    /// Everything up to the next blank.
    mutating func word() -> Name? {
        let start = at
        while let byte = peek(), !byte.isBlank { at += 1 }
        return at == start ? nil : Name(text(start, at), range: range(start, at))
    }

    /// Everything up to a comment or the line's end, without blanks at its end; nil if there is
    /// nothing.
    mutating func restOfLine() -> Name? {
        skipBlanks()
        let start = at
        var last = at
        while at < end, !isComment(at: at) {
            at += 1
            if !bytes[at - 1].isBlank { last = at }
        }
        return last == start ? nil : Name(text(start, last), range: range(start, last))
    }

    func text(_ start: Int, _ end: Int) -> String {
        String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// A range of the source from offsets in the text.
    func range(_ start: Int, _ end: Int) -> SourceRange {
        SourceRange(start: start + shift, end: end + shift)
    }

    /// From an offset to here.
    func range(from start: Int) -> SourceRange { range(start, at) }

    /// The name or number that is next, or else the character; empty at the line's end.
    var nextToken: SourceRange {
        var stop = min(at + 1, end)
        let isWord = peek()?.isNamePart == true
        while stop < end, isWord ? bytes[stop].isNamePart : bytes[stop] & 0xC0 == 0x80 { stop += 1 }
        return range(at, stop)
    }

    /// The word that is next, for a complaint about it.
    var nextWord: SourceRange {
        var stop = at
        while stop < end, !bytes[stop].isBlank { stop += 1 }
        return range(at, stop)
    }

    /// What is next, as a complaint names it.
    var nextText: String {
        if isDone { return "the end of the line" }
        let found = nextWord
        let shown = bytes[(found.start - shift)..<(found.end - shift)].prefix(40)
        return "`\(escapedForDisplay(shown))`"
    }

    func error(
        _ code: DiagnosticCode, _ message: String, at range: SourceRange, label: String = ""
    ) -> Diagnostic {
        source.diagnostic(.error, code, message, at: range, label: label)
    }
}

extension UInt8 {
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var isNameStart: Bool {
        let lower = self | 0x20
        return (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z"))
            || self == UInt8(ascii: "_") || self >= 0x80
    }

    var isNamePart: Bool { isNameStart || isDigit }

    /// The value of a hexadecimal digit.
    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
