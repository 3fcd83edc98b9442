import DialectModel
import LineProtocol
import Results
import Scenario
import Session

/// The `live.pong` rule, in which clients send pongs that are unsolicited, wrong or late.
enum LivePong: CheckFamily {
    static let ruleID = "live.pong"
    private static let rule = "timing.expires-after"

    static func entries(_ subject: Subject) -> [CatalogueEntry] {
        guard let ping = PingRule(subject) else {
            return notApplicable("the login has no standing reply to pings")
        }
        var checks = ping.hasWord ? [unsolicited(ping, subject)] : []
        if let limit = subject.dialect.timing.expiresAfter, let parts = LoginParts(subject) {
            checks.append(late(ping, limit, parts, subject))
            if ping.hasWord { checks.append(wrong(ping, limit, parts, subject)) }
        }
        return checks.isEmpty
            ? notApplicable("the dialect specifies no idle timeout")
            : checks.map { .check($0) }
    }

    /// Creates the check that sends an unsolicited pong.
    private static func unsolicited(_ ping: PingRule, _ subject: Subject) -> Check {
        Check(
            CheckID(ruleID, "unsolicited"), "an unsolicited pong is harmless",
            setting: "behaviours.login", says: "?", in: subject, level: .robustness
        ) { maker in
            var script = maker.script("a token that the server never sent")
            script.barrier("alice", role: .control)
            script.step(.stimulus, .send("alice", ping.reply(.word(maker.word()))))
            script.barrier("alice")
            return [script.made(.any) { Reaction.open.judge(&$0) }]
        }
    }

    // MARK: Pings from the server

    /// Creates the check that sends a pong with a wrong token. Unless the dialect specifies the
    /// reaction, the server may react in any way except by closing the connection silently.
    private static func wrong(
        _ ping: PingRule, _ limit: Int64, _ parts: LoginParts, _ subject: Subject
    ) -> Check {
        let policy = subject.dialect.policies["wrong-pong"]
        let claims = ["close": "closes the connection with a message", "ignore": "is harmless"]
        let claim = claims[policy ?? ""] ?? "does not close the connection silently"
        return check(
            "wrong", "a pong with the wrong token \(claim)", limit, subject,
            policy: policy.map { ("policies.wrong-pong", $0) }
        ) { maker in
            let answer = PingRule.Word.word(maker.word())
            let requires: [Step] = policy == "close" ? [.closed("alice")] : []
            let script = asking(
                "a token other than the server's", ping, parts, limit, answer: answer, after: 0,
                requires: requires, &maker)
            return script.made { judge(ping, policy, &$0) }
        }
    }

    private static func judge(
        _ ping: PingRule, _ policy: String?, _ evidence: inout Evidence
    ) -> Judgement {
        guard case .failed(let finding) = evidence.scripted() else {
            evidence.note(class: "serve")
            guard policy == "close" else {
                return policy == nil ? .observed("serve") : .passed
            }
            return .failed(
                Finding(
                    "not-closed", expected: "a close with a message",
                    got: "alice is still served"))
        }
        guard finding.kind == "closed", isReported(ping, evidence) else { return .failed(finding) }
        evidence.note(class: "close")
        switch policy {
        case "close": return .passed
        case "ignore": return .failed(finding)
        default: return .observed("close")
        }
    }

    /// Returns whether the server sent a message before it closed the connection. Another ping does
    /// not count.
    private static func isReported(_ ping: PingRule, _ evidence: Evidence) -> Bool {
        let first = evidence.stimuli.first ?? 0
        return evidence.entries.contains { entry, step in
            entry.kind == .received && step > first
                && !ping.isQuestion(entry.bytes, evidence.subject.dialect)
        }
    }

    /// Creates the check that sends a correct pong shortly before the time limit.
    private static func late(
        _ ping: PingRule, _ limit: Int64, _ parts: LoginParts, _ subject: Subject
    ) -> Check {
        check("late", "a pong sent just in time keeps the session alive", limit, subject) {
            maker in
            asking(
                "a pong after three quarters of the timeout", ping, parts, limit,
                answer: .fromPing, after: limit / 4, &maker
            ).made()
        }
    }

    private static func check(
        _ name: String, _ claim: String, _ limit: Int64, _ subject: Subject,
        policy: (rule: String, word: String)? = nil,
        _ made: @escaping @Sendable (inout CaseMaker) -> CheckCase
    ) -> Check {
        let words = ScriptedFinding.seconds(limit)
        var check = Check(
            CheckID(ruleID, name), claim, setting: policy?.rule ?? rule,
            says: policy?.word ?? words,
            in: subject, level: policy == nil ? .robustness : nil
        ) { [made(&$0)] }
        if 2 * limit > LiveExpiry.slowMin {
            check.slowReason = "it takes \(ScriptedFinding.seconds(2 * limit))"
        }
        return check
    }

    /// Returns a script in which alice answers a ping after a delay and then stays silent past the
    /// time at which an unanswered ping would have ended the session.
    private static func asking(
        _ title: String, _ ping: PingRule, _ parts: LoginParts, _ limit: Int64,
        answer: PingRule.Word,
        after pause: Int64, requires: [Step] = [], _ maker: inout CaseMaker
    ) -> CaseScript {
        var script = maker.script(title, [])
        let alice = CaseActor(handle: "alice", name: maker.word())
        script.fragments.append(parts.silent)
        script.actorLogsIn(
            alice, parts.use(LoginParts.names.silent, by: alice, word: maker.word()))
        script.step(.control, .expect("alice", .skip, ping.question, within: limit))
        if pause > 0 { script.step(.control, .wait(pause)) }
        script.step(.stimulus, .send("alice", ping.reply(answer)), requires: requires)
        script.step(.question, .wait(limit / 2 + limit / 10))
        script.barrier("alice")
        return script
    }
}

/// The login's standing rule that answers pings, such as `on <- PING {{token}}  reply -> PONG …`.
struct PingRule: Sendable {
    /// Name of the variable that captures the ping's token.
    static let placeholder = "pinged"

    /// Pattern that matches the ping and captures its token.
    let question: Pattern
    private let answer: StepMessage
    /// Command of the ping; nil if its line has no command.
    private let verb: [UInt8]?

    /// Finds the rule; nil if the dialect has none.
    init?(_ subject: Subject) {
        for step in subject.bound["login"]?.steps ?? [] {
            guard case .standingReply(let pattern, let message) = step.kind else { continue }
            question = pattern.renaming("token", to: Self.placeholder)
            answer = message
            verb = subject.bound.verb(of: pattern)
            return
        }
        return nil
    }

    /// True if the pong repeats the ping's token.
    var hasWord: Bool { answer.placeholders.contains { $0.variable == "token" } }

    /// Returns whether a line from the server is a ping.
    func isQuestion(_ line: [UInt8], _ dialect: Dialect) -> Bool {
        var split = SplitLine()
        LineSplitter(dialect, direction: .fromServer).split(line.span, 0..<line.count, into: &split)
        return line[split.verb].map(ASCII.uppercased) == verb?.map(ASCII.uppercased)
    }

    /// The token for the pong that answers a ping.
    enum Word {
        /// The token from the ping.
        case fromPing
        case word(String)
    }

    /// Returns the pong with the given token.
    func reply(_ word: Word) -> StepMessage {
        switch word {
        case .fromPing: answer.renaming("token", to: Self.placeholder)
        case .word(let word): answer.replacing("token", with: Array(word.utf8))
        }
    }
}
