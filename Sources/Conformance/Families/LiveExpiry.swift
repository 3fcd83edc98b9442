import LineProtocol
import Results
import Scenario
import Session

/// The `live.expiry` rule: an idle client is disconnected in time and with an explanation, and
/// other clients are notified once.
enum LiveExpiry: CheckFamily {
    static let ruleID = "live.expiry"
    /// Longest wait without `--slow`, in nanoseconds.
    static let slowMin: Int64 = 10_000_000_000
    /// Tolerated lateness of the disconnect, in nanoseconds.
    private static let grace: Int64 = 2_000_000_000

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        let timing = subject.dialect.timing
        var checks: [Check] = []
        if let limit = timing.expiresAfter, let parts = LoginParts(subject) {
            checks.append(
                check("silent", "expires-after", limit, subject) { silent(limit, parts, &$0) })
        }
        if let limit = timing.loginWithin, subject.has("login") {
            checks.append(
                check("no-login", "login-within", limit, subject) { unnamed(limit, &$0) })
        }
        if checks.isEmpty {
            return notApplicable("the dialect specifies no idle timeout")
        }
        return checks.map { .check($0) }
    }

    /// Returns the maximum acceptable time until the disconnect, in nanoseconds.
    private static func latest(_ limit: Int64) -> Int64 { limit + limit / 2 + grace }

    private static func check(
        _ name: String, _ setting: String, _ limit: Int64, _ subject: Subject,
        _ made: @escaping @Sendable (inout CaseMaker) -> CheckCase
    ) -> Check {
        let words = ScriptedFinding.seconds(limit)
        var check = Check(
            CheckID(ruleID, name),
            name == "silent"
                ? "a session that is idle for \(words) is disconnected with a message"
                : "a client that does not log in within \(words) is disconnected with a message",
            setting: "timing.\(setting)", says: words, in: subject
        ) { [made(&$0)] }
        let wait = latest(limit)
        if wait > slowMin {
            check.slowReason = "it waits up to \(ScriptedFinding.seconds(wait))"
        }
        return check
    }

    private static func silent(
        _ limit: Int64, _ parts: LoginParts, _ maker: inout CaseMaker
    ) -> CheckCase {
        let talks = maker.subject.talk?.isRoom == true
        var script = maker.script("a login, then silence", ["bob"])
        let alice = CaseActor(handle: "alice", name: maker.word())
        let word = maker.word()
        script.fragments.append(parts.silent)
        script.actorLogsIn(alice, parts.use(LoginParts.names.silent, by: alice, word: word))
        if talks { script.enter(room: maker.room(), ["bob"]) }
        script.barrier("bob", role: .control)
        // Send one last line, so that the start of the idle time is known.
        if let probe = AliveFragment(maker.subject) {
            script.step(.stimulus, probe.use(by: "alice", word: "last"))
        } else {
            script.step(.stimulus, .send("alice", .line(maker.bytes())))
        }
        wait(latest(limit), &script)
        script.require(announcement("alice", limit, maker.subject), by: "alice")
        script.step(.question, .closed("alice", within: 1_000_000_000))
        script.freed("alice")
        return script.made { evidence in
            judge(limit, &evidence) ?? judgeNotices(alice.name, &evidence) ?? StaleSession.judge(
                evidence)
                ?? evidence.scripted()
        }
    }

    /// Returns the requirement that the server sends a line other than a ping before it closes the
    /// connection.
    private static func announcement(
        _ handle: String, _ limit: Int64, _ subject: Subject
    ) -> [Step] {
        let ping = PingRule(subject).map { [Step.ignore(handle, $0.question)] } ?? []
        let line = Step.expect(
            handle, .next, ExpectedPattern.anyLine, within: milliseconds(latest(limit)))
        return ping + [line]
    }

    /// Adds a wait during which bob sends keepalives, or is probed if the dialect has no keepalive.
    private static func wait(_ time: Int64, _ script: inout CaseScript) {
        let timing = script.subject.dialect.timing
        let limit = timing.expiresAfter ?? time
        let every = max(1_000_000, min(timing.keepaliveInterval ?? limit / 3, limit / 3))
        let rounds = Int(time / every) + 1
        let keepalive: Step =
            script.subject.has("keepalive") ? .use("keepalive", as: "bob") : .sync("bob")
        script.step(
            .question, .repeated(rounds, every: milliseconds(every), [keepalive]), by: "bob")
    }

    /// Returns a duration in nanoseconds, rounded down to whole milliseconds.
    private static func milliseconds(_ time: Int64) -> Int64 { time / 1_000_000 * 1_000_000 }

    private static func unnamed(_ limit: Int64, _ maker: inout CaseMaker) -> CheckCase {
        var script = CaseScript("a connection, then silence", maker.subject)
        // The idle time starts when the client connects, so connecting is the stimulus.
        script.connect(CaseActor(handle: "alice", name: maker.word()), role: .stimulus)
        script.require(announcement("alice", limit, maker.subject), by: "alice")
        script.step(.question, .closed("alice", within: milliseconds(latest(limit))))
        return script.made { evidence in judge(limit, &evidence) ?? evidence.scripted() }
    }

    /// Judges the time of the disconnect and its message; nil if both are acceptable.
    private static func judge(_ limit: Int64, _ evidence: inout Evidence) -> Judgement? {
        let own = evidence.entries.map(\.entry).filter { $0.operatorName == "alice" }
        let begin = own.last { $0.kind == .sent || $0.kind == .connected }?.time ?? 0
        let words = ScriptedFinding.seconds(limit)
        guard let end = own.last(where: { $0.kind == .closedByPeer || $0.kind == .resetByPeer })
        else {
            guard evidence.decidingRole != .stimulus else { return nil }
            return .failed(
                Finding(
                    "not-closed", expected: "a close after \(words) of silence",
                    got:
                        "the connection was still open after \(ScriptedFinding.seconds(latest(limit)))"
                ))
        }
        let waited = end.time - begin
        if waited < limit / 10 * 9 || waited > latest(limit) {
            return .failed(
                Finding(
                    waited < limit ? "too-early" : "too-late",
                    expected: "a close after \(words) of silence",
                    got: "the server closed the connection after \(ScriptedFinding.seconds(waited))"
                ))
        }
        // A ping does not count as a message that announces the disconnect.
        let rule = PingRule(evidence.subject)
        let isReported = own.contains { entry in
            entry.kind == .received && entry.time > begin + limit / 2
                && rule?.isQuestion(entry.bytes, evidence.subject.dialect) != true
        }
        if isReported { return nil }
        return .failed(
            Finding(
                "no-reason", expected: "a message with the reason",
                got: Liveness.closing(evidence, "alice") ?? "a close without a message"))
    }

    /// Returns a failure if bob was notified more than once that alice is gone; nil otherwise.
    private static func judgeNotices(_ name: String, _ evidence: inout Evidence) -> Judgement? {
        var seen: Set<[UInt8]> = []
        let word = Array(name.utf8)
        for (entry, step) in evidence.entries
        where entry.operatorName == "bob" && entry.kind == .received
            && evidence.testCase.steps[step].role == .question
            && entry.bytes.firstRange(of: word) != nil
        {
            guard !seen.insert(entry.bytes).inserted else { continue }
            return .failed(
                Finding(
                    "duplicated", expected: "bob is notified exactly once that alice is gone",
                    got: "bob was notified twice: \(PeerBytes.shown([entry.bytes]))"))
        }
        return nil
    }
}

