import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario
import Session
import SessionTransport
import Transport

extension CheckSetup {
    /// Rule of the finding that is reported if answers to probes do not repeat the token.
    private static let tokenRule = CheckID("probe.token")

    /// Maximum time for a server to send something after a login, in nanoseconds.
    private static let silenceMax: Int64 = 10_000_000_000

    /// Surveys a server with one client.
    ///
    /// - Returns: The setup for this server. If its answers to probes do not repeat the token,
    ///   checks count the answers instead, and that is reported as a finding. If the server sent
    ///   nothing at all, `silence` is the time that the client waited, in nanoseconds. If two logins
    ///   failed, the options contain the reason.
    package func surveyed(
        _ server: CheckServer, at target: CheckTarget
    ) async -> (setup: CheckSetup, silence: Int64?) {
        let executor = SocketExecutor(
            SessionDriver(security: server.security), at: target.endpoint)
        let patience = min(subject.patience, Self.silenceMax)
        var setup = self
        if subject.has("probe") {
            let outcome = await probed(subject, executor, patience)
            if outcome.isSilent, subject.has("login") { return (self, patience) }
            if !outcome.isAnswered { setup = await countingProbes(executor) }
            if outcome.loginFailure != nil, setup.surveyFindings.isEmpty {
                setup.options.loginFailure = await probed(subject, executor, patience).loginFailure
            }
            setup.subject.loginTime = subject.has("login") ? outcome.loginTime : 0
        }
        if target.endpoint.webSocket != nil { setup.entries = setup.entries.map(\.overWebSocket) }
        return (setup, nil)
    }

    /// Returns the setup for a server that does not answer probes as the dialect requires: one that
    /// counts the answers, if the server sends answers without the token.
    private func countingProbes(_ executor: SocketExecutor) async -> CheckSetup {
        guard let counting = bound.countingProbes, let other = try? subject(for: counting),
            let entries = try? entries(for: other)
        else { return self }
        let outcome = await probed(other, executor)
        guard outcome.isAnswered, let (probe, answer) = outcome.exchangeWithoutToken else {
            return self
        }
        var setup = self
        setup.subject = other
        setup.entries = entries
        var result = CheckResult(Self.tokenRule, .failed, reason: "")
        result.claim = "the answer to a probe repeats its token"
        result.basis = "behaviours.probe"
        result.caseTitle = "answers to probes lack the token; other checks match them by counting"
        result.stimulus = ["alice → \(escapedForDisplay(probe))"]
        result.finding = Finding(
            "token", expected: "an answer with the probe's token",
            got: "`\(escapedForDisplay(answer))`")
        result.reason = result.finding?.got ?? ""
        result.rate = FailureRate(runs: 1, failures: 1)
        result.transcript = outcome.transcript
        result.casesRun = 1
        setup.surveyFindings = [result]
        return setup
    }

    /// Logs in, sends a probe and waits for the answer.
    private func probed(
        _ subject: Subject, _ executor: SocketExecutor,
        _ patience: Int64 = ThrottleSurvey.patience
    ) async -> ProbeOutcome {
        let check = Check(
            Self.tokenRule, "a probe is answered", setting: "behaviours.probe", in: subject
        ) { maker in
            var script = maker.script("a probe")
            script.step(.stimulus, .sync("alice"))
            return [script.made()]
        }
        guard var testCase = check.cases(subject, seed: options.seed).first else {
            return ProbeOutcome(
                isAnswered: false, loginFailure: nil, transcript: [], duration: 0)
        }
        testCase.patience = patience
        let outcome = await CaseJudge(subject: subject, executor: executor)
            .outcome(of: testCase, check, seed: options.seed)
        return ProbeOutcome(
            isAnswered: outcome.judgement == .passed && !outcome.result.isTimingBased,
            loginFailure: Control.reasonForNoLogin(outcome.judgement),
            transcript: outcome.result.transcript, duration: outcome.result.duration)
    }
}

/// The reaction of a server to a login and a probe.
private struct ProbeOutcome {
    var isAnswered: Bool
    /// The reason if the login failed; otherwise nil.
    var loginFailure: String?
    var transcript: [TranscriptEntry]
    /// Time until the probe was answered, in nanoseconds.
    var duration: Int64

    /// How long a login takes, in nanoseconds; 0 if logins are fast or fail.
    var loginTime: Int64 {
        isAnswered && duration >= Subject.slowLoginMin ? min(duration, Subject.slowLoginMax) : 0
    }

    /// True if a client connected and sent its login, but the server neither answered nor closed
    /// the connection.
    var isSilent: Bool {
        transcript.contains { $0.kind == .sent }
            && transcript.allSatisfy { [.connected, .sent, .closed].contains($0.kind) }
    }

    /// The last probe and the answer to it, if no line received since then contains the token (the
    /// last field of the probe); otherwise nil.
    var exchangeWithoutToken: (probe: [UInt8], answer: [UInt8])? {
        guard let index = transcript.lastIndex(where: { $0.kind == .sent && $0.role == .probe }),
            let token = transcript[index].bytes.split(separator: UInt8(ascii: " ")).last,
            let answer = transcript[index...].last(where: { $0.kind == .received }),
            !transcript[index...].contains(where: { entry in
                entry.kind == .received && entry.bytes.firstRange(of: token) != nil
            })
        else { return nil }
        return (transcript[index].bytes, answer.bytes)
    }
}

extension CatalogueEntry {
    /// The entry for a server reached over WebSocket. A WebSocket server may drop its answers when
    /// the client closes (RFC 6455 §5.5.1).
    fileprivate var overWebSocket: CatalogueEntry {
        id.rule == HalfClose.ruleID
            ? .notApplicable(id, reason: "a WebSocket cannot be closed in one direction") : self
    }
}
