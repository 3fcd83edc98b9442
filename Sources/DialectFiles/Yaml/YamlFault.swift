import Diagnostics

/// A YAML parser's syntax error, converted to a diagnostic with a clearer message.
struct YamlFault {
    let diagnostic: Diagnostic

    init(_ error: YamlError, _ source: SourceText, _ marks: YamlMarks) {
        func location(_ mark: YamlMark) -> DiagnosticLocation {
            let offset = min(marks.offset(of: mark), source.bytes.count)
            return DiagnosticLocation(
                source: source, range: SourceRange(start: offset, end: offset + 1))
        }
        switch error {
        case .syntax(let problem, let mark, let context):
            diagnostic = Self.syntax(
                problem, location(mark), context.map { ($0.text, location($0.mark)) })
        case .character(let problem, let offset):
            diagnostic = Diagnostic(
                .error, .yaml, "invalid YAML: \(problem)",
                at: DiagnosticLocation(
                    source: source, range: SourceRange(start: offset, end: offset + 1))
            ).help("write the byte as 0xHH, or \"\\xHH\" in double quotes")
        case .memory:
            diagnostic = Diagnostic(.error, .fileTooLarge, "not enough memory to read the file")
        }
    }

    private static func syntax(
        _ problem: String, _ location: DiagnosticLocation,
        _ context: (text: String, location: DiagnosticLocation)?
    ) -> Diagnostic {
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
}
