/// The requirement level of a rule, based on the RFC 2119 keywords.
public enum RequirementLevel: String, Sendable, Hashable, CaseIterable {
    /// The specification says MUST.
    case must
    /// The specification says SHOULD.
    case should
    /// The specification says MAY.
    case may
    /// The specification leaves the choice to the server.
    case policy
    /// General robustness: no hangs, leaks, busy loops or effects on other clients. Needs no
    /// clause.
    case robustness

    /// Derives the level from the RFC 2119 keywords in a quote. MUST, SHALL and REQUIRED take
    /// precedence over SHOULD and RECOMMENDED, which take precedence over MAY and OPTIONAL. Returns
    /// nil if the quote contains no such keyword.
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

/// A clause of a specification, with the dialect settings derived from it.
public struct Clause: Sendable, Equatable {
    /// The ID that dialects use to refer to the clause.
    public var id: String
    /// Name of the document.
    public var document: String
    /// Section number without the section sign.
    public var section: String
    /// The text of the clause, quoted from the document.
    public var quote: String
    /// How strictly the clause binds servers: MUST, SHOULD, MAY and so on.
    public var level: RequirementLevel
    /// Paths of the dialect settings derived from the clause, such as `framing.accept`.
    public var rules: [String]

    /// Creates a clause. Without `level`, the level is derived from the quote.
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
