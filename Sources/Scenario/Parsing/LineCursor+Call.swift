import Diagnostics

extension LineCursor {
    /// Parses a typed command: a name directly followed by `(`, in text that ends with `)`. Returns
    /// nil without advancing if no typed command comes next.
    mutating func typedCall(_ use: TemplateUse) throws(Diagnosed) -> TypedCall? {
        var cursor = self
        guard let name = cursor.name(), cursor.peek() == UInt8(ascii: "(") else { return nil }
        do throws(Diagnosed) {
            let arguments = try cursor.arguments(use)
            let range = cursor.range(from: at)
            guard cursor.isAfterStatement else { throw cursor.unexpected() }
            self = cursor
            return TypedCall(name: name, arguments: arguments, range: range)
        } catch {
            if looksLikeCall(name) { throw callFault(error, name) }
            return nil
        }
    }

    /// True if a modifier, a comment or the end of the line comes next.
    private var isAfterStatement: Bool {
        let next = afterSpaces(from: at)
        return isDone || (next > at && modifier(at: next) != nil)
    }

    private func callFault(_ fault: Diagnosed, _ name: Name) -> Diagnosed {
        Diagnosed(
            fault.diagnostics.map {
                $0.help(
                    "to send this as text, put an empty placeholder in front: {{\"\"}}\(name.text)(…"
                )
            })
    }

    /// Returns true if text that starts with `name(` is probably a typed command with an error: it
    /// ends with `)`, or its first argument has a name.
    private func looksLikeCall(_ name: Name) -> Bool {
        var cursor = self
        _ = cursor.name()
        cursor.at += 1
        cursor.skipSpaces()
        if cursor.name() != nil {
            cursor.skipSpaces()
            if cursor.peek() == UInt8(ascii: ":") { return true }
        }
        return bytes[at..<endOfText].last == UInt8(ascii: ")")
    }

    /// End of the wire text that starts at the cursor.
    private var endOfText: Int {
        var offset = at
        var last = at
        while offset < end {
            let next = afterSpaces(from: offset)
            if isComment(at: next) || (next - offset >= 2 && modifier(at: next) != nil) { break }
            if next < end { last = next + 1 }
            offset = next + 1
        }
        return last
    }

    /// Parses `(name: value, …)`. The cursor must be at the opening parenthesis.
    mutating func arguments(_ use: TemplateUse) throws(Diagnosed) -> [Argument] {
        let start = at
        at += 1
        skipSpaces()
        var arguments: [Argument] = []
        if skip(")") { return arguments }
        while true {
            let argument = try argument(use)
            if let first = arguments.first(where: { $0.name.text == argument.name.text }) {
                throw Diagnosed(
                    error(
                        .duplicateName, "`\(argument.name.text)` is given twice",
                        at: argument.name.range
                    ).related(
                        DiagnosticLocation(
                            source: source, range: first.name.range, label: "first defined here")))
            }
            arguments.append(argument)
            skipSpaces()
            if skip(")") { return arguments }
            guard skip(",") else {
                if isDone {
                    throw Diagnosed(
                        error(
                            .badCall, "unclosed parenthesis", at: range(start, start + 1),
                            label: "opened here"))
                }
                throw Diagnosed(
                    error(.badCall, "expected `,` or `)`, found \(nextText)", at: nextToken))
            }
        }
    }

    private mutating func argument(_ use: TemplateUse) throws(Diagnosed) -> Argument {
        skipSpaces()
        guard let name = name() else {
            throw Diagnosed(
                error(
                    .badCall, "expected an argument name, found \(nextText)", at: nextToken))
        }
        skipSpaces()
        guard skip(":") else {
            throw Diagnosed(
                error(
                    .badCall, "expected `:` after the argument name, found \(nextText)",
                    at: nextToken))
        }
        return Argument(name: name, value: try value(use))
    }

    mutating func value(_ use: TemplateUse, depth: Int = 0) throws(Diagnosed) -> Value {
        skipSpaces()
        let start = at
        switch peek() {
        case UInt8(ascii: "\""):
            let text = try string(use)
            return Value(.string(text), range: text.range)
        case UInt8(ascii: "{") where starts(with: "{{"):
            let placeholder = try placeholder(use)
            return Value(.placeholder(placeholder), range: placeholder.range)
        case UInt8(ascii: "["): return try list(use, depth: depth)
        case .some(let byte) where byte.isDigit || byte == UInt8(ascii: "-"): return try number()
        default: break
        }
        guard let word = name() else {
            throw Diagnosed(
                error(.badValue, "expected a value, found \(nextText)", at: nextToken).help(
                    "a value is \"text\", a number, true, false, a name, a list [1, 2] or a placeholder"
                ))
        }
        switch word.text {
        case "any": return try unordered(use, from: word, depth: depth)
        case "true": return Value(.bool(true), range: range(from: start))
        case "false": return Value(.bool(false), range: range(from: start))
        default: return Value(.name(word.text), range: word.range)
        }
    }

    /// Parses the rest of `any order […]` after `any`. If `order` does not follow, `any` is a plain
    /// name.
    private mutating func unordered(
        _ use: TemplateUse, from word: Name, depth: Int
    ) throws(Diagnosed) -> Value {
        let start = at - word.range.count
        var next = self
        next.skipSpaces()
        guard next.skipWord("order") else { return Value(.name(word.text), range: word.range) }
        next.skipSpaces()
        self = next
        guard peek() == UInt8(ascii: "["), case .list(let values) = try list(use, depth: depth).kind
        else {
            throw Diagnosed(
                error(.badValue, "expected a list, found \(nextText)", at: nextToken)
                    .help("for example: any order [\"alice\", \"bob\"]"))
        }
        let range = range(from: start)
        guard use == .pattern else {
            throw Diagnosed(
                error(.badValue, "`any order` is only valid in an expectation", at: range)
                    .help("a list is sent in the order written"))
        }
        return Value(.unordered(values), range: range)
    }

    private mutating func list(_ use: TemplateUse, depth: Int) throws(Diagnosed) -> Value {
        let start = at
        guard depth < ScenarioLimits.listDepthMax else {
            throw Diagnosed(
                error(
                    .tooDeep,
                    "lists are nested more than \(ScenarioLimits.listDepthMax) levels deep",
                    at: nextToken))
        }
        at += 1
        var values: [Value] = []
        skipSpaces()
        if skip("]") { return Value(.list(values), range: range(from: start)) }
        while true {
            values.append(try value(use, depth: depth + 1))
            skipSpaces()
            if skip("]") { return Value(.list(values), range: range(from: start)) }
            guard skip(",") else {
                throw Diagnosed(
                    error(.badValue, "expected `,` or `]`, found \(nextText)", at: nextToken))
            }
        }
    }

    private mutating func number() throws(Diagnosed) -> Value {
        let start = at
        _ = skip("-")
        let digitsStart = at
        while let byte = peek(), byte.isNamePart || byte == UInt8(ascii: ".") { at += 1 }
        let range = range(from: start)
        let parts = text(digitsStart, at).split(separator: ".", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in !part.isEmpty && part.utf8.allSatisfy(\.isDigit)
        }
        if areDigits, parts.count == 2 { return Value(.decimal(text(start, at)), range: range) }
        if areDigits, parts.count == 1 {
            if let whole = Int64(text(start, at)) { return Value(.int(whole), range: range) }
            throw Diagnosed(
                error(.badNumber, "the number does not fit in 64 bits", at: range)
                    .help("send larger numbers as wire text"))
        }
        throw Diagnosed(
            error(.badNumber, "`\(escapedForDisplay(text(start, at)))` is not a number", at: range))
    }
}
