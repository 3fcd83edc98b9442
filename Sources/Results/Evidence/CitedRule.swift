package import LineProtocol

/// A specification rule cited in a scenario.
package struct CitedRule: Sendable, Hashable, Codable {
    /// Name of the document, such as `RFC 2812`.
    package var document: String
    /// Section number without the section sign, such as `3.1.2`; nil if none is cited.
    package var section: String?
    package var level: RequirementLevel
    /// Text quoted from the rule; nil if there is none.
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
