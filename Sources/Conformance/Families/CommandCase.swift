import LineProtocol
import Results
import Scenario

/// The `cmd.case` rule, in which a command is sent in upper case instead of lower case, or vice
/// versa.
enum CommandCase: CheckFamily {
    static let ruleID = "cmd.case"
    static let rule = "fields.verb-case"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.hasVerbs else { return notApplicable("the dialect's lines have no command") }
        guard let probe = WireLine.probe(subject) else {
            return notApplicable("the dialect has no probe")
        }
        let verb = probe.verb(subject.dialect)
        guard probe.line[verb].contains(where: ASCII.isLetter) else {
            return notApplicable("the probe's command has no letters")
        }
        let isExact = !subject.dialect.syntax.fromClient.ignoresVerbCase
        let check = Check(
            CheckID(ruleID),
            isExact
                ? "command names are case-sensitive"
                : "command names are case-insensitive",
            setting: rule, says: isExact ? "exact" : "insensitive", in: subject
        ) { maker in
            spellings(probe, verb).map { title, line in
                isExact
                    ? unknown(title, line, &maker)
                    : same(title, plain: probe, line, &maker)
            }
        }
        return [.check(check)]
    }

    /// Returns two variants of the line: one with the case of the whole command changed, and one
    /// with the case of a single letter changed.
    private static func spellings(_ probe: WireLine, _ verb: Range<Int>) -> [(String, WireLine)] {
        var other = probe
        for index in verb { other.line[index] = ASCII.otherCase(other.line[index]) }
        var mixed = probe
        if let last = verb.last(where: { ASCII.isLetter(probe.line[$0]) }) {
            mixed.line[last] = ASCII.otherCase(mixed.line[last])
        }
        let both = [
            ("in the opposite case", other), ("with one letter in the opposite case", mixed),
        ]
        return other == mixed ? [both[0]] : both
    }

    private static func same(
        _ title: String, plain: WireLine, _ line: WireLine, _ maker: inout CaseMaker
    ) -> CheckCase {
        var script = maker.script(title)
        script.barrier("alice", role: .control)
        script.differentialPair(plain.bytes, line.bytes, by: "alice")
        script.barrier("alice")
        return script.made()
    }

    private static func unknown(
        _ title: String, _ line: WireLine, _ maker: inout CaseMaker
    ) -> CheckCase {
        let reaction = CommandUnknown.reaction(maker.subject)
        var script = maker.script(title)
        script.barrier("alice", role: .control)
        script.send(
            .stimulus, line.bytes, by: "alice",
            requires: reaction.expected(by: "alice", in: script))
        script.barrier("alice")
        return script.made { evidence in
            // Another check covers the reaction to an unknown command.
            for stimulus in evidence.stimuli
            where ObservedAnswer(&evidence, stimulus: stimulus).kind == .closed {
                return .passed
            }
            return reaction.judge(&evidence)
        }
    }
}

extension ASCII {
    static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    static func otherCase(_ byte: UInt8) -> UInt8 { isLetter(byte) ? byte ^ 0x20 : byte }
}
