import LineProtocol

/// All that is looked out for, in the order in which it is tried.
struct MatchRules: Sendable {
    /// What a rule is for.
    enum Purpose: Sendable {
        /// The n-th line that answers a probe.
        case answer(Int)
        /// A text to one other arrives.
        case arrival
        /// A text to a room arrives.
        case heard
        /// A line that is answered.
        case standing(ReplyTemplate)
        /// Something is refused.
        case reject
    }

    private(set) var rules: [LineRule] = []
    private(set) var purposes: [Purpose] = []
    /// For each place in the command table where its rules begin in `dispatch`, and where they end.
    private(set) var starts: [Int] = []
    private(set) var dispatch: [Int] = []
    /// The rules for lines whose command the table does not know.
    private(set) var unknown: [Int] = []

    mutating func add(_ rule: LineRule, for purpose: Purpose) {
        rules.append(rule)
        purposes.append(purpose)
    }

    /// Sorts the rules by command; after that nothing may be added.
    mutating func seal(_ dialect: Dialect) {
        starts = [0]
        for (place, signature) in dialect.commands.signatures.enumerated() {
            for (index, rule) in rules.enumerated() where takes(rule, place, signature) {
                dispatch.append(index)
            }
            starts.append(dispatch.count)
        }
        unknown = rules.indices.filter {
            if case .commands = rules[$0].verb { false } else { true }
        }
    }

    private func takes(_ rule: LineRule, _ place: Int, _ signature: CommandSignature) -> Bool {
        switch rule.verb {
        case .commands(let places): places.contains(place)
        case .any: true
        // Which verbs an expression takes shows only when a line is there.
        case .expression: true
        case .literal: signature.wire.isClass
        }
    }
}

extension WireName {
    /// Whether many commands have it.
    var isClass: Bool {
        switch self {
        case .digits, .prefix: true
        case .exact, .none: false
        }
    }
}
