public import Diagnostics
public import LineProtocol

/// The rule behind a scenario or a step: `cite RFC 2812 §3.1.2  must "…"`.
public struct Citation: Sendable, Equatable {
    /// The document: `RFC 2812`.
    public var document: String
    /// The section without its sign: `3.1.2`; nil where the document has none.
    public var section: String?
    /// The level that was written; nil where it is to be read from the quote.
    public var statedLevel: RequirementLevel?
    /// The rule's words.
    public var quote: String?
    /// The line.
    @NotCompared public var range: SourceRange

    /// A citation from its parts.
    public init(
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
    public var level: RequirementLevel {
        statedLevel ?? quote.flatMap(RequirementLevel.init(quote:)) ?? .policy
    }

    /// `RFC 2812 §3.1.2 (must)`, as reports show it.
    public var summary: String {
        let place = section.map { "\(document) §\($0)" } ?? document
        return "\(place) (\(level.rawValue))"
    }
}
