import Results

/// Order of checks in runs with a time budget: rules that often find problems come first.
enum CheckPriority {
    /// The rules that find the most problems in real servers, best first; see docs/findings.md.
    private static let rules = [
        "frame.seg", "reconn.mid", "frame.eof", "frame.max", "inj.source", "inj.sep", "inj.term",
        "frame.nul", "id.dup", "id.race", "pipe.order", "pipe.preauth", "esc.roundtrip",
        "half.close",
        "frame.empty", "frame.ws", "frame.term", "cmd.unknown", "msg.history", "arity.few",
        "arity.empty", "phase.after", "phase.before", "type.int", "pay.len",
    ]

    /// Returns the checks, sorted by the rank of their rule. If a rule has one check per command,
    /// only the first of these checks gets that rank; the others come last.
    static func sorted(_ checks: [Check]) -> [Check] {
        var seen: [String: Int] = [:]
        let ranked = checks.enumerated().map { index, check in
            let rule = check.id.rule
            // Most checks of a rule, such as `frame.max:tail`, test different things, but a rule's
            // checks for single commands are nearly the same.
            let isCommand = check.id.isPerCommand
            let round = isCommand ? min(seen[rule, default: 0], 1) : 0
            seen[rule, default: 0] += 1
            return (round, rules.firstIndex(of: rule) ?? rules.count, index, check)
        }
        return ranked.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.map(\.3)
    }
}

extension CheckID {
    /// True if the check's rule generates a check for each command, such as `arity.few:JOIN`, or for
    /// each pair of features.
    fileprivate var isPerCommand: Bool {
        rule == CapabilityPairs.ruleID || rule.hasPrefix("arity.") || rule.hasPrefix("phase.")
            || rule.hasPrefix("type.")
    }
}
