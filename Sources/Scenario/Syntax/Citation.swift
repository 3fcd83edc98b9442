public import Diagnostics

/// How binding a rule is.
public enum RequirementLevel: String, Sendable, Hashable, CaseIterable {
    /// The document says MUST.
    case must
    /// The document says SHOULD.
    case should
    /// The document says MAY.
    case may
    /// Somebody's own choice.
    case policy
    /// Never wedge, leak, spin or hurt others: needs no clause.
    case robustness

    /// The level that the capital words of a quote give: MUST, SHALL and REQUIRED before SHOULD and
    /// RECOMMENDED before MAY and OPTIONAL; nil where there is none.
    public init?(quote: String) {
        let words = Set(quote.split { !$0.isLetter }.map(String.init))
        if !words.isDisjoint(with: ["MUST", "SHALL", "REQUIRED"]) {
            self = .must
        } else if !words.isDisjoint(with: ["SHOULD", "RECOMMENDED"]) {
            self = .should
        } else if !words.isDisjoint(with: ["MAY", "OPTIONAL"]) {
            self = .may
        } else {
            return nil
        }
    }
}

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
