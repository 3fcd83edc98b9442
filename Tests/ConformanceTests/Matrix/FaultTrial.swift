import Conformance
import ReferenceServer
import Results

/// What the checks of the rules that name a fault make of it in one dialect.
struct FaultTrial: Sendable {
    /// Where a pair of a fault and a dialect belongs.
    enum Outcome: Sendable, Equatable {
        /// A check of a rule that names the fault failed.
        case found
        case neverStrikes
        /// No check failed, because the dialect leaves the policy open: the class is another one.
        case classChanges
        /// It struck, and the checks see nothing.
        case missed
    }

    var outcome: Outcome
    var strikes: Int
    /// The checks that failed.
    var failed: [CheckResult] = []
    /// Whether the server's lines broke the command table, where that is what finds the fault.
    var breaksTable = false
    /// Checks of which the class is another one than on the healthy server, as `ID: before → after`.
    var changes: [String] = []

    /// The rule that needs real sockets.
    static let socketRule = "leak.churn"

    init(_ fault: Fault, _ name: String, rules: [String], shrinks: Bool = false) async throws {
        let dialect = try MatrixDialect(name, isQuick: rules.contains { $0.hasPrefix("live.") })
        var all: [CatalogueEntry] = []
        var results: [CheckResult] = []
        strikes = 0
        for rule in rules {
            let entries = dialect.entries(of: rule)
            all += entries
            let played =
                rule == Self.socketRule
                ? try await dialect.playOverSockets(entries, fault: fault)
                : try await dialect.play(
                    entries, faults: [fault], shrinks: shrinks,
                    until: { $0.verdict == .failed })
            results += played.results
            strikes += played.strikes[fault] ?? 0
            if fault.row == "X", played.brokenLines > 0 { breaksTable = true }
            if results.contains(where: { $0.verdict == .failed }) { break }
        }
        failed = results.filter { $0.verdict == .failed }
        if !failed.isEmpty || breaksTable {
            outcome = .found
        } else if strikes == 0 {
            outcome = .neverStrikes
        } else {
            for healthy in try await dialect.play(all).results {
                guard let result = results.first(where: { $0.id == healthy.id }),
                    result.verdict == .observed || healthy.verdict == .observed,
                    result.classes != healthy.classes
                else { continue }
                changes.append(
                    "\(healthy.id): \(healthy.classes.joined(separator: "; ")) → "
                        + result.classes.joined(separator: "; "))
            }
            outcome = changes.isEmpty ? .missed : .classChanges
        }
    }
}

/// Trials by fault and dialect: each is made once, whichever test asks first.
actor FaultTrials {
    static let shared = FaultTrials()

    private var tasks: [String: Task<FaultTrial, any Error>] = [:]

    func trial(_ fault: Fault, _ dialect: String) async throws -> FaultTrial {
        let key = "\(fault.rawValue) \(dialect)"
        let task =
            tasks[key]
            ?? Task {
                try await FaultTrial(
                    fault, dialect, rules: try FaultExpectation(fault).rules,
                    shrinks: dialect == MatrixDialect.file)
            }
        tasks[key] = task
        return try await task.value
    }
}
