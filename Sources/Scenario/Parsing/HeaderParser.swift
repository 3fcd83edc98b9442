import Diagnostics
import LineProtocol

/// Parser for header lines, with the header parsed so far.
struct HeaderParser {
    var header = Header()
    /// Position of the first line of each kind that may occur only once.
    private var firstLines: [String: SourceRange] = [:]
    /// Position where each variable is set.
    private var variables: [String: SourceRange] = [:]

    /// Parses a header line, except `cite`, up to a comment or the end of the line.
    mutating func read(
        _ kind: HeaderWord, _ word: Name, _ cursor: inout LineCursor
    ) throws(Diagnosed) {
        guard cursor.peek()?.isSpace ?? true else { throw cursor.unexpected("a space") }
        guard !cursor.isDone else {
            throw Diagnosed(
                cursor.error(
                    .badHeader, "`\(word.text)` needs a value", at: word.range
                ).help("write: \(Self.usage(of: kind))"))
        }
        cursor.skipSpaces()
        switch kind {
        case .title: try readTitle(word, &cursor)
        case .dialect:
            try once(word, cursor)
            header.dialect = cursor.word()
        case .include:
            header.includes.append(try fileName(&cursor, of: "a fragment file"))
        case .operators:
            try once(word, cursor)
            header.operators = try operators(&cursor)
        case .tags:
            try once(word, cursor)
            header.tags = try cursor.names(of: "a tag")
        case .timeout: try readTimeout(word, &cursor)
        case .set: try readSetting(&cursor)
        case .secret: try readSecret(&cursor)
        case .data:
            try once(word, cursor)
            header.data = try fileName(&cursor, of: "a data file")
        case .known: try readKnownFailure(word, &cursor)
        case .skip: header.skips.append(try softwareRule(word, &cursor, hasDate: false))
        case .needs: try readNeeds(&cursor)
        case .exec: try readCommand(word, &cursor)
        case .cite: break
        }
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
    private mutating func once(
        _ word: Name, key: String? = nil, _ cursor: LineCursor
    ) throws(Diagnosed) {
        let key = key ?? word.text
        if let first = firstLines[key] {
            throw Diagnosed(
                cursor.error(.duplicateHeader, "duplicate `\(key)` line", at: word.range)
                    .related(
                        DiagnosticLocation(
                            source: cursor.source, range: first, label: "first defined here")
                    ))
        }
        firstLines[key] = word.range
    }

    private mutating func readTitle(
        _ word: Name, _ cursor: inout LineCursor
    ) throws(Diagnosed) {
        try once(word, cursor)
        header.title = cursor.restOfLine()
    }

    private func operators(_ cursor: inout LineCursor) throws(Diagnosed) -> [Name] {
        let operators = try cursor.names(of: "an operator name")
        for name in operators where isReserved(name.text) {
            throw Diagnosed(
                cursor.error(
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
        try once(word, key: "timeout \(scope.text)", cursor)
        let time = try cursor.duration()
        if scope.text == "step" {
            header.stepTimeout = time
        } else {
            header.fileTimeout = time
        }
    }

    private mutating func readSetting(_ cursor: inout LineCursor) throws(Diagnosed) {
        let name = try variable(&cursor)
        cursor.skipSpaces()
        guard cursor.skip("=") else { throw cursor.unexpected("`=`") }
        let value = try cursor.value(.send)
        switch value.kind {
        case .string, .int, .decimal, .bool:
            header.settings.append(HeaderSetting(name: name, value: value))
            variables[name.text] = name.range
        case .name, .list, .unordered, .placeholder:
            throw Diagnosed(
                cursor.error(
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
        header.secrets.append(name)
        variables[name.text] = name.range
    }

    /// Parses the name of a variable that is neither reserved nor already set.
    private func variable(_ cursor: inout LineCursor) throws(Diagnosed) -> Name {
        guard let name = cursor.name() else { throw cursor.unexpected("a variable name") }
        if ["_", "self", "nonce", "end", "length"].contains(name.text) {
            throw Diagnosed(
                cursor.error(
                    .reservedName, "`\(name.text)` cannot be set", at: name.range,
                    label: "reserved name"))
        }
        if let first = variables[name.text] {
            throw Diagnosed(
                cursor.error(.duplicateName, "`\(name.text)` is already set", at: name.range)
                    .related(DiagnosticLocation(source: cursor.source, range: first, label: "here"))
            )
        }
        return name
    }

    /// Parses the path of another file: a string without placeholders.
    private func fileName(_ cursor: inout LineCursor, of what: String) throws(Diagnosed) -> Name {
        let start = cursor.at
        guard cursor.peek() == UInt8(ascii: "\"") else {
            throw cursor.unexpected("the name of \(what) in quotes")
        }
        let bytes = try cursor.plainString()
        let range = cursor.range(from: start)
        guard !bytes.isEmpty, !bytes.contains(0) else {
            throw Diagnosed(cursor.error(.badValue, "expected the name of \(what)", at: range))
        }
        return Name(String(decoding: bytes, as: UTF8.self), range: range)
    }

    private mutating func readKnownFailure(
        _ word: Name, _ cursor: inout LineCursor
    ) throws(Diagnosed) {
        guard cursor.skipWord("failure") else { throw cursor.unexpected("`known failure on`") }
        header.knownFailures.append(try softwareRule(word, &cursor, hasDate: true))
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
            if let first = header.needs.first(where: { $0 == need }) {
                throw Diagnosed(
                    cursor.error(.duplicateName, "`\(need.text)` is listed twice", at: name.range)
                        .related(
                            DiagnosticLocation(
                                source: cursor.source, range: first.name.range,
                                label: "first defined here"
                            )
                        ))
            }
            header.needs.append(need)
            cursor.skipSpaces()
        } while cursor.skip(",")
    }

    private mutating func readCommand(_ word: Name, _ cursor: inout LineCursor) throws(Diagnosed) {
        try once(word, cursor)
        guard cursor.peek() == UInt8(ascii: "\"") else {
            throw cursor.unexpected("a quoted command")
        }
        header.command = try cursor.string(.send)
    }

    // MARK: known failure and skip

    /// Parses `on SOFTWARE [RANGE] [until DATE] "REASON"`.
    private func softwareRule(
        _ word: Name, _ cursor: inout LineCursor, hasDate: Bool
    ) throws(Diagnosed) -> SoftwareRule {
        let start = cursor.at
        cursor.skipSpaces()
        guard cursor.skipWord("on") else { throw cursor.unexpected("`on`") }
        cursor.skipSpaces()
        guard let software = cursor.name() else {
            throw cursor.unexpected("the name of the software")
        }
        cursor.skipSpaces()
        let versions = try versionRange(&cursor)
        cursor.skipSpaces()
        let until = hasDate && cursor.skipWord("until") ? try date(&cursor) : nil
        cursor.skipSpaces()
        guard cursor.peek() == UInt8(ascii: "\"") else {
            throw cursor.unexpected("the reason in quotes")
        }
        let reason = String(decoding: try cursor.plainString(), as: UTF8.self)
        return SoftwareRule(
            software: software, versions: versions, until: until, reason: reason,
            range: word.range.joined(with: cursor.range(from: start)))
    }

    private func versionRange(_ cursor: inout LineCursor) throws(Diagnosed) -> VersionRange? {
        let start = cursor.at
        let signs = VersionRange.Comparison.allCases.map(\.rawValue)
        guard signs.contains(where: { cursor.peek() == $0.utf8.first }) else { return nil }
        guard let word = cursor.word(), let range = VersionRange(word.text),
            !range.version.hasPrefix("\"")
        else {
            throw Diagnosed(
                cursor.error(.badHeader, "missing version", at: cursor.range(from: start))
                    .help(
                        "write it directly after the comparison sign: <26, <=26.1, >3, >=3, =8.2.43"
                    ))
        }
        return range
    }

    private func date(_ cursor: inout LineCursor) throws(Diagnosed) -> CalendarDate {
        cursor.skipSpaces()
        let start = cursor
        let word = cursor.word()
        if let date = word.flatMap({ CalendarDate($0.text) }) { return date }
        throw Diagnosed(
            cursor.error(
                .badDate, "expected a date, found \(start.nextText)",
                at: word?.range ?? start.nextToken
            ).help("write it as YYYY-MM-DD"))
    }
}
