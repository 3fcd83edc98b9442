import Diagnostics
import Results

/// A filter for scenarios that failed for the same reason as an earlier scenario, so that reports
/// explain each reason only once. A shared reason is either an unreachable server, or a line of a
/// dialect behaviour (such as the login) that failed.
struct SharedCauses {
    private struct Cause: Hashable {
        var verdict: Verdict
        /// Location of the line; nil if the server was unreachable.
        var location: String?
        var code: String?
    }

    private var counts: [(cause: Cause, count: Int)] = []

    /// - Parameter isUnreachableReported: True if the report has already explained why the server
    ///   is unreachable.
    init(isUnreachableReported: Bool) {
        // The earlier explanation also covers the first scenario.
        if isUnreachableReported { counts = [(Cause(verdict: .inconclusive), -1)] }
    }

    /// For each shared reason, the number of scenarios after the first.
    var repetitions: [(verdict: Verdict, count: Int)] {
        counts.filter { $0.count > 0 }.map { ($0.cause.verdict, $0.count) }
    }

    /// Counts a result. Returns false if an earlier scenario failed for the same reason.
    mutating func isFirst(_ result: ScenarioResult) -> Bool {
        guard let cause = Self.cause(of: result) else { return true }
        if let index = counts.firstIndex(where: { $0.cause == cause }) {
            counts[index].count += 1
            return false
        }
        counts.append((cause, 0))
        return true
    }

    private static func cause(of result: ScenarioResult) -> Cause? {
        if result.isUnreachable { return Cause(verdict: .inconclusive) }
        guard let error = result.dialectError, let location = error.location else { return nil }
        return Cause(
            verdict: result.verdict,
            location: "\(location.source.path):\(location.position.line)",
            code: error.code.word)
    }
}
