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
    /// Number of bytes sent per round with `--slow`, unless lines are short. The server's memory use
    /// then shows how much it buffers.
    private static let slowRoundBytes = 4 << 20
    /// Maximum number of messages per round.
    private static let textsMax = 1_024
    private static let rounds = 32
    /// Number of single messages sent while the client reads, to measure the normal delay of other
    /// clients.
    private static let singles = 4
    /// Number of consecutive late single messages that count as a failure.
    private static let lateMin = 3
    /// Maximum length of a message, and of several short ones sent in one write, in bytes.
    private static let textBytesMax = 32_000
    /// Minimum length of a message, in bytes. Shorter ones would be too many.
    private static let textBytesMin = roundBytes / textsMax
    /// Tolerated additional delay of other clients, in nanoseconds.
    private static let longerMax: Int64 = 250_000_000
    /// Tolerated growth of the server's memory, in bytes, if it can be observed.
    private static let memoryMax = 64 << 20

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.talk?.isOneLine == true, subject.has("probe") else {
            return notApplicable(subject.noMessagesOrProbe)
        }
        guard subject.hasBystander else {
            return notApplicable("every client receives every message")
        }
        let side = subject.dialect.framing
        let limits = [side.fromClient.limits, side.fromServer.limits]
        let isCounted = TextPosition(subject)?.rule == nil
        let limit =
            limits.map { isCounted ? $0.payloadBytesMax : $0.lineBytesMax }.min() ?? 0
        let size = min(textBytesMax, limit - 200)
        guard size >= textBytesMin else {
            return notApplicable("lines are too short to fill the kernel's buffers")
        }
        var check = Check(
            CheckID(ruleID),
            "while one client does not read, others are still served and memory stays bounded",
            setting: "framing", in: subject, level: .robustness
        ) { maker in [made(size, &maker)] }
        check.isAlone = true
        check.floods = true
        return [.check(check)]
    }

    private static func made(_ size: Int, _ maker: inout CaseMaker) -> CheckCase {
        let bytes =
            maker.subject.runsSlowChecks ? min(slowRoundBytes, size * textsMax) : roundBytes
        var script = maker.talkingScript(
            "\((bytes * rounds) >> 20) MiB for a client that does not read")
        let text = [UInt8](repeating: 0x78, count: size)
        let line = script.wire(bytes: text, by: "alice")?.bytes ?? []
        let single = Step.send("alice", maker.subject.message(line))
        // Short messages share a write.
        let lines = max(1, textBytesMax / max(1, line.count))
        let several = Step.send(
            "alice", maker.subject.message((0..<lines).flatMap { _ in line }))
        let flood = Step.repeated(bytes / (lines * size) + 1, [several])
        func say(_ step: Step, _ role: CaseStep.Role) {
            let asks: CaseStep.Role = role == .control ? .control : .question
            script.step(role, step, by: "alice")
            // Each message is sent after the previous one has been handled.
            for handle in [Bystander.handle, "alice"] { script.barrier(handle, role: asks) }
        }
        // First, the client reads normally, to measure the delay of other clients and to find out
        // whether the server delivers a whole round of messages.
        for _ in 0..<singles { say(single, .control) }
        say(flood, .stimulus)
        script.step(.question, .sync("bob"))
        script.step(.question, .pause("bob"))
        for _ in 0..<rounds {
            say(flood, .stimulus)
            say(single, .stimulus)
        }
        script.step(.question, .abort("bob"))
        script.barrier(Bystander.handle)
        return script.made { evidence in judge(bytes, &evidence) }
    }

    /// - Parameter bytes: Number of bytes sent per round.
    private static func judge(_ bytes: Int, _ evidence: inout Evidence) -> Judgement {
        if limitsMessages(bytes, evidence) { return .observed("limits messages") }
        if let held = heldUp(evidence) { return .failed(held) }
        let before = evidence.server?.before.residentBytes ?? 0
        let grown = (evidence.server?.peak.residentBytes ?? 0) - before
        if grown > memoryMax {
            return .failed(
                Finding(
                    "memory", expected: "memory use grows by at most \(memoryMax >> 20) MiB",
                    got:
                        "it grew by \(grown >> 20) MiB while \((bytes * rounds) >> 20) MiB were sent"
                ))
        }
        return Liveness.patient(evidence.scripted())
    }

    /// Returns whether the server did not deliver one round of messages even while bob was reading.
    private static func limitsMessages(_ bytes: Int, _ evidence: Evidence) -> Bool {
        let pause = evidence.testCase.steps.firstIndex { step in
            step.steps.contains { if case .pause = $0.kind { true } else { false } }
        }
        guard let pause else { return false }
        let hasFailed = evidence.result.outcome == .failed
        if hasFailed, evidence.decidingStep.map({ $0 < pause }) == true { return true }
        let received = evidence.entries.reduce(0) { sum, entry in
            let isHeard =
                entry.step < pause && entry.entry.operatorName == "bob"
                && entry.entry.kind == .received
            let size =
                entry.entry.bytes.count + entry.entry.omittedBytes
                + (entry.entry.payload?.count ?? 0)
            return isHeard ? sum + size : sum
        }
        return received < bytes
    }

    /// Returns a finding if the bystander or the sender waited longer for single messages than when
    /// bob was reading, otherwise nil. Several consecutive messages must be late, because the
    /// server may finally disconnect bob.
    private static func heldUp(_ evidence: Evidence) -> Finding? {
        let stimuli = evidence.stimuli
        guard let first = stimuli.first else { return nil }
        // The first stimulus precedes the pause; then, every second one is a single message.
        let singles = stimuli.indices.dropFirst().filter { $0 % 2 == 0 }.map { stimuli[$0] }
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
