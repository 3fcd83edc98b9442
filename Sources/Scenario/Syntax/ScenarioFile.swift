public import Diagnostics

/// A scenario as it was written.
public struct ScenarioFile: Sendable, Equatable {
    /// The text that all ranges point into.
    @NotCompared public var source: SourceText
    /// What stands before the first step.
    public var header: Header
    /// The named pieces.
    public var fragments: [Fragment]
    /// What happens, in order.
    public var steps: [Step]
    /// `cite` lines after the first step; each step knows its own.
    public var bodyCitations: [Citation]
    /// Comments, in order.
    public var comments: [Comment]

    /// A scenario from its parts.
    public init(
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
public struct Comment: Sendable, Equatable {
    /// The text with its `#`, without blanks at its end.
    public var text: String
    /// Where it stands.
    @NotCompared public var range: SourceRange

    /// A comment at a place.
    public init(_ text: String, range: SourceRange) {
        self.text = text
        self.range = range
    }
}
