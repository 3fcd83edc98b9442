import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario
import Session

/// The `amp` rule, about the number of bytes that a server sends before login per byte received.
enum Amplification: CheckFamily {
    static let ruleID = "amp"
    /// Number of lines sent per connection.
    private static let linesEach = 4
    /// Ratio of received to sent bytes from which an answer of at least `bytesMin` bytes is a
    /// failure.
    private static let ratioMax = 100
    private static let bytesMin = 2_048
    /// Nanoseconds to wait for an answer.
    private static let wait: Int64 = 30_000_000

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard subject.has("login") else { return notApplicable("the dialect has no login") }
        let check = Check(
            CheckID(ruleID),
            "before login, the server sends fewer than \(ratioMax) bytes for each byte that it receives",
            setting: "policies.early-command", in: subject, level: .robustness
        ) { maker in
            let lines = lines(maker.subject)
            return stride(from: 0, to: lines.count, by: linesEach).map { first in
                made(Array(lines[first..<min(first + linesEach, lines.count)]), &maker)
            }
        }
        return [.check(check)]
    }

    /// Returns one line for each command, with its minimum arguments, and one for an unknown
    /// command.
    private static func lines(_ subject: Subject) -> [[UInt8]] {
        guard subject.hasVerbs else { return [Array("x".utf8) + subject.terminator] }
        let commands = subject.clientCommands.filter { signature, _ in
            !subject.bound.sends(signature, in: ["login"]) && signature.payloadArgument == nil
        }
        return [Array("QZX".utf8) + subject.terminator]
            + commands.map { signature, verb in
                SampleArgument.line(verb, SampleArgument.required(signature), subject)
            }
    }

    private static func made(_ lines: [[UInt8]], _ maker: inout CaseMaker) -> CheckCase {
        let start = lines.first.map { String(decoding: $0.prefix(12), as: UTF8.self) } ?? ""
        let verb = start.filter { $0.isLetter || $0.isNumber }
        var script = CaseScript(
            "\(counted(lines.count, "line")), starting with \(verb)", maker.subject)
        script.connect(CaseActor(handle: "alice", name: maker.word()))
        // Lines that the server sends unprompted do not count as answers.
        script.step(.control, .wait(wait))
        for line in lines {
            script.send(.stimulus, line, by: "alice")
            script.step(.question, .wait(wait))
        }
        return script.made { evidence in judge(evidence) }
    }

    private static func judge(_ evidence: Evidence) -> Judgement {
        var worst = (ratio: 0, line: [UInt8]())
        for stimulus in evidence.stimuli {
            let own = evidence.entries.filter { $0.step == stimulus || $0.step == stimulus + 1 }
            let sent = own.filter { $0.entry.kind == .sent }.reduce(0) { $0 + size($1.entry) }
            let received = own.filter { $0.entry.kind == .received }.reduce(0) {
                $0 + size($1.entry)
            }
            guard sent > 0 else { continue }
            let line = own.first { $0.entry.kind == .sent }?.entry.bytes ?? []
            if received / sent >= ratioMax, received >= bytesMin {
                return .failed(
                    Finding(
                        "amplified", expected: "fewer than \(ratioMax) bytes for each byte sent",
                        got:
                            "\(received) bytes received for \(sent) sent: \(PeerBytes.shown([line]))"
                    )
                )
            }
            if received / sent > worst.ratio { worst = (received / sent, line) }
        }
        // Rounded up to a power of two, so that a longer name or time in an answer does not change
        // the class.
        var rounded = 1
        while rounded < worst.ratio { rounded *= 2 }
        return .observed("up to \(rounded) bytes per byte sent")
    }

    private static func size(_ entry: TranscriptEntry) -> Int {
        entry.bytes.count + entry.terminator.count + (entry.payload?.count ?? 0)
    }
}
