import DialectModel
import Diagnostics
import LineProtocol
import Results

/// The verdict on a test whose scenario has run.
struct BehaviourVerdict {
    var verdict: Verdict
    var note = ""
    /// Advice to add to the error, if there is one.
    var help: String?

    private init(_ verdict: Verdict, _ note: String = "", help: String? = nil) {
        self.verdict = verdict
        self.note = note
        self.help = help
    }

    /// Judges the result of a scenario that could be run.
    init(_ test: BehaviourTest, _ result: ScenarioResult, _ bound: BoundDialect) {
        let judge = BehaviourJudge(test: test, result: result, bound: bound)
        self =
            switch test.judgement {
            case .secondLogin: judge.secondLogin
            case .pings: judge.pings
            case _ where result.verdict != .passed: judge.other
            case .scenario: Self(.passed)
            case .greeting: judge.greeting
            case .probe: judge.probe
            case .logout: judge.logout
            }
    }

    fileprivate static func passed(_ note: String = "") -> Self { Self(.passed, note) }
    fileprivate static func failed(_ note: String) -> Self { Self(.failed, note) }
    fileprivate static func skipped(_ note: String) -> Self { Self(.skipped, note) }
    fileprivate static func scenario(_ result: ScenarioResult, help: String? = nil) -> Self {
        // A failure is explained by its error below the list of tests.
        Self(result.verdict, result.verdict == .failed ? "" : result.reason, help: help)
    }
}

/// A judge that turns the result of a behaviour's test into a verdict.
private struct BehaviourJudge {
    let test: BehaviourTest
    let result: ScenarioResult
    let bound: BoundDialect

    private func received(by handle: String) -> [TranscriptEntry] {
        result.transcript.filter { $0.kind == .received && $0.operatorName == handle }
    }

    private func isClosed(_ handle: String) -> Bool {
        result.transcript.contains {
            $0.operatorName == handle && [.closedByPeer, .resetByPeer].contains($0.kind)
        }
    }

    private static func shown(_ entry: TranscriptEntry) -> String {
        let max = 60
        let rest = entry.bytes.count > max ? "…" : ""
        return "`\(escapedForDisplay(entry.bytes.prefix(max)))\(rest)`"
    }

    /// The verdict on a test whose scenario did not pass.
    var other: BehaviourVerdict {
        let help: String? =
            switch test.behaviours.last {
            case "probe": tokenHelp
            case "login": silenceHelp
            case "heard", "arrival", "heard-tagged": messageHelp
            default: nil
            }
        return .scenario(result, help: help)
    }

    /// Advice for a message that reached bob in a line that the behaviour does not match; nil if
    /// none did.
    private var messageHelp: String? {
        let text = Array(test.script.word.utf8)
        let line = received(by: "bob").last { entry in
            (entry.bytes + (entry.payload ?? [])).firstRange(of: text) != nil
        }
        guard let line, let name = test.behaviours.last else { return nil }
        return "bob received the text in \(Self.shown(line)): compare this line with `\(name)`"
    }

    /// Advice for a login during which no complete line arrived; nil if one did.
    private var silenceHelp: String? {
        let framing = bound.dialect.framing
        guard framing.unit == .line, received(by: "alice").isEmpty else { return nil }
        return "the server sent no complete line: check the port and `framing` (lines to the "
            + "server end in \(framing.fromClient.terminator.name))"
    }

    // MARK: Sessions

    var greeting: BehaviourVerdict {
        if isClosed("alice") {
            return .failed("the server closes the connection before the client sends anything")
        }
        guard let first = received(by: "alice").first else {
            return .passed(
                bound.dialect.framing.greeting
                    ? "`framing.greeting` is set, but the server sends no greeting" : "")
        }
        let shown = Self.shown(first)
        return .passed(
            bound[BehaviourTestPlan.parts.greeting] != nil
                ? "greeting: \(shown)"
                : "the server sends \(shown) before the client sends anything")
    }

