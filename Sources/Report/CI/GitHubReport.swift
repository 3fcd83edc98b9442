package import Diagnostics
import LineProtocol
package import Results

/// GitHub workflow commands that annotate lines of files: errors for failed and invalid scenarios
/// and for an unreachable server, warnings for inconclusive and flaky scenarios, and a notice with
/// the counts.
package struct GitHubReport {
    private let paths: RepositoryPathConverter

    private init(paths: RepositoryPathConverter) { self.paths = paths }

    /// Returns the commands, one per line.
    package static func text(
        _ results: RunResults, paths: RepositoryPathConverter = RepositoryPathConverter()
    ) -> String {
        GitHubReport(paths: paths).text(results)
    }

    /// Returns the commands for diagnostics, one per line.
    package static func text(_ diagnostics: [Diagnostic], paths: RepositoryPathConverter) -> String
    {
        let report = GitHubReport(paths: paths)
        return diagnostics.map { report.command(for: $0, of: nil) }.joined()
    }

    private func text(_ results: RunResults) -> String {
        var lines = results.diagnostics.map { command(for: $0, of: nil) }
        let unreachable = results.scenarios.count(where: \.isUnreachable)
        for result in results.scenariosExplainingUnreachableOnce {
            lines += commands(for: result, alsoFor: result.isUnreachable ? unreachable - 1 : 0)
        }
        for table in results.commandTables {
            lines += commands(
                for: table.report.breaks, kind: results.brokenLinesFail ? "error" : "warning",
                title: "command table of \(table.dialect)")
        }
        let total = counted(results.counts.total, "scenario")
        lines.append(
            GitHubCommand.line(
                "notice", [("title", "linejudge")],
                message: "\(total): \(results.counts.summary)"))
        return lines.joined()
    }

    /// Returns commands for lines that violate the command table.
    private func commands(
        for breaks: [SchemaReport.Deviation], kind: String, title: String
    ) -> [String] {
        breaks.map { item in
            var properties: [(String, String)] = []
            if let location = item.location, RepositoryPathConverter.isFile(location.file) {
                properties.append(("file", paths.path(location.file)))
                if let line = location.line { properties.append(("line", String(line))) }
            }
            properties.append(("title", title))
            return GitHubCommand.line(kind, properties, message: SchemaPhrases.full(item))
        }
    }

    private func commands(for result: ScenarioResult, alsoFor others: Int) -> [String] {
        let kind: String
        switch result.verdict {
        case .failed, .error: kind = "error"
        case .inconclusive where result.isUnreachable: kind = "error"
        case .inconclusive, .flaky: kind = "warning"
        case .passed, .delayed, .observed, .skipped, .knownFailure: return []
        }
        let more =
            others > 0 ? "\n\(counted(others, "more scenario")) for the same reason" : ""
        if result.diagnostics.isEmpty {
            let message = result.reason.isEmpty ? VerdictStyle(result.verdict).word : result.reason
            return [
                GitHubCommand.line(
                    kind, step(of: result) + [("title", result.fullTitle)],
                    message: escapedForDisplay(message) + more)
            ]
        }
        return result.diagnostics.map { command(for: $0, of: result, kind: kind, more: more) }
    }

    private func command(
        for diagnostic: Diagnostic, of result: ScenarioResult?, kind: String? = nil,
        more: String = ""
    ) -> String {
        var properties = location(of: diagnostic, result)
        if let result { properties.append(("title", result.fullTitle)) }
        let own =
            switch diagnostic.severity {
            case .error: kind ?? "error"
            case .warning: "warning"
            case .note: "notice"
            }
        let text = DiagnosticRenderer().text(diagnostic)
        return GitHubCommand.line(own, properties, message: text.dropLast() + more)
    }

    /// Returns the properties that locate a diagnostic. If a behaviour of a built-in dialect failed,
    /// the location is the scenario line that uses it. A diagnostic about an option has no location.
    private func location(
        of diagnostic: Diagnostic, _ result: ScenarioResult?
    ) -> [(String, String)] {
        let all = [diagnostic.location].compactMap(\.self) + diagnostic.related
        guard let first = all.first(where: { $0.source.path == result?.path }) ?? all.first else {
            return result.map(step) ?? []
        }
        guard RepositoryPathConverter.isFile(first.source.path) else {
            let isBuiltIn = RepositoryPathConverter.isBuiltIn(first.source.path)
            return isBuiltIn ? result.map(step) ?? [] : []
        }
        let end = first.source.position(at: first.range.end)
        let start = first.position
        var properties = [
            ("file", paths.path(first.source.path)), ("line", String(start.line)),
            ("endLine", String(end.line)),
        ]
        // GitHub ignores the columns of a range that spans several lines.
        if start.line == end.line {
            properties += [
                ("col", String(start.column)),
                ("endColumn", String(max(end.column, start.column + 1))),
            ]
        }
        return properties
    }

    /// Returns the location properties of the step that decided a scenario's outcome.
    private func step(of result: ScenarioResult) -> [(String, String)] {
        [("file", paths.path(result.path))] + (result.line.map { [("line", String($0))] } ?? [])
    }
}

