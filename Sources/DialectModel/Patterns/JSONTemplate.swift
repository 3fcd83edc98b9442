package import Diagnostics
package import LineProtocol
package import Scenario

/// JSON wire text of a scenario. Strings may contain placeholders, and a placeholder may take the
/// place of any value.
package struct JSONTemplate: Sendable {
    /// Type of JSON value, with its contents.
    package indirect enum Kind: Sendable {
        /// An object. With `rest`, it may also have other members.
        case object([Member], rest: Placeholder?)
        /// An array. With `rest`, more elements may follow.
        case array([JSONTemplate], rest: Placeholder?)
        /// A string, whose literals are unescaped.
        case string([Template.Piece])
        /// A number, `true`, `false` or `null`.
        case scalar([UInt8])
        /// A placeholder that is not inside a string.
        case placeholder(Placeholder)
    }

    /// Key and value of an object member.
    package struct Member: Sendable {
        package var key: [UInt8]
        package var value: JSONTemplate
    }

    package var kind: Kind
    package var range: SourceRange

    /// The reason wire text is not JSON.
    package struct Fault: Error {
        package var message: String
        package var range: SourceRange
    }

    /// Parses wire text.
    package init(_ template: Template) throws(Fault) {
        var parser = JSONTemplateParser(template)
        self = try parser.whole()
    }

    init(_ kind: Kind, _ range: SourceRange) {
        self.kind = kind
        self.range = range
    }

    /// Returns the value at a path; nil if there is none.
    package func value(at path: some Collection<[UInt8]>) -> JSONTemplate? {
        guard let step = path.first else { return self }
        let found: JSONTemplate?
        switch kind {
        case .object(let members, _): found = members.last { $0.key == step }?.value
        case .array(let elements, _):
            let index = JSONPath.index(step)
            found = index.flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        case .string, .scalar, .placeholder: found = nil
        }
        return found?.value(at: path.dropFirst())
    }

    /// Returns the value that identifies the command. If a key identifies it, returns the key as a
    /// string. Returns nil if there is no command.
    package func command(_ syntax: JSONSyntax) -> JSONTemplate? {
        guard case .object(let members, _) = kind else { return nil }
        func key(_ key: [UInt8]) -> JSONTemplate {
            JSONTemplate(.string([.literal(Template.Literal(key, range: range))]), range)
        }
        switch syntax.form {
        case .key(let path): return value(at: path.steps)
        case .onlyKey: return members.count == 1 ? key(members[0].key) : nil
        case .rpc:
            if let method = value(at: [JSONRPC.method]) { return method }
            return [JSONRPC.result, JSONRPC.error].first { value(at: [$0]) != nil }.map(key)
        }
    }

    /// Returns the command; nil if there is none or if it contains a placeholder.
    package func verb(_ syntax: JSONSyntax) -> [UInt8]? {
        switch command(syntax)?.kind {
        case .string(let pieces): Template(pieces, range: range).constantBytes()
        case .scalar(let text): text
        default: nil
        }
    }

    /// Returns the value that holds an argument; nil if it is omitted.
    package func value(of argument: ArgumentSignature, _ syntax: JSONSyntax) -> JSONTemplate? {
        guard let path = syntax.path(of: argument) else {
            return argument.position == .correlation ? value(at: [JSONRPC.id]) : nil
        }
        let body: JSONTemplate?
        switch (syntax.form, kind) {
        case (.key, _): body = self
        case (.onlyKey, .object(let members, _)): body = members.first?.value
        case (.rpc, _):
            body =
                value(at: [JSONRPC.method]) != nil
                ? value(at: [JSONRPC.params])
                : value(at: [JSONRPC.result]) ?? value(at: [JSONRPC.error])
        default: body = nil
        }
        return body?.value(at: path.steps)
    }

    /// The pieces of a string or a scalar; nil for objects and arrays.
    package var pieces: [Template.Piece]? {
        switch kind {
        case .string(let pieces): pieces
        case .scalar(let text): [.literal(Template.Literal(text, range: range))]
        case .placeholder(let placeholder): [.placeholder(placeholder)]
        case .object, .array: nil
        }
    }
}

/// Parser for JSON with placeholders.
private struct JSONTemplateParser {
    /// A unit of JSON wire text: a byte or a placeholder.
    private enum Unit {
        case byte(UInt8, SourceRange)
        case placeholder(Placeholder)
    }

    private var units: [Unit] = []
    private var next = 0
    private let range: SourceRange

    init(_ template: Template) {
        range = template.range
        for piece in template.pieces {
            switch piece {
            case .literal(let literal):
                for (offset, byte) in literal.bytes.enumerated() {
                    let start = min(literal.range.start + offset, literal.range.end)
                    units.append(.byte(byte, SourceRange(start: start, end: start + 1)))
                }
            case .placeholder(let placeholder): units.append(.placeholder(placeholder))
            }
        }
    }

    mutating func whole() throws(JSONTemplate.Fault) -> JSONTemplate {
        let value = try value(depth: 0)
        skipSpace()
        guard next == units.count else { throw fault("unexpected text after the JSON value") }
        return value
    }

