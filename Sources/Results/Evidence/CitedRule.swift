package import LineProtocol

/// A rule that a scenario cites, without its place in the file.
package struct CitedRule: Sendable, Hashable, Codable {
    /// The document: `RFC 2812`.
    package var document: String
    /// The section without its sign: `3.1.2`.
    package var section: String?
    /// How binding it is.
    package var level: RequirementLevel
    /// The rule's words.
    package var quote: String?

    /// A rule from its parts.
    package init(document: String, section: String?, level: RequirementLevel, quote: String?) {
        self.document = document
        self.section = section
        self.level = level
        self.quote = quote
    }

    /// `RFC 2812 §3.1.2 (must)`.
    package var summary: String {
        let place = section.map { "\(document) §\($0)" } ?? document
        return "\(place) (\(level.rawValue))"
    }
}

extension RequirementLevel: Codable {}
