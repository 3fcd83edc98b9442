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

    /// The level that the capital words of a quote give (RFC 2119): MUST, SHALL and REQUIRED before
    /// SHOULD and RECOMMENDED before MAY and OPTIONAL; nil where there is none.
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

/// The place in a document that a rule comes from.
public struct Clause: Sendable, Equatable {
    /// The word by which rules name it.
    public var id: String
    /// The document.
    public var document: String
    /// The section without its sign.
    public var section: String
    /// The rule's words.
    public var quote: String
    /// How binding it is.
    public var level: RequirementLevel
    /// The settings that follow from it, by path (`framing.accept`).
    public var rules: [String]

    /// A value from its parts.
    public init(
        id: String, document: String, section: String, quote: String,
        level: RequirementLevel? = nil, rules: [String] = []
    ) {
        self.id = id
        self.document = document
        self.section = section
        self.quote = quote
        self.level = level ?? RequirementLevel(quote: quote) ?? .policy
        self.rules = rules
    }
}
