import Diagnostics
import Results
import Session

/// Bystander check: a client that is not involved receives nothing and is still served.
enum Bystander {
    static let handle = "bystander"

    /// Adds the bystander's observations to a judgement. Other failures take precedence.
    static func judge(_ judgement: Judgement, in evidence: inout Evidence) -> Judgement {
        if case .failed = judgement { return judgement }
        guard evidence.testCase.actors.contains(where: { $0.handle == handle }),
            let finding = leak(to: handle, in: &evidence)
        else { return judgement }
        return .failed(finding)
    }

    /// Returns a finding if the client has received lines since the first stimulus; nil if it has
    /// not.
    static func leak(to handle: String, in evidence: inout Evidence) -> Finding? {
        let first = evidence.stimuli.first ?? 0
        for (entry, step) in evidence.entries
        where step >= first && entry.operatorName == handle && entry.kind == .received
            && entry.role == .plain && !evidence.isUnsolicited(entry)
            && !ScriptedFinding.isProbe(evidence.testCase.steps[step])
        {
            return Finding(
                "leaked", expected: "\(handle), an uninvolved client, receives nothing",
                got: "received `\(escapedForDisplay(entry.bytes))`")
        }
        return nil
    }

    /// Returns a finding if the sender of a message received an answer although the dialect
    /// specifies none; nil otherwise.
    static func extraReply(in evidence: inout Evidence) -> Finding? {
        guard !evidence.subject.isTalkAnswered else { return nil }
        for stimulus in evidence.stimuli {
            let answer = ObservedAnswer(&evidence, stimulus: stimulus)
            guard answer.kind == .answered else { continue }
            return Finding("extra-reply", expected: "no answer", got: answer.words)
        }
        return nil
    }
}
