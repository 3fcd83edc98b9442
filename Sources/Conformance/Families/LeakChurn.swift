import Diagnostics
import LineProtocol
import Results
import Scenario
import Session

/// The `leak.churn` rule: a server releases the resources of connections that come and go.
enum LeakChurn: CheckFamily {
    static let ruleID = "leak.churn"
    private static let count = 500
    private static let slowCount = 10_000
    /// Pause after each connection, in nanoseconds. Some servers accept connections slowly, and
    /// after many at once the kernel drops further ones for a second.
    private static let pause: Int64 = 2_000_000
    /// Tolerated memory growth, in total and per connection, because allocators may retain memory.
    private static let memoryMax = 32 << 20
    private static let memoryPerConnectionMax = 16 << 10
    /// Tolerated number of additional open files, because a server may open some for its own use.
    private static let filesMax = 8

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        let isSlow = subject.runsSlowChecks
        let all = isSlow ? slowCount : count
        var check = Check(
            CheckID(ruleID),
            "open files, sockets and memory use return to normal after \(all) connections",
            setting: "framing", in: subject, level: .robustness
        ) { maker in
            Manner.allCases.compactMap { made($0, all / Manner.allCases.count, &maker) }
        }
        check.isAlone = true
        return [.check(check)]
    }

    /// The way a connection ends.
    private enum Manner: String, CaseIterable {
        case close = "closed immediately"
        case abort = "reset immediately"
        case partial = "closed mid-line"
        case partialAbort = "reset mid-line"

        var ending: CaseEnding {
            switch self {
            case .close, .partial: .close
            case .abort, .partialAbort: .abort
            }
        }
    }

    private static func made(
        _ manner: Manner, _ count: Int, _ maker: inout CaseMaker
    ) -> CheckCase? {
        var script = maker.script("\(count) connections, \(manner.rawValue)", ["bob"])
        script.barrier("bob", role: .control)
        script.note(actor: CaseActor(handle: "alice", name: maker.word()))
        let part = Step.send("alice", .raw(Template(Array("NO".utf8))))
        let isPartial = manner == .partial || manner == .partialAbort
        script.step(
            .stimulus,
            .repeated(
                count,
                [.connect("alice")] + (isPartial ? [part] : [])
                    + [manner.ending.step(by: "alice"), .wait(pause)]),
            by: "alice")
        script.barrier("bob")
        script.settles = true
        return script.made { evidence in judge(count, evidence) }
    }

    private static func judge(_ count: Int, _ evidence: Evidence) -> Judgement {
        // A server may limit the connections per address, so a refused connection is not a failure.
        if evidence.result.outcome == .failed, evidence.decidingRole == .stimulus {
            return .observed("limits connections")
        }
        let scripted = Liveness.patient(evidence.scripted())
        if case .failed = scripted { return scripted }
        guard let server = evidence.server else { return .observed("its sockets are not visible") }
        if let finding = finding(count, server) { return .failed(finding) }
        return scripted
    }

    /// Returns a finding about resources that were not released; nil if all were.
    static func finding(_ count: Int, _ server: ServerMeasure) -> Finding? {
        let (before, after) = (server.before, server.after)
        // Since the last sample, the session has reset the remaining connections. A server that is
        // only slow has closed some of them by then.
        let ignored = server.last.closeWait - before.closeWait
        if ignored > count * 9 / 10 {
            return Finding(
                "leak", expected: "all sockets closed",
                got: "\(ignored) sockets in CLOSE_WAIT: the server ignores the client's close")
        }
        if after.closeWait > before.closeWait {
            return Finding(
                "leak", expected: "all sockets closed",
                got: "\(counted(after.closeWait - before.closeWait, "socket")) in CLOSE_WAIT")
        }
        if after.established > before.established + filesMax {
            return Finding(
                "leak", expected: "all sockets closed",
                got: "\(after.established - before.established) connections still open")
        }
        if let files = after.openFiles, let first = before.openFiles, files > first + filesMax {
            return Finding(
                "leak", expected: "\(first) open files, as before", got: "\(files) open files")
        }
        let grown = (after.residentBytes ?? 0) - (before.residentBytes ?? 0)
        guard grown > memoryMax + count * memoryPerConnectionMax else { return nil }
        return Finding(
            "memory", expected: "no more memory than before",
            got: "\(grown >> 20) MiB more after \(count) connections")
    }
}
