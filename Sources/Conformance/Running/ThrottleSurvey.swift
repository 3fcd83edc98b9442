import LineProtocol
import Results
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
    /// Maximum time for each login, and for all probes together, in nanoseconds.
    private static let timeMax: Int64 = 2_000_000_000
    /// Maximum time for the whole survey, in nanoseconds. Some servers log in only one client per
    /// second.
    private static let totalMax: Int64 = 4_000_000_000

    let judge: CaseJudge

    /// Returns true if the server answers many logins and a burst of probes without delay. Returns
    /// false if it does not, or if that cannot be determined.
    func isUnthrottled(_ seed: UInt64) async -> Bool {
        let subject = judge.subject
        guard subject.throttle > 0, let probe = WireLine.probe(subject)
        else { return false }
        let check = Check(
            CheckID("throttle"), "many logins and a burst of probes are answered without delay",
            setting: "timing.throttle-max", in: subject
        ) { maker in
            let others = (1..<Self.logins).map { "client\($0)" }
            var script = maker.script("\(Self.count) probes in one write", ["alice"] + others)
            script.send(
                .stimulus, [[UInt8]](repeating: probe.bytes, count: Self.count).flatMap(\.self),
                by: "alice")
            script.barrier("alice")
            return [script.made()]
        }
        guard var testCase = check.cases(subject, seed: seed).first else { return false }
        testCase.patience = Self.timeMax
        return await withTaskGroup(of: Bool.self) { [testCase, judge] group in
            group.addTask {
                let outcome = await judge.outcome(of: testCase, check, seed: seed)
                return outcome.judgement == .passed && !outcome.result.isTimingBased
                    && outcome.result.duration < Self.totalMax
            }
            // Later answers make no difference. If the server limits logins, a longer survey would
            // only delay the logins of the first checks.
            group.addTask {
                try? await Task.sleep(for: .nanoseconds(Self.totalMax))
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}
