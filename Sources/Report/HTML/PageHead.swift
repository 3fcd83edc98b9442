/// The head of a page. The template refers to the property names.
struct PageHead {
    /// A name and a value, both escaped for display.
    struct Fact {
        var name: String
        var value: String
    }

    var pageTitle: String
    var headline: String
    var toolVersion: String
    var facts: [Fact]
    var warning: String?

    /// Creates the head of a page.
    ///
    /// - Parameter kind: Text that is appended to the tool's name in the window title.
    init(
        _ headline: String, kind: String? = nil, toolVersion: String, facts: [Fact],
        warning: String?
    ) {
        self.headline = headline
        pageTitle = "\(headline) - linejudge" + (kind.map { " \($0)" } ?? "")
        self.toolVersion = toolVersion
        self.facts = facts
        self.warning = warning
    }
}
