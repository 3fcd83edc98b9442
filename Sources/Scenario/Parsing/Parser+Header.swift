import Diagnostics

/// The header lines parsed so far, with the positions of lines that may occur only once.
struct HeaderBuilder {
    var header = Header()
    /// Position of the first line of each kind.
    var firstLines: [String: SourceRange] = [:]
    /// Position where each variable is set.
    var variables: [String: SourceRange] = [:]
}

extension Parser {
    /// Parses a header line.
    mutating func readHeader(
        _ kind: HeaderWord, _ word: Name, _ cursor: inout LineCursor
    ) throws(Diagnosed) {
        if kind == .cite { return try readCitation(word, &cursor) }
        if isBehaviour || hasSteps || frames.count > 1 {
            let expected = isBehaviour ? "be in the scenario header" : "come before the first step"
            throw Diagnosed(
                error(
                    .headerAfterStep, "the `\(word.text)` line must \(expected)", at: word.range)
            )
        }
        guard cursor.peek()?.isSpace ?? true else { throw cursor.unexpected("a space") }
        guard !cursor.isDone else {
            throw Diagnosed(
                error(
                    .badHeader, "`\(word.text)` needs a value", at: word.range
                ).help("write: \(Self.usage(of: kind))"))
        }
        cursor.skipSpaces()
        switch kind {
        case .title: try readTitle(word, &cursor)
        case .dialect:
            try once(word)
            header.header.dialect = cursor.word()
        case .include:
            header.header.includes.append(try fileName(&cursor, of: "a fragment file"))
        case .operators:
            try once(word)
            header.header.operators = try operators(&cursor)
        case .tags:
            try once(word)
            header.header.tags = try names(&cursor, of: "a tag")
        case .timeout: try readTimeout(word, &cursor)
        case .set: try readSetting(&cursor)
        case .secret: try readSecret(&cursor)
        case .data:
            try once(word)
            header.header.data = try fileName(&cursor, of: "a data file")
        case .known: try readKnownFailure(word, &cursor)
        case .skip: header.header.skips.append(try softwareRule(word, &cursor, hasDate: false))
        case .needs: try readNeeds(&cursor)
        case .exec: try readCommand(word, &cursor)
        case .cite: return
        }
        try finish(&cursor)
    }

    private static func usage(of word: HeaderWord) -> String {
        switch word {
        case .title: "title TEXT"
        case .dialect: "dialect NAME, or dialect FILE.yaml"
        case .include: "include \"FILE.chat\""
        case .operators: "operators NAME, NAME, …"
        case .tags: "tags WORD, WORD, …"
        case .cite: "cite DOCUMENT §SECTION [LEVEL] [\"QUOTE\"]"
        case .timeout: "timeout step 5s, or timeout file 60s"
        case .set: "set NAME = VALUE"
        case .secret: "secret NAME, or secret env.NAME"
        case .data: "data \"FILE.csv\", or data \"FILE.jsonl\""
        case .known: "known failure on SOFTWARE [RANGE] [until YYYY-MM-DD] \"REASON\""
        case .skip: "skip on SOFTWARE [RANGE] \"REASON\""
        case .needs: "needs KIND NAME, such as needs cap batch"
        case .exec: "exec \"COMMAND\""
        }
    }

    /// Throws an error if a line that may occur only once is repeated.
    private mutating func once(_ word: Name, key: String? = nil) throws(Diagnosed) {
        let key = key ?? word.text
        if let first = header.firstLines[key] {
            throw Diagnosed(
                error(.duplicateHeader, "duplicate `\(key)` line", at: word.range)
                    .related(
                        DiagnosticLocation(
                            source: source, range: first, label: "first defined here")
                    ))
        }
        header.firstLines[key] = word.range
    }

    private mutating func readTitle(
        _ word: Name, _ cursor: inout LineCursor
    ) throws(Diagnosed) {
        try once(word)
        header.header.title = cursor.restOfLine()
    }

    private func operators(_ cursor: inout LineCursor) throws(Diagnosed) -> [Name] {
        let operators = try names(&cursor, of: "an operator name")
        for name in operators where isReserved(name.text) {
            throw Diagnosed(
                error(
                    .reservedName,
                    "`\(name.text)` is a keyword and cannot be an operator name",
                    at: name.range))
        }
        return operators
    }

