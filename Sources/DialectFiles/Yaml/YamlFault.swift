import Diagnostics
import Yams

/// A YAML parser's syntax error, converted to a diagnostic with a clearer message.
struct YamlFault {
    let diagnostic: Diagnostic

    init(_ error: YamlError, _ source: SourceText, _ marks: YamlMarks) {
        func location(_ mark: Mark) -> DiagnosticLocation {
            let offset = min(marks.offset(line: mark.line, column: mark.column), source.bytes.count)
            return DiagnosticLocation(
                source: source, range: SourceRange(start: offset, end: offset + 1))
        }
        switch error {
        case .scanner(let context, let problem, let mark, _),
            .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            diagnostic = Self.syntax(
                problem, location(mark), context.map { ($0.text, location($0.mark)) })
        case .duplicatedKeysInMapping(let names, let context):
            diagnostic = Self.duplicate(names, location(context.mark), source)
        case .reader(let problem, let offset, _, let yaml):
            let index = offset.map { yaml.index(yaml.startIndex, offsetBy: $0) }
            let start = index.map { yaml.utf8.distance(from: yaml.startIndex, to: $0) } ?? 0
            diagnostic = Diagnostic(
                .error, .yaml, "invalid YAML: \(problem)",
                at: DiagnosticLocation(
                    source: source, range: SourceRange(start: start, end: start + 1))
            ).help("write the byte as 0xHH, or \"\\xHH\" in double quotes")
        case .memory:
            diagnostic = Diagnostic(
                .error, .fileTooLarge, "lists and maps are nested too deeply")
        default:
            diagnostic = Diagnostic(.error, .yaml, "invalid YAML: \(error)")
        }
    }

    private static func syntax(
        _ problem: String, _ location: DiagnosticLocation,
        _ context: (text: String, location: DiagnosticLocation)?
    ) -> Diagnostic {
        if problem.contains("another document") {
            return Diagnostic(
                .error, .yaml, "a dialect file must contain a single YAML document", at: location
            )
            .help("remove the line `---`, or split the file")
        }
        var position = location
        // Unclosed quotes and brackets are detected only at the end of the file.
        if let context, problem.contains("end of stream") { position = context.location }
        var fault = Diagnostic(.error, .yaml, "invalid YAML: \(problem)", at: position)
        if var start = context?.location, start.range != position.range {
            start.label = context?.text ?? ""
            fault = fault.related(start)
        }
        return advice(problem, location).map(fault.help) ?? fault
    }

    private static func advice(_ problem: String, _ location: DiagnosticLocation) -> String? {
        let source = location.source
        let byte = source.bytes(in: location.range).first
        if byte == UInt8(ascii: "\t") { return "indent with spaces, not tabs" }
        if byte == UInt8(ascii: "?") { return "put the question mark in quotes: '?'" }
        if problem.contains("cannot start any token") || problem.contains("alias")
            || problem.contains("anchor")
        {
            return "put the value in single quotes"
        }
        if problem.contains("mapping values are not allowed") {
            return "put a value that contains `: ` in quotes, or in a block after `|`"
        }
        if problem.contains("did not find expected key") || problem.contains("block collection") {
            return "indent all entries of a map or list to the same column"
        }
        if problem.contains("unexpected end of stream") { return "there is an unclosed quote" }
        if problem.contains("','") { return "there is an unclosed bracket or a missing comma" }
        return nil
    }

    /// Returns the error for a key that occurs twice.
    ///
    /// - Parameter first: location of the key, or the start of the file if the parser did not
    ///   report a location.
    private static func duplicate(
        _ names: [String], _ first: DiagnosticLocation, _ source: SourceText
    ) -> Diagnostic {
        let name = names.first ?? ""
        var earlier = first
        earlier.range.end = earlier.range.start + name.utf8.count
        earlier.label = "first one is here"
        guard let second = location(of: name, like: earlier.range.start, in: source) else {
            earlier.label = ""
            return Diagnostic(
                .error, .duplicateKey, "`\(shortened(name))` occurs twice in the same map",
                at: earlier
            ).help("keep one of them")
        }
        return Diagnostic(
            .error, .duplicateKey, "`\(shortened(name))` occurs twice in the same map",
            at: DiagnosticLocation(source: source, range: second)
        ).related(earlier).help("keep one of them")
    }

    /// Returns the next occurrence of the key after `offset` in the same column.
    private static func location(
        of name: String, like offset: Int, in source: SourceText
    ) -> SourceRange? {
        let firstLine = source.line(at: offset)
        let column = offset - source.range(ofLine: firstLine).start
        guard firstLine < source.lineCount else { return nil }
        for line in (firstLine + 1)...source.lineCount {
            let range = source.range(ofLine: line)
            let start = range.start + column
            let key = SourceRange(start: start, end: start + name.utf8.count)
            guard key.end < range.end else { continue }
            let before = source.bytes(in: SourceRange(start: range.start, end: start))
            if before.allSatisfy({ $0 == UInt8(ascii: " ") }),
                source.bytes(in: key).elementsEqual(name.utf8),
                source.bytes[key.end] == UInt8(ascii: ":")
            {
                return key
            }
        }
        return nil
    }
}
