/// How binding a rule is.
public enum RequirementLevel: String, Sendable, Hashable, CaseIterable {
    case must, should, may
    /// The dialect's own choice.
    case policy
    /// Never wedge, leak, spin or hurt others: needs no clause.
    case robustness

    /// The level that a quoted rule states by its key word (RFC 2119), else `.policy`.
    public init(quote: String) {
        let words = quote.split { !$0.isLetter }
        if words.contains(where: { ["MUST", "SHALL", "REQUIRED"].contains($0) }) {
            self = .must
        } else if words.contains(where: { ["SHOULD", "RECOMMENDED"].contains($0) }) {
            self = .should
        } else if words.contains(where: { ["MAY", "OPTIONAL"].contains($0) }) {
            self = .may
        } else {
            self = .policy
        }
    }
}

/// The place in a document that a rule comes from.
public struct Clause: Sendable, Equatable {
    public var id: String
    public var document: String
    public var section: String
    public var quote: String
    public var level: RequirementLevel
    /// The settings that follow from it, by path (`framing.accept`).
    public var rules: [String]

    public init(
        id: String, document: String, section: String, quote: String,
        level: RequirementLevel? = nil, rules: [String] = []
    ) {
        self.id = id
        self.document = document
        self.section = section
        self.quote = quote
        self.level = level ?? RequirementLevel(quote: quote)
        self.rules = rules
    }
}
