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

    /// Maximum number of scenarios to name for each reason.
    private static let namesMax = 5

    /// For each reason, the names of the scenarios that failed for it.
    private var causes: [(cause: Cause, names: [String])] = []

    /// - Parameter isUnreachableReported: True if the report has already explained why the server
    ///   is unreachable.
    init(isUnreachableReported: Bool) {
        // The earlier explanation also covers the first scenario.
        if isUnreachableReported { causes = [(Cause(verdict: .inconclusive), [])] }
    }

    /// For each shared reason, the number and the names of the scenarios after the first.
    var repetitions: [(verdict: Verdict, count: Int, names: String)] {
        causes.filter { $0.names.count > 1 }.map { cause, names in
            let others = names.dropFirst()
            let more = others.count - Self.namesMax
            let shown = others.prefix(Self.namesMax).joined(separator: ", ")
            return (cause.verdict, others.count, more > 0 ? "\(shown) and \(more) more" : shown)
        }
    }

    /// Adds a result. Returns false if an earlier scenario failed for the same reason.
    mutating func isFirst(_ result: ScenarioResult) -> Bool {
        guard let cause = Self.cause(of: result) else { return true }
        let name = result.path.split(separator: "/").last.map(String.init) ?? result.path
        if let index = causes.firstIndex(where: { $0.cause == cause }) {
            causes[index].names.append(name)
            return false
        }
        causes.append((cause, [name]))
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
