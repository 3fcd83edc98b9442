package import LineProtocol

/// A rule in a specification that a scenario cites.
package struct CitedRule: Sendable, Hashable, Codable {
    /// Name of the document, such as `RFC 2812`.
    package var document: String
    /// Number of the section without the section sign, such as `3.1.2`.
    package var section: String?
    package var level: RequirementLevel
    /// The quoted text of the rule.
    package var quote: String?

    package init(document: String, section: String?, level: RequirementLevel, quote: String?) {
        self.document = document
        self.section = section
        self.level = level
        self.quote = quote
    }

    /// Summary of the citation, such as `RFC 2812 §3.1.2 (must)`.
    package var summary: String {
        let location = section.map { "\(document) §\($0)" } ?? document
        return "\(location) (\(level.rawValue))"
    }
}

extension RequirementLevel: Codable {}