// MARK: Checks

extension GitHubReport {
    /// Returns the commands for checks of one or more servers. They annotate the dialect setting
    /// that a check is based on, unless the dialect is built in.
    package static func text(
        _ matrix: CheckMatrix, paths: RepositoryPathConverter = RepositoryPathConverter()
    ) -> String {
        let report = GitHubReport(paths: paths)
        return matrix.servers.map { server in
            report.commands(for: server, label: matrix.servers.count > 1 ? server.name : nil)
        }.joined()
    }

    private func commands(for server: CheckMatrix.Server, label: String?) -> String {
        let results = server.results
        let head = label.map { "\($0): " } ?? ""
        var lines: [String] = []
        let unreachable = results.checks.filter(\.isUnreachable)
        if let first = unreachable.first {
            let message =
                "\(first.reason)\n\(counted(unreachable.count, "check")) could not be decided"
            lines.append(
                GitHubCommand.line(
                    "error", [("title", "\(head)unreachable server")], message: message))
        }
        let drift = results.drift?.comparison.changed ?? []
        for check in results.checks where !check.isUnreachable {
            let change = drift.first { $0.id == check.id }
            guard let kind = change == nil ? kind(of: check, results) : "error" else { continue }
            var properties: [(String, String)] = []
            if let basis = check.basisLocation, RepositoryPathConverter.isFile(basis.file) {
                properties += [("file", paths.path(basis.file)), ("line", String(basis.line))]
            }
            properties.append(("title", "\(head)\(check.id)"))
            let message = change.map {
                "differs from the baseline: was \($0.before), now \($0.now)"
            }
            lines.append(
                GitHubCommand.line(kind, properties, message: message ?? explanation(of: check)))
        }
        lines += commands(
            for: results.commandTable?.breaks ?? [], kind: "warning",
            title: "\(head)command table of \(results.dialect)")
        let counts = CheckSummary(style: Style(isColoured: false)).counts(results)
        lines.append(
            GitHubCommand.line("notice", [("title", "linejudge check")], message: head + counts))
        return lines.joined()
    }

    /// Returns the kind of annotation for a check; nil if it gets none.
    private func kind(of check: CheckResult, _ results: CheckResults) -> String? {
        switch check.verdict {
        case .failed: check.level == .may && !results.isStrict ? "warning" : "error"
        case .flaky, .delayed: results.isStrict ? "error" : "warning"
        case .inconclusive: "warning"
        case .passed, .observed, .skipped, .knownFailure, .error: nil
        }
    }

    private func explanation(of check: CheckResult) -> String {
        var lines = [check.claim.isEmpty ? check.reason : check.claim]
        if let finding = check.finding {
            lines += ["expected: \(finding.expected)", "got: \(finding.got)"]
        } else if !check.claim.isEmpty, !check.reason.isEmpty {
            lines.append(check.reason)
        }
        lines.append("because: \(CheckPhrases.because(check))")
        return lines.map { escapedForDisplay($0) }.joined(separator: "\n")
    }
}
