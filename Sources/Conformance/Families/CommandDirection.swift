import LineProtocol
import Results
import Scenario
import Session

/// The `cmd.direction` rule, in which a client sends a command that only servers send.
enum CommandDirectionCheck: CheckFamily {
    static let ruleID = "cmd.direction"
    private static let verbsMax = 12

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        let verbs = serverVerbs(subject)
        guard subject.hasVerbs, !verbs.isEmpty else {
            return notApplicable("the dialect has no server-only commands")
        }
        let check = Check(
            CheckID(ruleID), "a server-only command from a client has no effect",
            setting: "commands", in: subject, level: .robustness
        ) { maker in
            // If errors close the connection, each command needs its own connection.
            let groups = maker.subject.errorsClose ? verbs.prefix(4).map { [$0] } : [verbs]
            return groups.map { made($0, &maker) }
        }
        return [.check(check)]
    }

    /// Returns commands that only servers send, sampled evenly from the command table.
    private static func serverVerbs(_ subject: Subject) -> [(CommandSignature, [UInt8])] {
        let known = subject.knownCommands.map(\.verb)
        let all = subject.dialect.commands.signatures.compactMap {
            signature -> (CommandSignature, [UInt8])? in
            guard signature.direction.allows(.fromServer),
                !signature.direction.allows(.fromClient), case .exact(let verb) = signature.wire,
                !known.contains(verb)
            else { return nil }
            return (signature, verb)
        }
        let step = max(1, all.count / verbsMax)
        return stride(from: 0, to: all.count, by: step).map { all[$0] }
    }

    private static func made(
        _ verbs: [(CommandSignature, [UInt8])], _ maker: inout CaseMaker
    ) -> CheckCase {
        let names = verbs.map { String(decoding: $0.1, as: UTF8.self) }
        let title = names.count == 1 ? names[0] : "\(names[0]) to \(names[names.count - 1])"
        let hasPeer = maker.subject.talk != nil
        var script =
            hasPeer
            ? maker.talkingScript(title) : maker.script(title)
        script.barrier("alice", role: .control)
        for (signature, verb) in verbs {
            let line = SampleArgument.line(verb, SampleArgument.required(signature), maker.subject)
            script.send(.stimulus, line, by: "alice")
            script.step(.question, .sync("alice"))
        }
        script.barrier("alice")
        if hasPeer { script.quiet(["bob"]) }
        return script.made(.any) { evidence in
            if hasPeer, let finding = relayed(&evidence) { return .failed(finding) }
            // Another rule covers whether errors close the connection.
            if evidence.closingAnswer() != nil { return .observed("close") }
            return Reaction.open.judge(&evidence)
        }
    }

    private static func relayed(_ evidence: inout Evidence) -> Finding? {
        guard var finding = Bystander.leak(to: "bob", in: &evidence) else { return nil }
        // If alice was disconnected, the others may be notified of it.
        for stimulus in evidence.stimuli
        where ObservedAnswer(&evidence, stimulus: stimulus).kind == .closed {
            return nil
        }
        finding.kind = "extra-command"
        finding.expected = "no other client is notified"
        return finding
    }
}
