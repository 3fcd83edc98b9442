import LineProtocol
import Results
import Session

/// `slow.writer`: a client that sends a line in pieces delays no other client.
enum SlowWriter: CheckFamily {
    static let row = "slow.writer"
    private static let rounds = 3
    /// Tolerated extra delay of others, in nanoseconds.
    private static let longerMax: Int64 = 200_000_000

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.talk?.isOneLine == true, subject.has("probe") else {
            return notApplicable("the dialect has no single-line text, or no probe")
        }
        let check = Check(
            CheckID(row), "while one client has sent a partial line, others are served",
            rule: "framing",
            in: subject, level: .robustness
        ) { maker in [made(&maker)] }
        return [.check(check)]
    }

    private static func made(_ maker: inout CaseMaker) -> CheckCase {
        var script = maker.talkingScript(
            "a line in \(rounds + 1) pieces, others asking between them")
        for _ in 0..<rounds { script.barrier("bob", role: .control) }
        let text = maker.word()
        let bytes = script.wire(text, by: "alice")?.bytes ?? []
        script.note(said: Array(text.utf8), by: "alice")
        let size = max(1, bytes.count / (rounds + 1))
        for round in 0..<rounds {
            script.send(
                .stimulus, pieces: [Array(bytes[(round * size)..<((round + 1) * size)])],
                by: "alice")
            script.barrier("bob")
        }
        script.send(.stimulus, pieces: [Array(bytes[(rounds * size)...])], by: "alice")
        script.hear(as: "bob")
        script.barrier("alice")
        script.quiet(["bob"])
        let byPeer = script.judgedByPeer().judge
        return script.made { evidence in
            let first = evidence.stimuli.first ?? 0
            let waits = Liveness.barriers(evidence, "bob")
            let plain = waits.filter { $0.step < first }.map { $0.answered - $0.sent }.max() ?? 0
            // The shortest of the longest delays, so that a busy machine is not mistaken for a slow
            // server.
            let longest = evidence.stimuli.dropLast().compactMap { stimulus in
                waits.filter { $0.step > stimulus && $0.step <= stimulus + 2 }
                    .map { $0.answered - $0.sent }.max()
            }
            if let shortest = longest.min(), shortest > plain + longerMax {
                return .failed(
                    Finding(
                        "held-up", expected: "bob is answered as before",
                        got: "bob waited \(ScriptedFinding.seconds(shortest)) each time"))
            }
            return byPeer(&evidence)
        }
    }
}
