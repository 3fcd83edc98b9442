import LineProtocol
import Results
import Scenario
import Session

/// The `slow.writer` rule: a client that sends a line in small pieces does not delay other clients.
enum SlowWriter: CheckFamily {
    static let ruleID = "slow.writer"
    private static let rounds = 3
    /// Tolerated additional delay of other clients, in nanoseconds.
    private static let longerMax: Int64 = 200_000_000

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.talk?.isOneLine == true || subject.has("probe") else {
            return notApplicable("the dialect has neither single-line messages nor a probe")
        }
        let check = Check(
            CheckID(ruleID), "while one client has sent a partial line, others are still served",
            setting: "framing",
            in: subject, level: .robustness
        ) { maker in [made(&maker)] }
        return [.check(check)]
    }

    private static func made(_ maker: inout CaseMaker) -> CheckCase {
        let title = "a line in \(rounds + 1) pieces, with requests from others in between"
        let asks = maker.subject.has("probe")
        let talks = maker.subject.talk?.isOneLine == true
        let people = asks ? ["alice", "bob"] : ["alice", "bob", "carol"]
        var script = talks ? maker.talkingScript(title, people) : maker.script(title, people)
        // In a dialect without a probe, the other clients send messages to each other.
        func serve(_ role: CaseStep.Role) {
            if asks { return script.barrier("bob", role: role) }
            script.say(maker.word(), as: "bob", to: "carol", role: role)
            script.hear(as: "carol", role: role)
        }
        for _ in 0..<rounds { serve(.control) }
        let text = maker.word()
        let line =
            talks
            ? script.wire(text, by: "alice")
            : AliveFragment(maker.subject)?.wire(word: text, maker.subject)
        let bytes = line?.bytes ?? []
        let size = max(1, bytes.count / (rounds + 1))
        for round in 0..<rounds {
            script.send(
                .stimulus, pieces: [Array(bytes[(round * size)..<((round + 1) * size)])],
                by: "alice")
            serve(.question)
        }
        script.note(said: Array(text.utf8), by: "alice")
        script.send(.stimulus, pieces: [Array(bytes[(rounds * size)...])], by: "alice")
        if talks { script.hear(as: "bob") }
        script.barrier("alice")
        if talks { script.quiet(["bob"]) }
        let other = talks ? script.judgedByPeer().judge : script.made().judge
        return script.made { evidence in
            let first = evidence.stimuli.first ?? 0
            let waits = asks ? Liveness.barriers(evidence, "bob") : deliveries(evidence)
            let plain = waits.filter { $0.step < first }.map { $0.answered - $0.sent }.max() ?? 0
            // Of the longest delays after each stimulus, the shortest counts, so that a busy
            // machine does not make the server look slow.
            let longest = evidence.stimuli.dropLast().compactMap { stimulus in
                waits.filter { $0.step > stimulus && $0.step <= stimulus + 2 }
                    .map { $0.answered - $0.sent }.max()
            }
            if let shortest = longest.min(), shortest > plain + longerMax {
                return .failed(
                    Finding(
                        "held-up", expected: "bob is answered as before",
                        got: "every answer took at least \(ScriptedFinding.seconds(shortest))"))
            }
            return other(&evidence)
        }
    }

    /// Returns, for each message from bob, the times when it was sent and when it reached carol,
    /// and the index of its step.
    private static func deliveries(
        _ evidence: Evidence
    ) -> [(sent: Int64, answered: Int64, step: Int)] {
        var result: [(sent: Int64, answered: Int64, step: Int)] = []
        var waiting: [(time: Int64, step: Int)] = []
        for (entry, step) in evidence.entries {
            if entry.operatorName == "bob", entry.kind == .sent {
                waiting.append((entry.time, step))
            } else if entry.operatorName == "carol", entry.kind == .received, !waiting.isEmpty {
                let first = waiting.removeFirst()
                result.append((first.time, entry.time, first.step))
            }
        }
        return result
    }
}
