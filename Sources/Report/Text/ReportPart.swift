/// A part of a text report, which a CI log can show folded.
package struct ReportPart: Sendable, Hashable {
    package var text: String
    /// Title of the folded part; nil for a part that is always visible.
    package var title: String?

    package init(_ text: String, foldedAs title: String? = nil) {
        self.text = text
        self.title = title
    }
}
