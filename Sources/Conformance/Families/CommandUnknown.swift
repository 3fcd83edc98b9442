import LineProtocol
import Results
import Scenario

/// The `cmd.unknown` rule, in which a client sends a command that does not exist.
enum CommandUnknown: CheckFamily {
    static let ruleID = "cmd.unknown"
    static let rule = "policies.unknown-command"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.hasVerbs else { return notApplicable("the dialect's lines have no command") }
        guard let known = subject.clientCommands.first?.verb else {
            return notApplicable("the dialect has no client commands")
        }
        let policy = subject.dialect.policies["unknown-command"]
        let check = Check(
            CheckID(ruleID), "an unknown command \(claims[policy ?? ""] ?? measured)",
            setting: rule, says: policy ?? "?", in: subject
        ) { maker in
            [0, 2].map { count in
                var script = maker.script(count == 0 ? "by itself" : "with \(count) arguments")
                script.barrier("alice", role: .control)
                let verb = unknownVerb(like: known, &maker)
                let line = line(verb, arguments: count, subject)
                script.send(
                    .stimulus, line, by: "alice",
                    requires: reaction(subject).expected(by: "alice", in: script))
                script.barrier("alice")
                return script.made(.any) { reaction(subject).judge(&$0) }
            }
        }
        return [.check(check)]
    }

    private static let measured = "does not close the connection silently"
    private static let claims = [
        "error": "is refused", "ignore": "is ignored", "close": "ends the connection",
    ]

    /// Returns the reaction that the dialect specifies.
    static func reaction(_ subject: Subject) -> Reaction {
        switch subject.dialect.policies["unknown-command"] {
        case "error": .refusal
        case "ignore": .silence
        case "close": .close
        default: .open
        }
    }

    /// Returns an unknown command of the same shape as a known one: letters in place of letters,
    /// digits in place of digits.
    private static func unknownVerb(like known: [UInt8], _ maker: inout CaseMaker) -> [UInt8] {
        let taken = maker.subject.dialect.commands
        for _ in 0..<100 {
            let verb = known.map { byte -> UInt8 in
                switch byte {
                case 0x30...0x39: UInt8(0x30 + maker.number(below: 10))
                case 0x41...0x5A: UInt8(0x41 + maker.number(below: 26))
                case 0x61...0x7A: UInt8(0x61 + maker.number(below: 26))
                default: byte
                }
            }
            let range = 0..<verb.count
            if taken.command(verb.span, range, .fromClient) == nil,
                taken.command(verb.span, range, .fromServer) == nil
            {
                return verb
            }
        }
        return known + Array("QZX".utf8)
    }

    private static func line(
        _ verb: [UInt8], arguments count: Int, _ subject: Subject
    ) -> [UInt8] {
        let syntax = subject.dialect.syntax.fromClient
        if syntax.json != nil {
            return subject.object(
                verb,
                (0..<count).map { index in
                    let key = Array("key\(index)".utf8)
                    let argument = ArgumentSignature("key\(index)", .int, position: .key(key))
                    return (argument, Array(String(70 + index).utf8))
                })
        }
        var line = verb
        for index in 0..<count {
            subject.appendSeparator(to: &line, after: verb)
            if let keys = syntax.keyValue { line += Array("key\(index)".utf8) + [keys.assignment] }
            line += Array(String(70 + index).utf8)
        }
        return line + subject.terminator
    }
}

extension Reaction {
    /// Returns the expectation of this reaction for the scenario file; empty if it cannot be stated
    /// as an expectation. A refusal must contain the client's name where the dialect's pattern has
    /// it, because the client is logged in.
    func expected(by handle: String, in script: CaseScript) -> [Step] {
        switch self {
        case .refusal:
            script.subject.refusalPattern.map { pattern in
                [Step.expect(handle, .skip, pattern, to: script.actor(handle))]
            } ?? []
        case .silence: [.quiet(handle)]
        case .close: [.closed(handle)]
        case .tolerance, .open: []
        }
    }
}
