import Report
import Results

/// Reports of checks that are saved while further checks run.
struct InterimCheckReports: Sendable {
    private let reports: InterimReports<CheckReportFormat>
    /// Index of the current server in the results.
    private let server: Int

    /// - Parameters:
    ///   - begun: The results of the current server, without any checks.
    ///   - earlier: The servers that have been checked.
    init(
        _ outputs: ReportOutputs<CheckReportFormat>, _ begun: CheckResults, of name: String,
        after earlier: [CheckMatrix.Server]
    ) {
        var begun = begun
        begun.interruption = "unfinished"
        server = earlier.count
        reports = InterimReports(
            outputs, CheckMatrix(earlier + [CheckMatrix.Server(name, begun)]))
    }

    /// Adds a check, or replaces its earlier result.
    func note(_ result: CheckResult) {
        reports.update { matrix, elapsed in
            var servers = matrix.servers
            servers[server].results.duration = elapsed
            let known = servers[server].results.checks.firstIndex { $0.id == result.id }
            if let known {
                servers[server].results.checks[known] = result
            } else {
                servers[server].results.checks.append(result)
            }
            matrix = CheckMatrix(servers)
        }
    }

    /// Saves the reports regularly until the task is cancelled.
    func tick() async { await reports.tick() }
}
