package import Diagnostics

/// A scenario as it was written.
package struct ScenarioFile: Sendable, Equatable {
    /// The text that all ranges point into.
    @NotCompared package var source: SourceText
    /// What stands before the first step.
    package var header: Header
    /// The named pieces.
    package var fragments: [Fragment]
    /// What happens, in order.
    package var steps: [Step]
    /// `cite` lines after the first step; each step knows its own.
    package var bodyCitations: [Citation]
    /// Comments, in order.
    package var comments: [Comment]

    /// A scenario from its parts.
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
    /// The text with its `#`, without blanks at its end.
    package var text: String
    /// Where it stands.
    @NotCompared package var range: SourceRange

    /// A comment at a place.
    package init(_ text: String, range: SourceRange) {
        self.text = text
        self.range = range
    }
}
