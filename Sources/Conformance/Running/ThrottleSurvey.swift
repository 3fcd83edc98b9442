import Console
import LineProtocol
import Results
import Scenario
import Session

/// A survey that determines whether a server delays clients that log in one after another or that
/// send many commands. If it does not, checks need not wait as long as the dialect's
/// `timing.throttle-max` for answers that never come.
struct ThrottleSurvey {
    /// Time to wait for an answer from a server without a throttle, in nanoseconds.
    static let patience: Int64 = 5_000_000_000
    /// Number of probes in one write. Flood control typically allows about ten.
    private static let count = 30
    /// Number of logins. Limits per address typically allow about ten within a few seconds.
    private static let logins = 12
    /// Maximum time for the whole survey, in nanoseconds. Some servers log in only one client per
    /// second.
    private static let totalMax: Int64 = 4_000_000_000

    let judge: CaseJudge

    /// Finds out whether the server answers many logins at the same time and a burst of probes
    /// without delay.
    func outcome(_ seed: UInt64) async -> ThrottleOutcome {
        let begin = ContinuousClock.now
        return await isUnthrottled(seed)
            ? .unthrottled((ContinuousClock.now - begin).nanoseconds) : .throttled
    }

    private func isUnthrottled(_ seed: UInt64) async -> Bool {
        let subject = judge.subject
        guard subject.throttle > 0, let probe = WireLine.probe(subject)
        else { return false }
        let check = Check(
            CheckID("throttle"), "many logins and a burst of probes are answered without delay",
            setting: "timing.throttle-max", in: subject
        ) { maker in
            var script = maker.script("\(Self.count) probes in one write")
            script.send(
                .stimulus, [[UInt8]](repeating: probe.bytes, count: Self.count).flatMap(\.self),
                by: "alice")
            script.barrier("alice")
            return [script.made()]
                + (1..<Self.logins).map { number in
                    var script = maker.script("login \(number)")
                    script.step(.stimulus, .sync("alice"))
                    return script.made()
                }
        }
        return await withTaskGroup(of: Bool?.self) { [judge] group in
            let cases = check.cases(subject, seed: seed)
            for var testCase in cases {
                testCase.patience = Self.totalMax
                group.addTask { [testCase] in
                    let outcome = await judge.outcome(of: testCase, check, seed: seed)
                    return outcome.judgement == .passed && !outcome.result.isTimingBased
                }
            }
            // Later answers make no difference. If the server limits logins, a longer survey would
            // only delay the logins of the first checks.
            group.addTask {
                try? await Task.sleep(for: .nanoseconds(Self.totalMax))
                return nil
            }
            defer { group.cancelAll() }
            var passed = 0
            for await result in group {
                guard result == true else { return false }
                passed += 1
                if passed == cases.count { return true }
            }
            return false
        }
    }
}
