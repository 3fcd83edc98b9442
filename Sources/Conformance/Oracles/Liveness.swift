import Diagnostics
import Results
import Session

/// Liveness check: whether the server still serves the sender, and whether it does so promptly.
enum Liveness {
    /// Minimum extra delay, compared with the control step, for an answer to count as delayed, in
    /// nanoseconds.
    static let delayedMin: Int64 = 1_000_000_000

    /// Returns a pass, or a delay if the answer to a probe after the stimulus was late.
    static func timely(_ evidence: Evidence) -> Judgement {
        guard let first = evidence.stimuli.first else { return .passed }
        // Without a login, the server may still be preparing one, such as by looking up the client's
        // name.
        let logsIn = evidence.testCase.steps.contains { $0.role == .control || $0.logsIn }
        var plain: Int64 = logsIn ? 0 : evidence.testCase.loginTime
        var after: Int64 = 0
        for handle in Set(evidence.testCase.actors.map(\.handle)) {
            for (sent, answered, step) in barriers(evidence, handle) {
                if step < first {
                    plain = max(plain, answered - sent)
                } else {
                    after = max(after, answered - sent)
                }
            }
        }
        return after > plain + delayedMin ? .delayed(after) : .passed
    }

    /// Returns the judgement with a delay counted as a pass, for cases that keep the server busy.
    static func patient(_ judgement: Judgement) -> Judgement {
        if case .delayed = judgement { .passed } else { judgement }
    }

    /// Returns, for each barrier, the times when its probe was sent and answered, and the index of
    /// its step.
    static func barriers(
        _ evidence: Evidence, _ handle: String
    ) -> [(sent: Int64, answered: Int64, step: Int)] {
        var result: [(sent: Int64, answered: Int64, step: Int)] = []
        var waiting: [(time: Int64, step: Int)] = []
        for (entry, step) in evidence.entries
        where entry.operatorName == handle && entry.role == .probe {
            if entry.kind == .sent {
                waiting.append((entry.time, step))
            } else if !waiting.isEmpty {
                let first = waiting.removeFirst()
                result.append((first.time, entry.time, first.step))
            }
        }
        return result
    }

    /// Returns a description of how a connection ended; nil if the server did not close it.
    /// Example: `closed the connection (FIN) without a message`.
    static func closing(_ evidence: Evidence, _ handle: String? = nil) -> String? {
        let own = evidence.entries.filter { handle == nil || $0.entry.operatorName == handle }
        guard
            let end = own.last(where: {
                $0.entry.kind == .closedByPeer || $0.entry.kind == .resetByPeer
            })
        else { return nil }
        let manner = end.entry.kind == .closedByPeer ? "FIN" : "RST"
        let first = evidence.stimuli.first ?? 0
        let last = own.last {
            $0.entry.kind == .received && $0.entry.operatorName == end.entry.operatorName
                && $0.step >= first && $0.entry.role != .probe
        }
        guard let last else { return "closed the connection (\(manner)) without a message" }
        return "closed the connection (\(manner)); its last line was "
            + "`\(escapedForDisplay(last.entry.bytes))`"
    }
}
