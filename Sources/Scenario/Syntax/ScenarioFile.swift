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
    /// Fragments of the files that the `include` lines name; empty until they have been read.
    package var included: [IncludedFragment] = []

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

extension ScenarioFile {
    /// True if the file only defines fragments, for others to include.
    package var hasOnlyFragments: Bool { steps.isEmpty && !fragments.isEmpty }
}

/// A fragment of another file.
package struct IncludedFragment: Sendable, Equatable {
    package var fragment: Fragment
    /// Source text that its ranges refer to.
    @NotCompared package var source: SourceText

    package init(_ fragment: Fragment, source: SourceText) {
        self.fragment = fragment
        self.source = source
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
