import LineProtocol

/// All rules of a script, in the order they are tried.
struct MatchRules: Sendable {
    /// The meaning of a matching line.
    enum Purpose: Sendable {
        /// A line of a probe's answer, with the line's index in the answer.
        case answer(Int)
        /// A message to one operator.
        case arrival
        /// A message to a room.
        case roomMessage
        /// A line that requires a reply, such as a ping.
        case standing(ReplyTemplate)
        /// A line with which the server refuses a request.
        case reject
    }

    private(set) var rules: [LineRule] = []
    private(set) var purposes: [Purpose] = []
    /// Start of each command's rules in `dispatch`, by index in the command table.
    private(set) var starts: [Int] = []
    private(set) var dispatch: [Int] = []
    /// Rules for lines whose command is not in the table.
    private(set) var unknown: [Int] = []

    mutating func add(_ rule: LineRule, for purpose: Purpose) {
        rules.append(rule)
        purposes.append(purpose)
    }

    /// Builds the index by command. No rules can be added afterwards.
    mutating func seal(_ dialect: Dialect) {
        starts = [0]
        for (commandIndex, signature) in dialect.commands.signatures.enumerated() {
            for (index, rule) in rules.enumerated() where takes(rule, commandIndex, signature) {
                dispatch.append(index)
            }
            starts.append(dispatch.count)
        }
        unknown = rules.indices.filter {
            if case .commands = rules[$0].verb { false } else { true }
        }
    }

    private func takes(_ rule: LineRule, _ commandIndex: Int, _ signature: CommandSignature) -> Bool
    {
        switch rule.verb {
        case .commands(let indices): indices.contains(commandIndex)
        case .any: true
        // The commands an expression matches are only known at run time.
        case .expression: true
        case .literal: signature.wire.isClass
        }
    }
}

extension WireName {
    /// True if the name can match several commands.
    var isClass: Bool {
        switch self {
        case .digits, .prefix: true
        case .exact, .none, .prompted: false
        }
    }
}
