import LineProtocol
import Results
import Scenario
import Session

/// The `slow.reader` rule: a client that does not read its messages neither delays other clients
/// nor makes the server's memory grow without limit.
enum SlowReader: CheckFamily {
    static let ruleID = "slow.reader"
    /// Number of bytes sent per round. Half of the rounds together exceed what the kernel buffers
    /// for a client that does not read (on Linux, 4 MiB at the sender; see `tcp_wmem`). If a server
    /// buffers up to 1 MiB before it disconnects the client, a few rounds show whether it delays
    /// other clients in the meantime.
    private static let roundBytes = 256 << 10
    /// Number of bytes sent per round with `--slow`. The server's memory use then shows how much it
    /// buffers.
    private static let slowRoundBytes = 4 << 20
    private static let rounds = 32
    /// Number of single messages sent while the client reads, to measure the normal delay of other
    /// clients.
    private static let singles = 4
    /// Number of consecutive late single messages that count as a failure.
    private static let lateMin = 3
    /// Maximum length of a message, in bytes.
    private static let textBytesMax = 32_000
    /// Maximum number of messages per round, to keep the check short.
    private static let textsMax = 300
    /// Tolerated additional delay of other clients, in nanoseconds.
    private static let longerMax: Int64 = 250_000_000
    /// Tolerated growth of the server's memory, in bytes, if it can be observed.
    private static let memoryMax = 64 << 20

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.talk?.isOneLine == true, subject.has("probe"), subject.hasBystander else {
            return notApplicable(
                "the dialect has no single-line messages or no probe, or every client receives every message"
            )
        }
        let side = subject.dialect.framing
        let limits = [side.fromClient.limits, side.fromServer.limits]
        let isCounted = TextPosition(subject)?.rule == nil
        let limit =
            limits.map { isCounted ? $0.payloadBytesMax : $0.lineBytesMax }.min() ?? 0
        let size = min(textBytesMax, limit - 200)
        guard size * textsMax >= (subject.runsSlowChecks ? slowRoundBytes : roundBytes) else {
            return notApplicable("lines are too short to fill the kernel's buffers")
        }
        guard subject.throttle == 0 else {
            return notApplicable("the server's flood control prevents sending enough data")
        }
        var check = Check(
            CheckID(ruleID),
            "while one client does not read, others are still served and memory stays bounded",
            setting: "framing", in: subject, level: .robustness
        ) { maker in [made(size, &maker)] }
        check.isAlone = true
        return [.check(check)]
    }

    private static func made(_ size: Int, _ maker: inout CaseMaker) -> CheckCase {
        let bytes = maker.subject.runsSlowChecks ? slowRoundBytes : roundBytes
        var script = maker.talkingScript(
            "\((bytes * rounds) >> 20) MiB for a client that does not read")
        let text = [UInt8](repeating: 0x78, count: size)
        let line = script.wire(bytes: text, by: "alice")?.bytes ?? []
        let send = Step.send("alice", maker.subject.message(line))
        let count = bytes / size + 1
        // First, the client reads normally, to measure the delay of other clients.
        func say(_ texts: Int, _ role: CaseStep.Role) {
            let asks: CaseStep.Role = role == .control ? .control : .question
            script.step(role, .repeated(texts, [send]), by: "alice")
            // Each message is sent after the previous one has been handled.
            for handle in [Bystander.handle, "alice"] { script.barrier(handle, role: asks) }
        }
        for _ in 0..<singles { say(1, .control) }
        script.step(.control, .pause("bob"))
        for _ in 0..<rounds {
            say(count, .stimulus)
            say(1, .stimulus)
        }
        script.step(.question, .abort("bob"))
        script.barrier(Bystander.handle)
        return script.made { evidence in judge(bytes * rounds, &evidence) }
    }

    private static func judge(_ bytes: Int, _ evidence: inout Evidence) -> Judgement {
        if let held = heldUp(evidence) { return .failed(held) }
        let before = evidence.server?.before.residentBytes ?? 0
        let grown = (evidence.server?.peak.residentBytes ?? 0) - before
        if grown > memoryMax {
            return .failed(
                Finding(
                    "memory", expected: "memory use grows by at most \(memoryMax >> 20) MiB",
                    got: "it grew by \(grown >> 20) MiB while \(bytes >> 20) MiB were sent"))
        }
        return Liveness.patient(evidence.scripted())
    }

    /// Returns a finding if the bystander or the sender waited longer for single messages than when
    /// bob was reading, otherwise nil. Several consecutive messages must be late, because the
    /// server may finally disconnect bob.
    private static func heldUp(_ evidence: Evidence) -> Finding? {
        let stimuli = evidence.stimuli
        guard let first = stimuli.first else { return nil }
        let singles = stimuli.indices.filter { $0 % 2 == 1 }.map { stimuli[$0] }
        for handle in [Bystander.handle, "alice"] {
            let waits = Liveness.barriers(evidence, handle)
            let plain = waits.filter { $0.step < first }.map { $0.answered - $0.sent }.max() ?? 0
            let late = singles.compactMap { stimulus in
                waits.filter { $0.step > stimulus && $0.step <= stimulus + 4 }
                    .map { $0.answered - $0.sent }.max()
            }
            // The shortest delay in each window counts, so that a busy machine does not make the
            // server look slow.
            let windows = late.indices.dropLast(lateMin - 1)
            let shortest = windows.compactMap { late[$0..<($0 + lateMin)].min() }.max() ?? 0
            guard shortest > plain + longerMax else { continue }
            return Finding(
                "held-up", expected: "\(handle) is answered as fast as when bob was reading",
                got: "every answer took at least \(ScriptedFinding.seconds(shortest))")
        }
        return nil
    }
}
