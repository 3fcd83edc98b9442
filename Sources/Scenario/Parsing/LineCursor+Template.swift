import Diagnostics

/// The context of a template, which determines the placeholders allowed in it.
enum TemplateUse {
    case send
    case pattern
}

extension LineCursor {
    /// Parses wire text up to a modifier, a comment or the end of the line; nil if there is none.
    mutating func wireText(_ use: TemplateUse) throws(Diagnosed) -> Template? {
        skipSpaces()
        // Directly after an arrow, a comment needs no space before its `#`.
        if peek() == UInt8(ascii: "#"), peek(1)?.isSpace ?? true { return nil }
        var builder = TemplateBuilder(start: at)
        let start = at
        while let byte = peek() {
            if byte.isSpace {
                let next = afterSpaces(from: at)
                let isModifier = next - at >= 2 && modifier(at: next) != nil
                if next >= end || isComment(at: next) || isModifier { break }
                while at < next { builder.append(bytes[at], at: &at) }
            } else if starts(with: "{{") {
                builder.append(try placeholder(use), cursor: self)
            } else {
                builder.append(byte, at: &at)
            }
        }
        if at == start { return nil }
        return Template(
            try builder.finishChecked(cursor: self, isWireText: true), range: range(from: start))
    }

    /// Parses a word that may contain placeholders. Returns nil if no word comes next.
    mutating func wordTemplate(_ use: TemplateUse) throws(Diagnosed) -> Template? {
        var builder = TemplateBuilder(start: at)
        let start = at
        while let byte = peek(), !byte.isSpace {
            if starts(with: "{{") {
                builder.append(try placeholder(use), cursor: self)
            } else {
                builder.append(byte, at: &at)
            }
        }
        if at == start { return nil }
        return Template(builder.finish(cursor: self), range: range(from: start))
    }

    /// Parses a quoted string with escapes and placeholders. The cursor must be at its opening
    /// quote.
    mutating func string(_ use: TemplateUse) throws(Diagnosed) -> Template {
        let start = at
        at += 1
        var builder = TemplateBuilder(start: at)
        while peek() != UInt8(ascii: "\"") {
            if isAtEnd { throw unclosedString(start) }
            if starts(with: "{{") {
                builder.append(try placeholder(use), cursor: self)
            } else if peek() == UInt8(ascii: "\\") {
                let decoded = try escape()
                for byte in decoded { builder.append(decoded: byte) }
            } else if let byte = peek() {
                builder.append(byte, at: &at)
            }
        }
        let pieces = try builder.finishChecked(cursor: self)
        at += 1
        return Template(pieces, range: range(from: start))
    }

    /// Parses a quoted string with escapes but no placeholders. The cursor must be at its opening
    /// quote.
    mutating func plainString() throws(Diagnosed) -> [UInt8] {
        let start = at
        var decoded: [UInt8] = []
        at += 1
        while let byte = peek(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") {
                decoded += try escape()
            } else {
                decoded.append(byte)
                at += 1
            }
        }
        if isAtEnd { throw unclosedString(start) }
        at += 1
        return decoded
    }

    private func unclosedString(_ start: Int) -> Diagnosed {
        Diagnosed(
            error(
                .unclosedString, "unclosed string", at: range(start, start + 1),
                label: "opened here"
            ).help("close the string with `\"` on the same line; write a quote inside it as `\\\"`")
        )
    }

    /// Parses an escape. The cursor must be at its backslash.
    private mutating func escape() throws(Diagnosed) -> [UInt8] {
        let start = at
        at += 2
        switch at <= end ? bytes[start + 1] : 0 {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "0"): return [0x00]
        case UInt8(ascii: "\\"): return [UInt8(ascii: "\\")]
        case UInt8(ascii: "\""): return [UInt8(ascii: "\"")]
        case UInt8(ascii: "x"):
            if let high = peek()?.hexValue, let low = peek(1)?.hexValue {
                at += 2
                return [high << 4 | low]
            }
        case UInt8(ascii: "u"):
            if let scalar = unicodeEscape() { return Array(String(scalar).utf8) }
        default: break
        }
        at = min(at, end)
        while let byte = peek(), byte & 0xC0 == 0x80 { at += 1 }
        let stop = max(start + 1, at)
        throw Diagnosed(
            error(
                .badEscape, "`\(escapedForDisplay(bytes[start..<stop]))` is not an escape",
                at: range(start, stop)
            ).help("escapes are \\n \\r \\t \\0 \\\\ \\\" \\xHH \\u{HEX}"))
    }

    private mutating func unicodeEscape() -> Unicode.Scalar? {
        guard skip("{") else { return nil }
        var value: UInt32 = 0
        var digits = 0
        while let digit = peek()?.hexValue, digits < 6 {
            value = value << 4 | UInt32(digit)
            digits += 1
            at += 1
        }
        guard digits > 0, skip("}") else { return nil }
        return Unicode.Scalar(value)
    }
}

extension Template.Piece {
    /// True for a literal that can follow a member of a JSON object or an element of an array.
    package var continuesJSON: Bool {
        guard case .literal(let literal) = self,
            let next = literal.bytes.first(where: { !$0.isSpace })
        else { return false }
        return [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(next)
    }
}

/// Template builder that joins adjacent bytes into literals.
struct TemplateBuilder {
    private var pieces: [Template.Piece] = []
    private var literal: [UInt8] = []
    private var literalStart: Int

    init(start: Int) { literalStart = start }

    /// Appends a byte of the source and advances past it.
    mutating func append(_ byte: UInt8, at offset: inout Int) {
        literal.append(byte)
        offset += 1
    }

    /// Appends a byte that was written as an escape sequence.
    mutating func append(decoded byte: UInt8) { literal.append(byte) }

    /// Appends a placeholder; the cursor must already be past it.
    mutating func append(_ placeholder: Placeholder, cursor: LineCursor) {
        flush(upTo: placeholder.range.start, cursor)
        pieces.append(.placeholder(placeholder))
        literalStart = cursor.at
    }

    mutating func finish(cursor: LineCursor) -> [Template.Piece] {
        flush(upTo: cursor.at + cursor.shift, cursor)
        return pieces
    }

    /// Finishes the template. Checks that a placeholder for the rest of the line is its last piece.
    /// In wire text, it may also match the rest of a JSON object or array.
    mutating func finishChecked(
        cursor: LineCursor, isWireText: Bool = false
    ) throws(Diagnosed) -> [Template.Piece] {
        let pieces = finish(cursor: cursor)
        for (index, piece) in pieces.dropLast().enumerated() {
            guard case .placeholder(let placeholder) = piece else { continue }
            switch placeholder.kind {
            case .rest where isWireText && pieces[index + 1].continuesJSON: continue
            case .rest, .end:
                throw Diagnosed(
                    cursor.error(
                        .misplacedPlaceholder,
                        "nothing may follow a placeholder that matches the rest of the line",
                        at: placeholder.range))
            default: continue
            }
        }
        return pieces
    }

    private mutating func flush(upTo end: Int, _ cursor: LineCursor) {
        guard !literal.isEmpty else { return }
        let range = SourceRange(start: literalStart + cursor.shift, end: end)
        pieces.append(.literal(Template.Literal(literal, range: range)))
        literal = []
    }
}
