import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// The `phase.…` rules, in which commands are sent before login and after the end of the session.
enum PhaseCommands: CheckFamily {
    static let ruleID = "phase"
    private static let rule = "policies.early-command"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.hasVerbs, subject.has("login") else {
            return notApplicable("the dialect has no login")
        }
        var checks = subject.clientCommands.compactMap { signature, verb -> Check? in
            isAllowed(signature, subject) ? nil : before(signature, verb, subject)
        }
        if let after = after(subject) { checks.append(after) }
        return checks.map { .check($0) }
    }

    /// Returns whether the dialect allows the command before login.
    private static func isAllowed(_ signature: CommandSignature, _ subject: Subject) -> Bool {
        subject.bound.sends(signature, in: ["password", "login", "probe", "logout", "keepalive"])
    }

    /// Returns whether the command sends something to other clients. If so, it must not be executed
    /// before login.
    private static func isTalk(_ signature: CommandSignature, _ subject: Subject) -> Bool {
        subject.bound.sends(signature, in: ["relay", "say", "enter", "leave"])
    }

    private static func before(
        _ signature: CommandSignature, _ verb: [UInt8], _ subject: Subject
    ) -> Check {
        let name = String(decoding: verb, as: UTF8.self)
        let policy = subject.dialect.policies["early-command"]
        let isTalk = isTalk(signature, subject)
        let claim =
            switch policy {
            case "error": isTalk ? "is refused" : "is refused or harmless"
            case "close": "ends the connection"
            default: "is harmless"
            }
        return Check(
            CheckID("phase.before", name), "\(name) before login \(claim)", setting: rule,
            says: policy ?? "?", in: subject
        ) { maker in
            var script = CaseScript("before login", maker.subject)
            script.connect(CaseActor(handle: "alice", name: maker.word()))
            // Read the greeting before the stimulus, unless the probe itself is refused, or closes
            // the connection, before login.
            if policy != "close", !maker.subject.has("probe-refused") {
                script.step(.setup, .sync("alice"))
            }
            let line = SampleArgument.line(verb, SampleArgument.required(signature), maker.subject)
            let bytes = line + payload(signature, maker.subject)
            // Before login, the server may use any name for the client, such as `*`.
            let refusal = policy == "error" && isTalk ? maker.subject.refusalPattern : nil
            script.send(
                .stimulus, bytes, by: "alice",
                requires: refusal.map { [.expect("alice", .skip, $0)] } ?? [])
            script.step(.question, .sync("alice"))
            // The refusals of the probe and of the command look alike, so the case waits for both.
            if maker.subject.has("probe-refused") { script.step(.question, .wait(300_000_000)) }
            return [
                script.made { judge(policy, isTalk: isTalk, &$0) }
            ]
        }
    }

    /// Returns a one-byte payload if the line declares a payload; otherwise nothing.
    private static func payload(_ signature: CommandSignature, _ subject: Subject) -> [UInt8] {
        guard case .exact(let verb) = signature.wire,
            let rule = subject.dialect.framing.payloads.first(where: {
                $0.verb == verb && $0.direction.allows(.fromClient)
            })
        else { return [] }
        return [UInt8(ascii: "x")] + (rule.terminated ? subject.terminator : [])
    }

    private static func judge(
        _ policy: String?, isTalk: Bool, _ evidence: inout Evidence
    ) -> Judgement {
        let answer = ObservedAnswer(&evidence, stimulus: evidence.stimuli.first ?? 0)
        // Of the two refusals in the transcript, the first may be the probe's.
        if policy == "error", answer.kind == .silent, evidence.subject.has("probe-refused"),
            refusals(&evidence) > 1
        {
            evidence.note(class: "refuse")
            return .passed
        }
        if evidence.subject.errorsClose, policy != "error", answer.kind == .closed {
            return .observed("close")
        }
        let reaction: Reaction
        switch (policy, answer.kind) {
        case ("error", _) where isTalk: reaction = .refusal
        case ("close", _): reaction = .close
        // A query may be answered in any phase.
        case ("error", .answered), ("error", .silent): return .observed(answer.className)
        case ("error", .refused): reaction = .refusal
        default: reaction = .open
        }
        return reaction.judge(&evidence)
    }

    /// Returns the number of refusals received, including the probe's.
    private static func refusals(_ evidence: inout Evidence) -> Int {
        var count = 0
        for (entry, _) in evidence.entries
        where entry.kind == .received && evidence.isRefusal(entry) {
            count += 1
        }
        return count
    }

    /// Creates the check that sends a message after the logout, in the same write; nil if the
    /// dialect has no logout or no single-line messages.
    private static func after(_ subject: Subject) -> Check? {
        guard subject.talk?.isOneLine == true, subject.has("logout"),
            let logout = WireLine.spoken(by: "alice", "logout", [:], subject)
        else { return nil }
        return Check(
            CheckID("phase.after", "logout"), "commands after logout are not executed",
            setting: "behaviours.logout", in: subject, level: .robustness
        ) { maker in
            var script = maker.talkingScript("a message after logout, in one write")
            script.barrier("alice", role: .control)
            let text = maker.bytes()
            script.note(said: text, by: "alice")
            let talk = script.wire(bytes: text, by: "alice")?.bytes ?? []
            script.send(.stimulus, logout.bytes + talk, by: "alice")
            script.step(.question, .closed("alice"))
            script.unheard(bytes: text, by: "alice", as: "bob")
            script.barrier("bob")
            let room = script.room
            return [
                script.made { evidence in
                    let ran = PeerBytes.ran(
                        by: "alice", room: room, expected: "bob receives nothing more from alice",
                        in: &evidence)
                    return ran.map { .failed($0) } ?? evidence.scripted()
                }
            ]
        }
    }
}
