package import Diagnostics

/// The syntax tree of a scenario file.
package struct ScenarioFile: Sendable, Equatable {
    /// The source text that all ranges refer to.
    @NotCompared package var source: SourceText
    package var header = Header()
    package var fragments: [Fragment] = []
    package var steps: [Step] = []
    /// The `cite` lines after the first step. In addition, each step stores the citation that
    /// applies to it.
    package var bodyCitations: [Citation] = []
    package var comments: [Comment] = []
    /// The fragments of included files; empty until the files are read.
    package var included: [IncludedFragment] = []
}

extension ScenarioFile {
    /// True if the file has no steps of its own, only fragments for other files to include.
    package var hasOnlyFragments: Bool { steps.isEmpty && !fragments.isEmpty }

    /// The title from the header; defaults to the file name without its extension.
    package var title: String {
        if let title = header.title { return title.text }
        let file = source.path.split(separator: "/").last.map(String.init) ?? source.path
        return file.hasSuffix(".chat") ? String(file.dropLast(5)) : file
    }
}

/// A fragment from another file.
package struct IncludedFragment: Sendable, Equatable {
    package var fragment: Fragment
    /// The source text that the fragment's ranges refer to.
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
