import Diagnostics

/// A scenario created in memory. Printing it gives its text, and a syntax tree whose ranges refer
/// to that text, so nothing has to be parsed.
package struct GeneratedScenario: Sendable {
    /// Consecutive steps under a common comment.
    package struct Section: Sendable {
        /// Comment above the steps, without its `#`; nil for none.
        package var comment: String?
        package var steps: [Step]

        package init(_ steps: [Step], comment: String? = nil) {
            self.comment = comment
            self.steps = steps
        }
    }

    /// Comment lines at the top, without their `#`.
    package var comments: [String] = []
    package var header = Header()
    package var sections: [Section]
    package var fragments: [Fragment] = []

    package init(_ sections: [Section] = []) { self.sections = sections }

    /// Prints the scenario.
    ///
    /// - Parameter path: path of the file, for diagnostics.
    package func printed(path: String) -> ScenarioFile {
        var writer = ScenarioWriter()
        writer.actorWidth = (sections.flatMap(\.steps) + self.fragments.flatMap(\.steps)).actorWidth
        var comments = self.comments.map { writer.comment($0) }
        let header = writer.header(self.header)
        if sections.first?.comment == nil { writer.write("\n") }
        var steps: [Step] = []
        for section in sections {
            if let comment = section.comment {
                writer.write("\n")
                comments.append(writer.comment(comment))
            }
            steps += writer.steps(section.steps)
        }
        let fragments = self.fragments.map { fragment in
            writer.write("\n")
            return writer.fragment(fragment)
        }
        return ScenarioFile(
            source: SourceText(path: path, bytes: Array(writer.text.utf8)), header: header,
            fragments: fragments, steps: steps, comments: comments)
    }
}

extension ScenarioWriter {
    /// Prints a comment line.
    fileprivate mutating func comment(_ text: String) -> Comment {
        let line = text.isEmpty ? "#" : "# \(text)"
        defer { write("\n") }
        return Comment(line, range: written(line))
    }
}
