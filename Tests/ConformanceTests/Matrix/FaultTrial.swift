import Conformance
import ReferenceServer
import Results

/// The checks that detect a fault, run in one dialect against a server with the fault.
struct FaultTrial: Sendable {
    /// The class of a pair of fault and dialect.
    enum Outcome: Sendable, Equatable {
        /// A check that detects the fault failed.
        case found
        case neverOccurs
        /// No check failed because the dialect leaves the policy open, but the observed class differs.
        case classChanges
    }

    /// Nil if the fault occurred without any effect on the checks.
    var outcome: Outcome?
    var occurrences: Int
    /// The checks that failed.
    var failed: [CheckResult] = []
    /// The verdicts of the checks that did not fail, with the reasons.
    var others: [String] = []
    /// Whether the fault showed as lines that violate the command table.
    var violatesTable = false
    /// Checks with another class than on the healthy server, as `ID: before → after`.
    var changes: [String] = []

    /// The rule that needs real sockets.
    static let socketRule = "leak.churn"

    init(_ fault: Fault, _ name: String, shrinks: Bool = false) async throws {
        let dialect = try MatrixDialect(name, isQuick: fault.isOfExpiry)
        var all: [CatalogueEntry] = []
        var results: [CheckResult] = []
        occurrences = 0
        for check in fault.checks {
            let entries = dialect.entries(of: check)
            all += entries
            var findings =
                check == Self.socketRule
                ? try await dialect.checkOverSockets(entries, fault: fault)
                : try await dialect.check(
                    entries, faults: [fault], shrinks: shrinks,
                    until: { $0.verdict == .failed })
            // On a busy machine a check over sockets may be undecided.
            for _ in 0..<4
            where check == Self.socketRule && !entries.isEmpty
                && !findings.results.contains(where: { $0.verdict == .failed })
            {
                try await Task.sleep(for: .seconds(2))
                findings = try await dialect.checkOverSockets(entries, fault: fault)
            }
            results += findings.results
            occurrences += findings.occurrences[fault] ?? 0
            if fault == .strayLine, findings.brokenLines > 0 { violatesTable = true }
        }
        failed = results.filter { $0.verdict == .failed }
        others = results.filter { $0.verdict != .failed }.map {
            "\($0.id): \($0.verdict) \($0.reason)"
        }
        if !failed.isEmpty || violatesTable {
            outcome = .found
        } else if occurrences == 0 {
            outcome = .neverOccurs
        } else {
            for healthy in try await dialect.check(all).results {
                guard let result = results.first(where: { $0.id == healthy.id }),
                    result.verdict == .observed || healthy.verdict == .observed,
                    result.classes != healthy.classes
                else { continue }
                changes.append(
                    "\(healthy.id): \(healthy.classes.joined(separator: "; ")) → "
                        + result.classes.joined(separator: "; "))
            }
            outcome = changes.isEmpty ? nil : .classChanges
        }
    }
}

/// Trials by fault and dialect, each made once and shared by the tests.
actor FaultTrials {
    static let shared = FaultTrials()

    private var tasks: [String: Task<FaultTrial, any Error>] = [:]

    func trial(_ fault: Fault, _ dialect: String) async throws -> FaultTrial {
        let key = "\(fault.rawValue) \(dialect)"
        let task =
            tasks[key]
            ?? Task {
                try await FaultTrial(fault, dialect, shrinks: dialect == MatrixDialect.file)
            }
        tasks[key] = task
        return try await task.value
    }
}

extension Fault {
    /// Whether the fault shows only in checks of the expiry of sessions.
    var isOfExpiry: Bool { checks.contains { $0.hasPrefix("live.") } }
}
