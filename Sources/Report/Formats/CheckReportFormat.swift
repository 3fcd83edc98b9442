import Diagnostics
import FoundationEssentials
import LineProtocol
package import Results

/// An output format for check results.
package enum CheckReportFormat: String, Sendable, CaseIterable {
    case json, junit, tap, github, pretty, html, markdown, sarif

    /// Renders the results of one server.
    package func text(_ results: CheckResults) throws -> String {
        switch self {
        case .json: return try ResultsFile.text(results)
        case .junit: return JUnitReport.text(RunResults(results))
        case .tap: return TAPReport.text(RunResults(results))
        case .github: return GitHubReport.text(CheckMatrix(results))
        case .pretty:
            let summary = CheckSummary(style: Style(isColoured: false), showsAll: true)
            return summary.heading(results, count: results.checks.count)
                + summary.text(results, replay: "--server \(results.endpoint)")
        case .html: return try CheckHTMLReport.text(CheckMatrix(results))
        case .markdown: return CheckMarkdown.text(CheckMatrix(results))
        case .sarif: return try SARIFReport.text(CheckMatrix(results))
        }
    }

    /// Renders the results of several servers side by side. If there is only one server, renders
    /// its results alone.
    package func text(_ matrix: CheckMatrix) throws -> String {
        if let only = matrix.servers.first, matrix.servers.count == 1 {
            return try text(only.results)
        }
        switch self {
        case .json: return try ResultsFile.text(matrix)
        case .junit: return JUnitReport.text(RunResults(matrix))
        case .tap: return TAPReport.text(RunResults(matrix))
        case .github: return GitHubReport.text(matrix)
        case .pretty:
            return CheckMatrixSummary(style: Style(isColoured: false), showsAll: true)
                .text(matrix, replays: matrix.servers.map { "--server \($0.results.endpoint)" })
        case .html: return try CheckHTMLReport.text(matrix)
        case .markdown: return CheckMarkdown.text(matrix)
        case .sarif: return try SARIFReport.text(matrix)
        }
    }
}

extension RunResults {
    /// Converts checks to scenarios, for report formats that support only scenarios.
    init(_ checks: CheckResults) {
        self.init(
            toolVersion: checks.toolVersion, seed: checks.seed,
            server: ServerDescription(endpoint: checks.endpoint, software: checks.software),
            startedAt: checks.startedAt, duration: checks.duration,
            scenarios: checks.checks.map { check in
                var scenario = ScenarioResult(check, dialect: checks.dialect)
                if let drift = checks.drift { scenario.apply(drift, to: check.id) }
                return scenario
            })
        if let report = checks.commandTable {
            commandTables = [CommandTable(dialect: checks.dialect, report: report)]
        }
    }
}

extension RunResults {
    /// Converts the checks of several servers to scenarios, with one folder per server.
    fileprivate init(_ matrix: CheckMatrix) {
        let all = matrix.servers.map { ($0.name, RunResults($0.results)) }
        self = all.first?.1 ?? RunResults(CheckResults.empty)
        server = ServerDescription(endpoint: all.map(\.0).joined(separator: ", "))
        duration = all.reduce(0) { $0 + $1.1.duration }
        commandTables = all.flatMap { name, results in
            results.commandTables.map {
                CommandTable(dialect: "\($0.dialect) (\(name))", report: $0.report)
            }
        }
        scenarios = all.flatMap { name, results in
            results.scenarios.map { scenario in
                var scenario = scenario
                scenario.path = "\(name)/\(scenario.path)"
                return scenario
            }
        }
    }
}

extension CheckResults {
    /// Results without any checks.
    fileprivate static let empty = CheckResults(
        toolVersion: "", seed: 0, dialect: "", endpoint: "", startedAt: 0)
}

extension ScenarioResult {
    /// Marks the scenario as failed if the check's outcome differs from the baseline.
    fileprivate mutating func apply(_ drift: CheckResults.Drift, to id: CheckID) {
        guard let pair = drift.comparison.changed.first(where: { $0.id == id }) else { return }
        verdict = .failed
        reason = "differs from the baseline: was \(pair.before), now \(pair.now)"
        diagnostics.append(
            Diagnostic(.error, "check.drift", "\(id): \(pair.now)")
                .note("expected \(pair.before), as recorded in baseline \(drift.baseline)"))
    }

    /// Converts a check to a scenario.
    fileprivate init(_ check: CheckResult, dialect: String) {
        self.init(
            path: "\(check.id.rule)/\(check.id)",
            title: check.claim.isEmpty ? "\(check.id)" : "\(check.id): \(check.claim)",
            dialect: dialect, verdict: check.verdict.ofScenario, reason: check.reason,
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
        attempts = check.rate?.runs ?? (check.verdict == .skipped ? 0 : 1)
        duration = check.duration
        isTimingBased = check.isTimingBased
        isUnreachable = check.isUnreachable
    }
}

extension Verdict {
    /// The closest verdict that a scenario can have.
    fileprivate var ofScenario: Verdict {
        switch self {
        case .delayed, .observed: .passed
        default: self
        }
    }
}