    private var byte: UInt8? {
        guard next < units.count, case .byte(let byte, _) = units[next] else { return nil }
        return byte
    }

    private var placeholder: Placeholder? {
        guard next < units.count, case .placeholder(let found) = units[next] else { return nil }
        return found
    }

    /// Source range of the unit at an index.
    private func range(_ index: Int) -> SourceRange {
        guard index < units.count else { return SourceRange(start: range.end, end: range.end) }
        switch units[index] {
        case .byte(_, let range): return range
        case .placeholder(let placeholder): return placeholder.range
        }
    }

    private func range(from start: Int) -> SourceRange {
        range(start).joined(with: range(max(start, next - 1)))
    }

    private func fault(_ message: String) -> JSONTemplate.Fault {
        JSONTemplate.Fault(message: message, range: range(next))
    }

    private mutating func skipSpace() {
        while let byte, byte == ASCII.space || byte == ASCII.tab { next += 1 }
    }

    private mutating func take(_ wanted: String) -> Bool {
        skipSpace()
        guard let byte, [byte] == Array(wanted.utf8) else { return false }
        next += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONTemplate.Fault) -> JSONTemplate {
        skipSpace()
        let start = next
        if let placeholder {
            next += 1
            return JSONTemplate(.placeholder(placeholder), placeholder.range)
        }
        guard depth < JSONSyntax.depthMax else { throw fault("too deeply nested") }
        if take("{") { return try object(start, depth) }
        if take("[") { return try array(start, depth) }
        if byte == ASCII.quote {
            let pieces = try string()
            return JSONTemplate(.string(pieces), range(from: start))
        }
        var text: [UInt8] = []
        while let byte, !Array(",:{}[] \t\"".utf8).contains(byte) {
            text.append(byte)
            next += 1
        }
        guard let value = JSONText.value(text), value.form == .jsonValue else {
            next = start
            throw fault("expected a JSON value")
        }
        return JSONTemplate(.scalar(text), range(from: start))
    }

    private mutating func object(
        _ start: Int, _ depth: Int
    ) throws(JSONTemplate.Fault) -> JSONTemplate {
        var members: [JSONTemplate.Member] = []
        var rest: Placeholder?
        if !take("}") {
            repeat {
                skipSpace()
                if let found = takeRest() {
                    rest = found
                    continue
                }
                guard byte == ASCII.quote else { throw fault("expected a key in double quotes") }
                let keyStart = next
                guard let key = Template(try string(), range: range).constantBytes() else {
                    next = keyStart
                    throw fault("a key cannot contain a placeholder")
                }
                guard take(":") else { throw fault("expected `:` after the key") }
                members.append(.init(key: key, value: try value(depth: depth + 1)))
            } while take(",")
            guard take("}") else { throw fault("expected `,` or `}`") }
        }
        return JSONTemplate(.object(members, rest: rest), range(from: start))
    }

    private mutating func array(
        _ start: Int, _ depth: Int
    ) throws(JSONTemplate.Fault) -> JSONTemplate {
        var elements: [JSONTemplate] = []
        var rest: Placeholder?
        if !take("]") {
            repeat {
                skipSpace()
                if let found = takeRest() {
                    rest = found
                } else {
                    guard rest == nil else { throw fault("`{{...}}` must be the last element") }
                    elements.append(try value(depth: depth + 1))
                }
            } while take(",")
            guard take("]") else { throw fault("expected `,` or `]`") }
        }
        return JSONTemplate(.array(elements, rest: rest), range(from: start))
    }

    /// Takes the `{{...}}` placeholder if it is next; otherwise returns nil.
    private mutating func takeRest() -> Placeholder? {
        guard let found = placeholder, case .rest = found.kind else { return nil }
        next += 1
        return found
    }

    /// Reads a string, whose opening quote is the next byte.
    private mutating func string() throws(JSONTemplate.Fault) -> [Template.Piece] {
        var pieces: [Template.Piece] = []
        var literal: [UInt8] = []
        next += 1
        var literalStart = next
        func flush(_ end: Int) throws(JSONTemplate.Fault) {
            guard !literal.isEmpty else { return }
            let range = range(literalStart).joined(with: range(end - 1))
            do {
                let decoded = try EscapeRule.json.decode(literal)
                pieces.append(.literal(Template.Literal(decoded, range: range)))
            } catch {
                throw JSONTemplate.Fault(message: "invalid escape sequence", range: range)
            }
            literal = []
        }
        while next < units.count {
            switch units[next] {
            case .placeholder(let placeholder):
                try flush(next)
                pieces.append(.placeholder(placeholder))
                next += 1
                literalStart = next
            case .byte(ASCII.quote, _):
                try flush(next)
                next += 1
                return pieces
            case .byte(let byte, _):
                literal.append(byte)
                next += 1
                if byte == ASCII.backslash, let escaped = self.byte {
                    literal.append(escaped)
                    next += 1
                }
            }
        }
        throw fault("the string has no closing quote")
    }
}
