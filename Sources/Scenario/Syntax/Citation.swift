package import Diagnostics
package import LineProtocol

/// A specification rule cited by a scenario or step: `cite RFC 2812 §3.1.2  must "…"`.
package struct Citation: Sendable, Equatable {
    package var document: String
    /// Section number without the section sign, such as `3.1.2`; nil if none is given.
    package var section: String?
    /// The level written in the scenario; nil to derive it from the quote.
    package var statedLevel: RequirementLevel?
    /// The quoted text of the rule; nil if it is not quoted.
    package var quote: String?
    @NotCompared package var range: SourceRange

    package init(
        document: String, section: String?, statedLevel: RequirementLevel?, quote: String?,
        range: SourceRange
    ) {
        self.document = document
        self.section = section
        self.statedLevel = statedLevel
        self.quote = quote
        self.range = range
    }

    /// The requirement level: the level written in the scenario, else the level implied by the
    /// quote, else `.policy`.
    package var level: RequirementLevel {
        statedLevel ?? quote.flatMap(RequirementLevel.init(quote:)) ?? .policy
    }

    /// The short form used in reports: `RFC 2812 §3.1.2 (must)`.
    package var summary: String {
        let source = section.map { "\(document) §\($0)" } ?? document
        return "\(source) (\(level.rawValue))"
    }
}
