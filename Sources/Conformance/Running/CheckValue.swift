import Results

/// Order of checks for runs with a time budget: rules that often find something come first.
enum CheckValue {
    /// The rules that find most in real servers, best first; see docs/findings.md.
    private static let rules = [
        "frame.seg", "reconn.mid", "frame.eof", "frame.max", "inj.source", "inj.sep", "inj.term",
        "frame.nul", "id.dup", "id.race", "pipe.order", "pipe.preauth", "esc.roundtrip",
        "half.close",
        "frame.empty", "frame.ws", "frame.term", "cmd.unknown", "msg.history", "arity.few",
        "arity.empty", "phase.after", "phase.before", "type.int", "pay.len",
    ]

    /// Returns the checks with one of each rule first, and otherwise by the rank of their rule.
    static func sorted(_ checks: [Check]) -> [Check] {
        var seen: [String: Int] = [:]
        let ranked = checks.enumerated().map { index, check in
            let rule = check.id.rule
            // Parts of a rule such as `frame.max:tail` differ; those for each command hardly do.
            let isCommand = check.id.isPerCommand
            let round = isCommand ? min(seen[rule, default: 0], 1) : 0
            seen[rule, default: 0] += 1
            return (round, rules.firstIndex(of: rule) ?? rules.count, index, check)
        }
        return ranked.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.map(\.3)
    }
}

extension CheckID {
    /// Whether the check is one of a rule's for each command, such as `arity.few:JOIN`.
    fileprivate var isPerCommand: Bool {
        rule.hasPrefix("arity.") || rule.hasPrefix("phase.") || rule.hasPrefix("type.")
    }
}