/// The `live.keepalive` rule: a client that sends nothing but keepalives is not disconnected.
enum LiveKeepalive: CheckFamily {
    static let ruleID = "live.keepalive"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        let timing = subject.dialect.timing
        guard let limit = timing.expiresAfter, let parts = LoginParts(subject),
            subject.has("keepalive")
        else {
            return notApplicable(
                "the dialect specifies no idle timeout, or no keepalive"
            )
        }
        let every = min(timing.keepaliveInterval ?? limit / 3, limit / 2)
        let rounds = Int(limit * 8 / 5 / max(every, 1)) + 1
        var check = Check(
            CheckID(ruleID), "a client that only sends keepalives is not disconnected",
            setting: "timing.keepalive", in: subject
        ) { maker in
            var script = maker.script("nothing but keepalives", [])
            let alice = CaseActor(handle: "alice", name: maker.word())
            script.fragments.append(parts.silent)
            script.actorLogsIn(
                alice, parts.use(LoginParts.names.silent, by: alice, word: maker.word()))
            let interval = max(1, every / 1_000_000) * 1_000_000
            script.step(
                .stimulus,
                .repeated(rounds, every: interval, [.use("keepalive", as: "alice")]),
                by: "alice")
            script.barrier("alice")
            return [script.made()]
        }
        let wait = every * Int64(rounds)
        if wait > LiveExpiry.slowMin {
            check.slowReason = "it takes \(ScriptedFinding.seconds(wait))"
        }
        return [.check(check)]
    }
}
