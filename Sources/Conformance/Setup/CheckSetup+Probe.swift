import DialectModel
import Diagnostics
import LineProtocol
import Results
import Session
import SessionTransport

extension CheckSetup {
    /// Rule of the finding that is reported if answers to probes do not repeat the token.
    private static let tokenRule = CheckID("probe.token")

    /// Returns the setup for a server. If its answers to probes do not repeat the token, checks
    /// count the answers instead, and that is reported as a finding.
    package func surveyed(_ server: CheckServer, at target: CheckTarget) async -> CheckSetup {
        guard let counting = bound.countingProbes else { return self }
        let executor = SocketExecutor(
            SessionDriver(security: server.security), at: target.endpoint)
        if await probed(subject, executor).isAnswered { return self }
        guard let other = try? subject(for: counting),
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
        result.caseTitle = "the other checks count the answers instead"
        result.stimulus = ["alice → \(escapedForDisplay(probe))"]
        result.finding = Finding(
            "token", expected: "an answer with the token of the probe",
            got: "`\(escapedForDisplay(answer))`")
        result.reason = result.finding?.got ?? ""
        result.rate = FailureRate(runs: 1, failures: 1)
        result.transcript = outcome.transcript
        result.casesRun = 1
        setup.surveyFindings = [result]
        return setup
    }

    /// Logs in, sends a probe and waits for the answer.
    private func probed(_ subject: Subject, _ executor: SocketExecutor) async -> ProbeOutcome {
        let check = Check(
            Self.tokenRule, "a probe is answered", setting: "behaviours.probe", in: subject
        ) { maker in
            var script = maker.script("a probe")
            script.step(.stimulus, "sync alice", by: "alice")
            return [script.made()]
        }
        guard var testCase = check.cases(subject, seed: options.seed).first else {
            return ProbeOutcome(isAnswered: false, transcript: [])
        }
        testCase.patience = ThrottleSurvey.patience
        let outcome = await CaseJudge(subject: subject, executor: executor)
            .outcome(of: testCase, check, seed: options.seed)
        return ProbeOutcome(
            isAnswered: outcome.judgement == .passed && !outcome.result.isTimingBased,
            transcript: outcome.result.transcript)
    }
}

/// The reaction of a server to a login and a probe.
private struct ProbeOutcome {
    var isAnswered: Bool
    var transcript: [TranscriptEntry]

    /// The last probe and the answer to it, if no line received since then contains the last field
    /// of the probe; otherwise nil.
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
