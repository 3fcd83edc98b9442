/// What stands at the top of every page; the template reads the names of the members.
struct PageHead {
    /// A name and a value, as they are shown.
    struct Fact {
        var name: String
        var value: String
    }

    var pageTitle: String
    var headline: String
    var toolVersion: String
    var facts: [Fact]
    var warning: String?

    /// The head of a page.
    ///
    /// - Parameter kind: what stands behind the tool's name in the title of the window.
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
