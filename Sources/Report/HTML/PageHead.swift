/// Template data for the top of a page. The template refers to the properties by name.
struct PageHead {
    /// A fact in the page head: a name and its value, both escaped for display.
    struct Fact {
        var name: String
        var value: String
    }

    var pageTitle: String
    var headline: String
    var toolVersion: String
    var facts: [Fact]
    var warning: String?
    /// Content security policy of the page.
    var policy = "default-src 'none'; style-src 'unsafe-inline'"
    var script: String?
    /// True if the page is updated while it is shown.
    var isLive = false

    /// Creates the head of a page.
    ///
    /// - Parameter kind: Text added to the tool's name in the window title.
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
