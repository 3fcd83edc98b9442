package import Diagnostics
package import LineProtocol

/// The rule behind a scenario or a step: `cite RFC 2812 §3.1.2  must "…"`.
package struct Citation: Sendable, Equatable {
    /// The document: `RFC 2812`.
    package var document: String
    /// The section without its sign: `3.1.2`; nil where the document has none.
    package var section: String?
    /// The level that was written; nil where it is to be read from the quote.
    package var statedLevel: RequirementLevel?
    /// The rule's words.
    package var quote: String?
    /// The line.
    @NotCompared package var range: SourceRange

    /// A citation from its parts.
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

    /// How binding it is: as stated, else as the quote says, else a policy.
    package var level: RequirementLevel {
        statedLevel ?? quote.flatMap(RequirementLevel.init(quote:)) ?? .policy
    }

    /// `RFC 2812 §3.1.2 (must)`, as reports show it.
    package var summary: String {
        let place = section.map { "\(document) §\($0)" } ?? document
        return "\(place) (\(level.rawValue))"
    }
}