    private mutating func readTimeout(
        _ word: Name, _ cursor: inout LineCursor
    ) throws(Diagnosed) {
        let start = cursor
        guard let scope = cursor.name(), ["step", "file"].contains(scope.text) else {
            throw start.unexpected("`step` or `file`")
        }
        try once(word, key: "timeout \(scope.text)")
        let time = try cursor.duration()
        if scope.text == "step" {
            header.header.stepTimeout = time
        } else {
            header.header.fileTimeout = time
        }
    }

    private mutating func readSetting(_ cursor: inout LineCursor) throws(Diagnosed) {
        let name = try variable(&cursor)
        cursor.skipSpaces()
        guard cursor.skip("=") else { throw cursor.unexpected("`=`") }
        let value = try cursor.value(.send)
        switch value.kind {
        case .string, .int, .decimal, .bool:
            header.header.settings.append(HeaderSetting(name: name, value: value))
            header.variables[name.text] = name.range
        case .name, .list, .unordered, .placeholder:
            throw Diagnosed(
                error(
                    .badValue, "a variable's value must be a string, a number, true or false",
                    at: value.range))
        }
    }

    private mutating func readSecret(_ cursor: inout LineCursor) throws(Diagnosed) {
        var name = try variable(&cursor)
        if name.text == "env", cursor.skip(".") {
            guard let rest = cursor.name() else {
                throw cursor.unexpected("the name of an environment variable")
            }
            name = Name(
                "env.\(rest.text)",
                range: SourceRange(start: name.range.start, end: rest.range.end))
        }
        header.header.secrets.append(name)
        header.variables[name.text] = name.range
    }

    /// Parses the name of a variable that is neither reserved nor already set.
    private func variable(_ cursor: inout LineCursor) throws(Diagnosed) -> Name {
        guard let name = cursor.name() else { throw cursor.unexpected("a variable name") }
        if ["_", "self", "nonce", "end", "length"].contains(name.text) {
            throw Diagnosed(
                error(
                    .reservedName, "`\(name.text)` cannot be set", at: name.range,
                    label: "reserved name"))
        }
        if let first = header.variables[name.text] {
            throw Diagnosed(
                error(.duplicateName, "`\(name.text)` is already set", at: name.range)
                    .related(DiagnosticLocation(source: source, range: first, label: "here")))
        }
        return name
    }

    /// Parses the path of another file: a string without placeholders.
    func fileName(_ cursor: inout LineCursor, of what: String) throws(Diagnosed) -> Name {
        let start = cursor.at
        guard cursor.peek() == UInt8(ascii: "\"") else {
            throw cursor.unexpected("the name of \(what) in quotes")
        }
        let bytes = try cursor.plainString()
        let range = cursor.range(from: start)
        guard !bytes.isEmpty, !bytes.contains(0) else {
            throw Diagnosed(error(.badValue, "expected the name of \(what)", at: range))
        }
        return Name(String(decoding: bytes, as: UTF8.self), range: range)
    }

    private mutating func readKnownFailure(
        _ word: Name, _ cursor: inout LineCursor
    ) throws(Diagnosed) {
        guard cursor.skipWord("failure") else { throw cursor.unexpected("`known failure on`") }
        header.header.knownFailures.append(try softwareRule(word, &cursor, hasDate: true))
    }

    /// Parses `KIND NAME, NAME, …`. A name may contain any characters except spaces and commas.
    private mutating func readNeeds(_ cursor: inout LineCursor) throws(Diagnosed) {
        guard let kind = cursor.name() else {
            throw cursor.unexpected("a kind, such as `cap` or `command`")
        }
        repeat {
            cursor.skipSpaces()
            guard let name = cursor.word(before: UInt8(ascii: ",")) else {
                throw cursor.unexpected("a name after `\(kind.text)`")
            }
            let need = Need(kind: kind, name: name)
            if let first = header.header.needs.first(where: { $0 == need }) {
                throw Diagnosed(
                    error(.duplicateName, "`\(need.text)` is listed twice", at: name.range)
                        .related(
                            DiagnosticLocation(
                                source: source, range: first.name.range, label: "first defined here"
                            )
                        ))
            }
            header.header.needs.append(need)
            cursor.skipSpaces()
        } while cursor.skip(",")
    }

    private mutating func readCommand(_ word: Name, _ cursor: inout LineCursor) throws(Diagnosed) {
        try once(word)
        guard cursor.peek() == UInt8(ascii: "\"") else {
            throw cursor.unexpected("a quoted command")
        }
        header.header.command = try cursor.string(.send)
    }
}
