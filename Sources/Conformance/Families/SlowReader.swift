import LineProtocol
import Results
import Session

/// slow.reader: somebody who does not read what is sent to them holds up nobody else, and fills no memory.
enum SlowReader: CheckFamily {
    static let row = "slow.reader"
    /// So much is sent in a round; half of them are more than the kernel keeps for one who does not read (Linux: 4 MiB
    /// of the sender's, tcp_wmem). A server that then keeps 1 MiB before it cuts shows in some rounds whether it
    /// holds others up.
    private static let roundBytes = 256 << 10
    /// The same where checks may take minutes: then memory shows what a server keeps.
    private static let slowRoundBytes = 4 << 20
    private static let rounds = 32
    /// Single texts for one who reads: how long others wait for each.
    private static let singles = 4
    /// So many single texts one after another have to be late.
    private static let lateMin = 3
    /// A text of a line, at most.
    private static let textBytesMax = 32_000
    /// More texts than these take too long.
    private static let textsMax = 300
    /// How much longer others may wait, in nanoseconds.
    private static let longerMax: Int64 = 250_000_000
    /// How much more memory a server may use, where it can be seen.
    private static let memoryMax = 64 << 20

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.talk?.isOneLine == true, subject.has("probe"), subject.hasBystander else {
            return notApplicable(
                "the dialect states no text in one line, no probe, or everybody hears everybody")
        }
        let side = subject.dialect.framing
        let limits = [side.fromClient.limits, side.fromServer.limits]
        let isCounted = TextPosition(subject)?.rule == nil
        let limit =
            limits.map { isCounted ? $0.payloadBytesMax : $0.lineBytesMax }.min() ?? 0
        let size = min(textBytesMax, limit - 200)
        guard size * textsMax >= (subject.playsSlow ? slowRoundBytes : roundBytes) else {
            return notApplicable("lines are too short to fill what the kernel keeps")
        }
        guard subject.throttle == 0 else {
            return notApplicable("flood control keeps so much from being sent")
        }
        var check = Check(
            CheckID(row), "while one does not read, others are served, and memory is bounded",
            rule: "framing", in: subject, level: .robustness
        ) { maker in [made(size, &maker)] }
        check.isAlone = true
        return [.check(check)]
    }

    private static func made(_ size: Int, _ maker: inout CaseMaker) -> CheckCase {
        let bytes = maker.subject.playsSlow ? slowRoundBytes : roundBytes
        var script = maker.talkingScript("\((bytes * rounds) >> 20) MiB for one who does not read")
        let text = [UInt8](repeating: 0x78, count: size)
        let line = script.wire(bytes: text, by: "alice").map { script.spelled($0.bytes) } ?? ""
        let count = bytes / size + 1
        // The same first for one who reads: how long others wait for one text.
        func say(_ texts: Int, _ role: CaseStep.Role) {
            let asks: CaseStep.Role = role == .control ? .control : .question
            script.step(role, "repeat \(texts) {\n    alice -> \(line)\n}", by: "alice")
            // What is said next is said when this has been carried out.
            for handle in [Bystander.handle, "alice"] { script.barrier(handle, role: asks) }
        }
        for _ in 0..<singles { say(1, .control) }
        script.step(.control, "bob pause", by: "bob")
        for _ in 0..<rounds {
            say(count, .stimulus)
            say(1, .stimulus)
        }
        script.step(.question, "bob abort", by: "bob")
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
                    "memory", expected: "no more than \(memoryMax >> 20) MiB more",
                    got: "\(grown >> 20) MiB more while \(bytes >> 20) MiB were sent"))
        }
        return Liveness.patient(evidence.scripted())
    }

    /// Whether the bystander, or the one who speaks, waited longer for single texts than while bob was reading: a few
    /// times one after another, since a server may cut in the end who does not read.
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
            // The shortest of a few: a busy machine is no slow server.
            let windows = late.indices.dropLast(lateMin - 1)
            let shortest = windows.compactMap { late[$0..<($0 + lateMin)].min() }.max() ?? 0
            guard shortest > plain + longerMax else { continue }
            return Finding(
                "held-up", expected: "\(handle) is answered as while bob read",
                got: "the answer came after \(ScriptedFinding.seconds(shortest)) each time")
        }
        return nil
    }
}
