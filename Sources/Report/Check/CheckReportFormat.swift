package import Conformance
import Diagnostics
import Foundation
import LineProtocol
import Runner
import Scenario
import Session

/// The forms in which what checks found is written to files.
package enum CheckReportFormat: String, Sendable, CaseIterable {
    case json, junit, tap, pretty

    /// The report.
    package func text(_ results: CheckResults) throws -> String {
        switch self {
        case .json: try CheckRecord(results).text()
        case .junit: JUnitReport.text(RunResults(results))
        case .tap: TAPReport.text(RunResults(results))
        case .pretty:
            CheckSummary(paint: Paint(isColoured: false), showsAll: true)
                .heading(results, count: results.checks.count)
                + CheckSummary(paint: Paint(isColoured: false), showsAll: true)
                .text(results, replay: "--server \(results.endpoint)")
        }
    }
}

extension RunResults {
    /// Checks as if each were a scenario, for the reports that know scenarios.
    init(_ checks: CheckResults) {
        self.init(
            toolVersion: checks.toolVersion, seed: checks.seed,
            server: ServerDescription(endpoint: checks.endpoint, software: checks.software),
            startedAt: checks.startedAt, duration: checks.duration,
            scenarios: checks.checks.map { check in
                var scenario = ScenarioResult(check, dialect: checks.dialect)
                if let drift = checks.drift { scenario.take(drift, of: check.id) }
                return scenario
            })
    }
}

extension ScenarioResult {
    /// Another class than the one that is pinned is a failure, whatever the check says of itself.
    fileprivate mutating func take(_ drift: CheckResults.Drift, of id: CheckID) {
        guard let pair = drift.comparison.changed.first(where: { $0.id == id }) else { return }
        verdict = .failed
        reason = "not as pinned: \(pair.before), now \(pair.now)"
        diagnostics.append(
            Diagnostic(.error, "check.drift", "\(id): \(pair.now)")
                .note("expected: \(pair.before), as pinned in \(drift.lock)"))
    }

    /// A check as a scenario.
    fileprivate init(_ check: CheckResult, dialect: String) {
        self.init(
            path: "\(check.id.row)/\(check.id)",
            title: check.claim.isEmpty ? "\(check.id)" : "\(check.id): \(check.claim)",
            dialect: dialect, verdict: Verdict(check.verdict), reason: check.reason,
            diagnostics: check.finding.map { finding in
                [
                    Diagnostic(
                        .error, DiagnosticCode(stringLiteral: "check.\(finding.kind)"),
                        "\(check.id): \(finding.got)"
                    ).note("expected: \(finding.expected)")
                ]
            } ?? [],
            rules: check.clause.map {
                [
                    CitedRule(
                        document: $0.document, section: $0.section, level: check.level,
                        quote: $0.quote)
                ]
            } ?? [])
        transcript = check.verdict == .failed || check.verdict == .flaky ? check.transcript : []
        attempts = check.rate?.plays ?? (check.verdict == .skipped ? 0 : 1)
        duration = check.duration
        isTimingBased = check.isTimingBased
        isUnreachable = check.isUnreachable
    }
}

extension Verdict {
    /// The nearest of a scenario's verdicts.
    fileprivate init(_ verdict: CheckVerdict) {
        self =
            switch verdict {
            case .passed, .delayed, .observed: .passed
            case .failed: .failed
            case .flaky: .flaky
            case .inconclusive: .inconclusive
            case .skipped: .skipped
            case .knownFailure: .knownFailure
            }
    }
}
