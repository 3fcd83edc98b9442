/// Renderer for human-readable diagnostics:
///
///     error: `bbo` is not one of the operators
///       --> nickname-case.chat:7:1
///     7 | bbo <- 433
///       | ^^^
///       = help: did you mean `bob`?
public struct DiagnosticRenderer: Sendable {
    /// True to use ANSI colours.
    public var isColoured: Bool
    /// The maximum width of an excerpt in columns. Longer lines are shortened to the part around
    /// the carets.
    public var excerptColumnsMax: Int

    /// Creates a renderer.
    public init(isColoured: Bool = false, excerptColumnsMax: Int = 100) {
        self.isColoured = isColoured
        self.excerptColumnsMax = max(excerptColumnsMax, 20)
    }

    /// Renders diagnostics, with an empty line between them. The result ends with a line feed
    /// unless it is empty.
    public func text(_ diagnostics: some Sequence<Diagnostic>) -> String {
        diagnostics.map { text($0) }.joined(separator: "\n")
    }

    /// Renders a single diagnostic. The result ends with a line feed.
    public func text(_ diagnostic: Diagnostic) -> String {
        let colour = Colour(diagnostic.severity)
        var lines = [
            styled(diagnostic.severity.rawValue, colour)
                + styled(": " + escapedForDisplay(diagnostic.message), .bold)
        ]
        let locations = [diagnostic.location].compactMap(\.self) + diagnostic.related
        let gutter = locations.map { String($0.position.line).count }.max() ?? 0
        if let location = diagnostic.location {
            lines += excerpt(of: location, mark: "^", gutter: gutter, colour)
        }
        for location in diagnostic.related {
            lines += excerpt(of: location, mark: "-", gutter: gutter, .blue)
        }
        for note in diagnostic.notes { lines += rendered(note, gutter: gutter) }
        return lines.map { $0 + "\n" }.joined()
    }

    private func rendered(_ note: DiagnosticNote, gutter: Int) -> [String] {
        let parts = note.text.split(separator: "\n", omittingEmptySubsequences: false)
        let margin = String(repeating: " ", count: gutter + 1)
        return parts.enumerated().map { index, part in
            let text = escapedForDisplay(String(part))
            if index > 0 { return "\(margin)  \(text)" }
            return "\(margin)\(styled("=", .blue)) \(styled(note.kind.rawValue, .bold)): \(text)"
        }
    }

    private func excerpt(
        of location: DiagnosticLocation, mark: String, gutter: Int, _ colour: Colour
    ) -> [String] {
        let position = location.position
        let margin = String(repeating: " ", count: gutter)
        let path = escapedForDisplay(location.source.path)
        let heading = "\(path):\(position.line):\(position.column)"
        let number = String(position.line)
        let padded = margin.dropFirst(number.count) + number
        let excerpt = Excerpt(location, columnsMax: excerptColumnsMax)
        let marks = String(repeating: mark, count: excerpt.markWidth)
        let label = location.label.isEmpty ? "" : " " + escapedForDisplay(location.label)
        let indent = String(repeating: " ", count: excerpt.markColumn)
        let text = excerpt.text.isEmpty ? "" : " " + excerpt.text
        return [
            "\(margin) \(styled("-->", .blue)) \(heading)",
            "\(styled("\(padded) |", .blue))\(text)",
            "\(styled("\(margin) |", .blue)) \(indent)\(styled(marks + label, colour))",
        ]
    }

    private func styled(_ text: String, _ colour: Colour) -> String {
        isColoured ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    private enum Colour: String {
        case red = "1;31"
        case yellow = "1;33"
        case cyan = "1;36"
        case blue = "1;34"
        case bold = "1"

        init(_ severity: Severity) {
            self =
                switch severity {
                case .error: .red
                case .warning: .yellow
                case .note: .cyan
                }
        }
    }
}
