import Diagnostics
import LineProtocol
package import Results

/// JUnit XML for Jenkins, GitLab and other CI servers, with one suite per folder and one test
/// case per scenario. Inconclusive and invalid scenarios are errors; known failures are skipped.
package enum JUnitReport {
    /// Returns the XML document.
    package static func text(_ results: RunResults) -> String {
        var folders: [String] = []
        var byFolder: [String: [ScenarioResult]] = [:]
        for result in results.scenarios {
            let folder = folder(of: result)
            if byFolder[folder] == nil { folders.append(folder) }
            byFolder[folder, default: []].append(result)
        }
        let tables = commandTables(results)
        let attributes =
            countAttributes(results.scenarios, tables) + [("time", seconds(results.duration))]
        var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
        lines.append(open("testsuites", [("name", "linejudge")] + attributes))
        for folder in folders {
            lines += suite(folder, byFolder[folder] ?? [], in: results)
        }
        lines += suite(tables)
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func suite(
        _ folder: String, _ scenarios: [ScenarioResult], in results: RunResults
    ) -> [String] {
        let time = scenarios.reduce(0) { $0 + $1.duration }
        let attributes =
            [("name", folder)] + countAttributes(scenarios)
            + [("time", seconds(time)), ("timestamp", UTCTime(results.startedAt).isoText)]
        let properties = [
            ("server", results.server.summary), ("seed", String(results.seed)),
            ("linejudge", results.toolVersion),
        ]
        var lines = ["  " + open("testsuite", attributes), "    <properties>"]
        lines += properties.map { name, value in
            "      <property name=\"\(name)\" value=\"\(XMLText.attribute(value))\"/>"
        }
        lines.append("    </properties>")
        lines += scenarios.flatMap { testCase(explained($0, in: results)) }
        return lines + ["  </testsuite>"]
    }

    /// Returns the result, with the details of an error that concerns the whole run if this is why
    /// the scenario did not run: the server could not be started or reached.
    private static func explained(
        _ result: ScenarioResult, in results: RunResults
    ) -> ScenarioResult {
        guard result.verdict == .inconclusive, result.diagnostics.isEmpty,
            let error = results.diagnostics.first(where: { $0.message == result.reason })
        else { return result }
        var explained = result
        explained.diagnostics = [error]
        return explained
    }

    private static func testCase(_ result: ScenarioResult) -> [String] {
        var attributes = [
            ("name", result.fullTitle), ("classname", result.path),
            ("time", seconds(result.duration)), ("file", result.path),
        ]
        if let line = result.line { attributes.append(("line", String(line))) }
        let inside = outcome(of: result) + output(of: result)
        guard !inside.isEmpty else {
            return ["    <testcase\(written(attributes))/>"]
        }
        return ["    " + open("testcase", attributes)] + inside.map { "      " + $0 }
            + ["    </testcase>"]
    }

    private static func outcome(of result: ScenarioResult) -> [String] {
        switch result.verdict {
        case .passed, .flaky, .delayed, .observed: []
        case .failed: [problem("failure", result)]
        case .inconclusive, .error: [problem("error", result)]
        case .skipped: ["<skipped\(written([("message", shown(result.reason))]))/>"]
        case .knownFailure:
            ["<skipped\(written([("message", shown("known failure: \(result.reason)"))]))/>"]
        }
    }

    private static func problem(_ element: String, _ result: ScenarioResult) -> String {
        let type = result.diagnostics.first?.code.word ?? result.verdict.rawValue
        let attributes = [("message", shown(result.headline ?? "")), ("type", type)]
        let text = DiagnosticRenderer().text(result.diagnostics)
        var body = text.isEmpty ? escapedForDisplay(result.reason) : text
        if let excerpt = TranscriptExcerpt(result) { body = excerpt.appended(to: body) }
        return "<\(element)\(written(attributes))>\(XMLText.content(body))</\(element)>"
    }

    private static func output(of result: ScenarioResult) -> [String] {
        guard result.verdict != .passed else { return [] }
        var text = result.verdict == .flaky ? "flaky: passed on attempt \(result.attempts)\n" : ""
        text += TranscriptText.plain.text(result.transcript, decisive: result.focus?.entry)
        var elements: [String] = []
        if !text.isEmpty { elements.append("<system-out>\(XMLText.content(text))</system-out>") }
        if !result.serverOutput.isEmpty {
            let lines = result.serverOutput.split(separator: UInt8(ascii: "\n"))
                .map { escapedForDisplay($0) }.joined(separator: "\n")
            elements.append("<system-err>\(XMLText.content(lines))</system-err>")
        }
        return elements
    }

    // MARK: Command tables

    /// Test case for a dialect's command table, created only if there are violations or if
    /// violations fail the run.
    private struct TableCase {
        var dialect: String
        var broken: [String]
        var isFailure: Bool
    }

    private static func commandTables(_ results: RunResults) -> [TableCase] {
        results.commandTables.filter { results.brokenLinesFail || $0.report.brokenLines > 0 }.map {
            TableCase(
                dialect: $0.dialect,
                broken: $0.report.breaks.map { item in
                    SchemaPhrases.full(item)
                        + (SchemaPhrases.location(item).map { "\n  at \($0)" } ?? "")
                }
                    + ($0.report.otherBreaks > 0
                        ? ["\($0.report.otherBreaks) lines of other kinds"] : []),
                isFailure: results.brokenLinesFail && $0.report.brokenLines > 0)
        }
    }

    private static func suite(_ tables: [TableCase]) -> [String] {
        guard !tables.isEmpty else { return [] }
        let failures = tables.count(where: \.isFailure)
        let head = [
            ("name", "command-table"), ("tests", String(tables.count)),
            ("failures", String(failures)), ("errors", "0"), ("skipped", "0"), ("time", "0"),
        ]
        return ["  " + open("testsuite", head)] + tables.flatMap(testCase) + ["  </testsuite>"]
    }

    private static func testCase(_ table: TableCase) -> [String] {
        let attributes = [
            ("name", "server lines match the command table of \(table.dialect)"),
            ("classname", "command-table"), ("time", "0"),
        ]
        guard let first = table.broken.first else {
            return ["    <testcase\(written(attributes))/>"]
        }
        let body = XMLText.content(table.broken.joined(separator: "\n"))
        let inside =
            table.isFailure
            ? "<failure\(written([("message", first), ("type", "schema")]))>\(body)</failure>"
            : "<system-out>\(body)</system-out>"
        return ["    " + open("testcase", attributes), "      " + inside, "    </testcase>"]
    }

    private static func countAttributes(
        _ scenarios: [ScenarioResult], _ tables: [TableCase] = []
    ) -> [(String, String)] {
        let counts = VerdictCounts(scenarios.lazy.map(\.verdict))
        let broken = tables.count(where: \.isFailure)
        return [
            ("tests", String(counts.total + tables.count)),
            ("failures", String(counts[.failed] + broken)),
            ("errors", String(counts[.inconclusive] + counts[.error])),
            ("skipped", String(counts[.skipped] + counts[.knownFailure])),
        ]
    }

    private static func folder(of result: ScenarioResult) -> String {
        guard let slash = result.path.lastIndex(of: "/") else { return "." }
        return slash == result.path.startIndex ? "/" : String(result.path[..<slash])
    }

    private static func seconds(_ nanoseconds: Int64) -> String {
        decimal(nanoseconds, per: 1_000_000_000, digits: 6)
    }

    private static func shown(_ text: String) -> String { escapedForDisplay(text) }

    private static func open(_ name: String, _ attributes: [(String, String)]) -> String {
        "<\(name)\(written(attributes))>"
    }

    private static func written(_ attributes: [(String, String)]) -> String {
        attributes.map { " \($0)=\"\(XMLText.attribute($1))\"" }.joined()
    }
}