    /// The verdict on the probe: failed if an answer arrived more often than expected.
    var probe: BehaviourVerdict {
        guard let probe = bound["probe"] else { return .passed() }
        let start = result.transcript.lastIndex { $0.kind == .sent } ?? 0
        let after = result.transcript[start...].filter { $0.kind == .received }
        let commands = probe.awaitedLines.map(\.command)
        let answers = after.filter { command(of: $0).map(commands.contains) == true }
        for answer in answers {
            let count = answers.count { $0.bytes == answer.bytes && $0.payload == answer.payload }
            let expected = commands.count { $0 == command(of: answer) }
            if count > expected {
                return .failed("the server sent \(Self.shown(answer)) \(count) times")
            }
        }
        return .passed(
            probe.awaits(variable: "token")
                ? "the answer repeats the token"
                : "the answer has no token, so answers are matched by their order")
    }

    private func command(of entry: TranscriptEntry) -> Int? {
        var message = Message()
        MessageDecoder(bound.dialect).decode(entry.bytes, from: .fromServer, into: &message)
        return message.command
    }

    /// Advice for a probe whose answer arrived without the token; nil if none did.
    private var tokenHelp: String? {
        guard let probe = bound["probe"], probe.awaits(variable: "token") else { return nil }
        let start = result.transcript.lastIndex { $0.kind == .sent } ?? 0
        let commands = probe.awaitedLines.map(\.command)
        let isAnswered = result.transcript[start...].contains { entry in
            entry.kind == .received && command(of: entry).map(commands.contains) == true
        }
        guard isAnswered else { return nil }
        return "if the server does not repeat the token, replace `{{token}}` in the expected "
            + "answer with `{{...}}`, or omit the argument"
    }

    var logout: BehaviourVerdict {
        .passed(
            isClosed("alice")
                ? "the server closes the connection; add `closed` to require that"
                : "the server keeps the connection open")
    }

    // MARK: Second login

    var secondLogin: BehaviourVerdict {
        if result.verdict == .inconclusive || result.verdict == .skipped {
            return .scenario(result)
        }
        let isGiven = result.verdict == .passed
        let refusal = isGiven ? nil : refusalOfBob
        switch bound.dialect.policies["second-login"] {
        case "refuse":
            if isGiven { return .failed("the dialect says `refuse`, but the server accepted it") }
            if isClosed("alice") {
                return .failed("the dialect says `refuse`, but the first client was disconnected")
            }
            guard let refusal else {
                return .failed("the login was not accepted, but no line matches `rejects`")
            }
            return .passed("refused: \(Self.shown(refusal))")
        case "replace":
            if !isGiven { return .scenario(result) }
            return .passed(
                isClosed("alice")
                    ? "the server disconnected the first client" : "both clients stay connected")
        case "rename":
            return isGiven
                ? .failed("the dialect says `rename`, but the server accepted the name")
                : .skipped("the dialect says `rename`, and the second client did not get the name")
        default:
            let (word, what) =
                !isGiven
                ? ("refuse", "refused it")
                : isClosed("alice")
                    ? ("replace", "disconnected the first client") : ("", "accepted it")
            let line = refusal.map { " with \(Self.shown($0))" } ?? ""
            let setting = word.isEmpty ? "" : " (`policies: {second-login: \(word)}`)"
            return .skipped("not specified; the server \(what)\(line)\(setting)")
        }
    }

    /// The line that refused bob's login; nil if there is none.
    private var refusalOfBob: TranscriptEntry? {
        guard var classifier = try? LineClassifier(bound) else { return nil }
        let name = Array(test.script.name(of: "alice").utf8)
        return received(by: "bob").first { entry in
            classifier.isRefusal(ReceivedLine(entry.bytes, payload: entry.payload), for: name)
        }
    }

    // MARK: Pings

    var pings: BehaviourVerdict {
        if isClosed("alice") { return .failed("the server closed the idle connection") }
        if result.verdict != .passed { return .scenario(result) }
        let answered = result.transcript.filter { $0.kind == .received && $0.role == .standing }
        guard let first = answered.first else {
            let isIdle = test.script.fileTimeout != nil
            if bound["login"]?.steps.contains(where: \.isRule) == true {
                return .skipped(
                    "no ping arrived" + (isIdle ? "" : "; to wait for one, pass --idle 2m"))
            }
            return isIdle
                ? .passed("the connection stayed open without answers to pings")
                : .skipped(
                    "`login` answers no pings; pass --idle 2m to see whether the server requires "
                        + "answers")
        }
        return .passed("\(counted(answered.count, "ping")) answered, such as \(Self.shown(first))")
    }
}
