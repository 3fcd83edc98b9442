import Results
import Session

extension Evidence {
    /// Judges the outcome only by the case's own expectations.
    package func scripted() -> Judgement {
        guard result.outcome == .failed else { return Liveness.timely(self) }
        return .failed(ScriptedFinding.finding(self))
    }
}
