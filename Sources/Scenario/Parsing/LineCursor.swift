import Diagnostics

/// A parsing position in one line of a scenario.
struct LineCursor {
    let source: SourceText
    let bytes: [UInt8]
    /// Offset of the end of the line.
    let end: Int
    /// Value to add to an offset in the text to get the offset in the source.
    let shift: Int
    /// Offset of the next byte.
    var at: Int

    init(source: SourceText, text: TextLines, line: TextLines.Line) {
        self.source = source
        bytes = text.bytes
        at = line.start
        end = line.end
        shift = line.shift
    }

    var isAtEnd: Bool { at >= end }

    /// Returns the byte `ahead` positions after the next one; nil if that is past the end of the
    /// line.
    func peek(_ ahead: Int = 0) -> UInt8? {
        at + ahead < end ? bytes[at + ahead] : nil
    }

    /// Returns true if the text continues with `word`.
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

    /// Skips `word` if it comes next, and returns true if it did.
    mutating func skip(_ word: StaticString) -> Bool {
        guard starts(with: word) else { return false }
        at += word.utf8CodeUnitCount
        return true
    }

    /// Skips spaces and tabs and returns their number.
    @discardableResult
    mutating func skipSpaces() -> Int {
        let start = at
        while let byte = peek(), byte.isSpace { at += 1 }
        return at - start
    }

    /// Returns the offset of the first byte at or after `offset` that is not a space or tab.
    func afterSpaces(from offset: Int) -> Int {
        var offset = offset
        while offset < end, bytes[offset].isSpace { offset += 1 }
        return offset
    }

    /// Returns true if a comment starts at an offset. A comment is a `#` at the start of the line
    /// or after a space, followed by a space or the end of the line.
    func isComment(at offset: Int) -> Bool {
        guard offset < end, bytes[offset] == UInt8(ascii: "#") else { return false }
        guard offset + 1 >= end || bytes[offset + 1].isSpace else { return false }
        return offset == 0 || bytes[offset - 1].isSpace || bytes[offset - 1].isLineEnd
    }

    /// True if the rest of the line is empty or a comment.
    var isDone: Bool {
        let next = afterSpaces(from: at)
        return next >= end || isComment(at: next)
    }

    /// Parses a name of letters, digits and `_`, with `-` allowed between them; nil if there is
    /// none.
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

    /// Parses a comma-separated list of unique names.
    mutating func names(of what: String) throws(Diagnosed) -> [Name] {
        var names: [Name] = []
        repeat {
            skipSpaces()
            guard let name = name() else {
                throw Diagnosed(
                    error(
                        .missingName, "expected \(what), found \(nextText)",
                        at: nextToken))
            }
            if let first = names.first(where: { $0.text == name.text }) {
                throw Diagnosed(
                    error(.duplicateName, "`\(name.text)` is listed twice", at: name.range)
                        .related(
                            DiagnosticLocation(
                                source: source, range: first.range, label: "first defined here")))
            }
            names.append(name)
            skipSpaces()
        } while skip(",")
        return names
    }

    /// Skips the next whole word if it equals `word`, and returns true if it did.
    mutating func skipWord(_ word: String) -> Bool {
        let start = at
        if name()?.text == word { return true }
        at = start
        return false
    }

    /// Parses everything up to the next space or `separator`; nil if that is empty.
    mutating func word(before separator: UInt8? = nil) -> Name? {
        let start = at
        while let byte = peek(), !byte.isSpace, byte != separator { at += 1 }
        return at == start ? nil : Name(text(start, at), range: range(start, at))
    }

    /// Parses everything up to a comment or the end of the line, without trailing spaces; nil if
    /// that is empty.
    mutating func restOfLine() -> Name? {
        skipSpaces()
        let start = at
        var last = at
        while at < end, !isComment(at: at) {
            at += 1
            if !bytes[at - 1].isSpace { last = at }
        }
        return last == start ? nil : Name(text(start, last), range: range(start, last))
    }

    func text(_ start: Int, _ end: Int) -> String {
        String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Converts offsets in the text to a source range.
    func range(_ start: Int, _ end: Int) -> SourceRange {
        SourceRange(start: start + shift, end: end + shift)
    }

    /// Returns the source range from an offset to the current position.
    func range(from start: Int) -> SourceRange { range(start, at) }

    /// Range of the next name, number or character; empty at the end of the line.
    var nextToken: SourceRange {
        var stop = min(at + 1, end)
        let isWord = peek()?.isNamePart == true
        while stop < end, isWord ? bytes[stop].isNamePart : bytes[stop] & 0xC0 == 0x80 { stop += 1 }
        return range(at, stop)
    }

    /// Range of the text up to the next space, for error messages.
    var nextWord: SourceRange {
        var stop = at
        while stop < end, !bytes[stop].isSpace { stop += 1 }
        return range(at, stop)
    }

    /// The next word, as described in error messages.
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
    var isSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    var isNameStart: Bool {
        let lower = self | 0x20
        return (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z"))
            || self == UInt8(ascii: "_") || self >= 0x80
    }

    var isNamePart: Bool { isNameStart || isDigit }

    /// Value of a hexadecimal digit; nil for other bytes.
    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
