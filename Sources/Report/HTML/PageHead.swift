/// Header of every page; the template refers to the property names.
struct PageHead {
    /// Name and value, both escaped for display.
    struct Fact {
        var name: String
        var value: String
    }

    var pageTitle: String
    var headline: String
    var toolVersion: String
    var facts: [Fact]
    var warning: String?

    /// Creates the header of a page.
    ///
    /// - Parameter kind: appended to the tool's name in the window title.
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
