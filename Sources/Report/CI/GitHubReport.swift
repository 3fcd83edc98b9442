import Diagnostics
import LineProtocol
package import Results

/// GitHub workflow commands, which annotate lines of files: errors for failed and invalid scenarios,
/// warnings for inconclusive and flaky ones, and a notice with the counts.
package enum GitHubReport {
    /// Returns the commands, one per line.
    package static func text(_ results: RunResults) -> String {
        var lines = results.diagnostics.map { command(for: $0, title: nil) }
        for result in results.scenarios { lines += commands(for: result) }
        for table in results.commandTables {
            let kind = results.brokenLinesFail ? "error" : "warning"
            for item in table.report.breaks {
                var properties: [(String, String)] = []
                if let location = item.location {
                    properties.append(("file", location.file))
                    if let line = location.line { properties.append(("line", String(line))) }
                }
                properties.append(("title", "command table of \(table.dialect)"))
                lines.append(command(kind, properties, SchemaPhrases.full(item)))
            }
        }
        let total = counted(results.counts.total, "scenario")
        let message = "\(total): \(results.counts.summary)"
        lines.append("::notice title=linejudge::\(escaped(message))")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func commands(for result: ScenarioResult) -> [String] {
        let kind: String
        switch result.verdict {
        case .failed, .error: kind = "error"
        case .inconclusive, .flaky: kind = "warning"
        case .passed, .delayed, .observed, .skipped, .knownFailure: return []
        }
        if result.diagnostics.isEmpty {
            let message = result.reason.isEmpty ? VerdictStyle(result.verdict).word : result.reason
            var properties = [("file", result.path)]
            if let line = result.line { properties.append(("line", String(line))) }
            properties.append(("title", result.fullTitle))
            return [command(kind, properties, escapedForDisplay(message))]
        }
        return result.diagnostics.map { command(for: $0, title: result.fullTitle, kind: kind) }
    }

    private static func command(
        for diagnostic: Diagnostic, title: String?, kind: String? = nil
    ) -> String {
        var properties: [(String, String)] = []
        if let location = diagnostic.location {
            let end = location.source.position(at: location.range.end)
            properties = [
                ("file", location.source.path), ("line", String(location.position.line)),
                ("endLine", String(end.line)), ("col", String(location.position.column)),
                ("endColumn", String(max(end.column, location.position.column + 1))),
            ]
        }
        if let title { properties.append(("title", title)) }
        let own =
            switch diagnostic.severity {
            case .error: kind ?? "error"
            case .warning: "warning"
            case .note: "notice"
            }
        let text = DiagnosticRenderer().text(diagnostic)
        return command(own, properties, String(text.dropLast()))
    }

    private static func command(
        _ kind: String, _ properties: [(String, String)], _ message: String
    ) -> String {
        let written = properties.map { name, value in
            "\(name)=\(escaped(escapedForDisplay(value), isProperty: true))"
        }
        let head = written.isEmpty ? "" : " " + written.joined(separator: ",")
        return "::\(kind)\(head)::\(escaped(message))"
    }

    private static func escaped(_ text: String, isProperty: Bool = false) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": out += "%25"
            case "\r": out += "%0D"
            case "\n": out += "%0A"
            case ":" where isProperty: out += "%3A"
            case "," where isProperty: out += "%2C"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
