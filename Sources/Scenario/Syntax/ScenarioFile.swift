package import Diagnostics

/// The syntax tree of a scenario file.
package struct ScenarioFile: Sendable, Equatable {
    /// Source text that all ranges refer to.
    @NotCompared package var source: SourceText
    package var header: Header
    package var fragments: [Fragment]
    package var steps: [Step]
    /// `cite` lines after the first step. Each step also carries the one that applies to it.
    package var bodyCitations: [Citation]
    package var comments: [Comment]

    package init(
        source: SourceText, header: Header = Header(), fragments: [Fragment] = [],
        steps: [Step] = [], bodyCitations: [Citation] = [], comments: [Comment] = []
    ) {
        self.source = source
        self.header = header
        self.fragments = fragments
        self.steps = steps
        self.bodyCitations = bodyCitations
        self.comments = comments
    }
}

/// A comment from its `#` to the end of the line.
package struct Comment: Sendable, Equatable {
    /// Text including the `#`, without trailing spaces.
    package var text: String
    @NotCompared package var range: SourceRange

    package init(_ text: String, range: SourceRange) {
        self.text = text
        self.range = range
    }
}
