/// Part of a text report that can be collapsed in a CI log.
package struct ReportPart: Sendable, Hashable {
    package var text: String
    /// Title of a collapsible part; nil for a part that is always visible.
    package var title: String?

    package init(_ text: String, foldedAs title: String? = nil) {
        self.text = text
        self.title = title
    }
}
