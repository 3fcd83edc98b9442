import Diagnostics
import Foundation
import Report
import Results
import Testing

/// Validation of each format with an independent program.
struct ExternalReaderTests {
    @Test
    func xmllintAcceptsJUnitReport() throws {
        let text = JUnitReport.text(Sample.results)
        let (status, output) = try Support.withFile(text, named: "junit.xml") {
            try Support.run(["xmllint", "--noout", $0])
        }
        #expect(status == 0, "\(output)")
        let counts = try Support.withFile(text, named: "junit.xml") { path in
            try ["testcase", "failure", "error", "skipped"].map { element in
                try Support.run(["xmllint", "--xpath", "count(//\(element))", path]).output
                    .trimmingCharacters(in: .whitespacesAndNewlines)
            }
        }
        #expect(counts == ["9", "2", "2", "2"])
    }

    @Test
    func proveReadsTAPReport() throws {
        let text = TAPReport.text(Sample.results)
        let (status, output) = try Support.withFile(text, named: "run.tap") {
            try Support.run(["prove", "--ext", ".tap", "--exec", "cat", "--verbose", $0])
        }
        #expect(status != 0)
        #expect(output.contains("Failed 4/8 subtests"), "\(output)")
        #expect(output.contains("Failed tests:  2, 4, 7-8"), "\(output)")
        #expect(!output.contains("Parse errors"), "\(output)")
    }

    @Test
    func proveAcceptsPassedRun() throws {
        let (status, output) = try Support.withFile(
            TAPReport.text(Sample.allPassed(12)), named: "run.tap"
        ) {
            try Support.run(["prove", "--ext", ".tap", "--exec", "cat", $0])
        }
        #expect(status == 0, "\(output)")
        #expect(output.contains("Result: PASS"))
    }

    @Test(arguments: Sample.allCases)
    func resultsFileMatchesSchema(_ sample: Sample) throws {
        let schema = Support.root.appending(path: "docs/results.schema.json").path
        let program = Support.folder.appending(path: "Tools/validate.py").path
        let (status, output) = try Support.withFile(
            try ResultsFile.text(sample.results), named: "run.json"
        ) {
            try Support.run(["python3", program, schema, $0])
        }
        #expect(status == 0, "\(output)")
    }
}

struct ResultsFileTests {
    @Test func resultsFileRoundTrips() throws {
        let text = try ResultsFile.text(Sample.results)
        #expect(try JSONDecoder().decode(RunResults.self, from: Data(text.utf8)) == Sample.results)
    }

    @Test func equalResultsHaveEqualBytes() throws {
        #expect(try ResultsFile.text(Sample.results) == (try ResultsFile.text(Sample.results)))
    }

    @Test func everyMemberIsDocumented() throws {
        let page = try String(
            contentsOf: Support.root.appending(path: "docs/results-schema.md"), encoding: .utf8)
        let schema = try JSONSerialization.jsonObject(
            with: Data(contentsOf: Support.root.appending(path: "docs/results.schema.json")))
        for name in memberNames(schema) {
            #expect(
                page.contains("`\(name)`") || page.contains("\"\(name)\":"),
                "\(name) is not in docs/results-schema.md")
        }
    }

    private func memberNames(_ schema: Any) -> Set<String> {
        var names: Set<String> = []
        if let object = schema as? [String: Any] {
            names.formUnion((object["properties"] as? [String: Any] ?? [:]).keys)
            for value in object.values { names.formUnion(memberNames(value)) }
        } else if let list = schema as? [Any] {
            for value in list { names.formUnion(memberNames(value)) }
        }
        return names
    }
}

struct GitHubReportTests {
    @Test func everyLineIsACommandAndTextIsEscaped() {
        for line in GitHubReport.text(Sample.results).split(separator: "\n") {
            #expect(
                line.hasPrefix("::error ") || line.hasPrefix("::warning ")
                    || line.hasPrefix("::notice "))
        }
    }

    @Test func unreachableServerIsOneError() throws {
        var results = Sample.results
        let away = try #require(results.scenarios.first { $0.isUnreachable })
        results.scenarios = Array(repeating: away, count: 40)
        results.commandTables = []
        let lines = GitHubReport.text(results).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("::error file=Scenarios/irc/away.chat"))
        #expect(lines[0].hasSuffix("connection refused%0A39 more scenarios for the same reason"))
    }

    @Test func failureInsideTheDialectIsAnnotatedInTheScenario() {
        let dialect = SourceText(path: "built-in/irc.yaml", text: "login: |\n  <- 001\n")
        let scenario = SourceText(path: "hello.chat", text: "dialect irc\n\nuse login\n")
        let inside = DiagnosticLocation(
            source: dialect, range: SourceRange(start: 11, end: 17))
        let use = DiagnosticLocation(source: scenario, range: scenario.range(ofLine: 3))
        var results = Sample.allPassed(1)
        results.scenarios[0].path = "hello.chat"
        results.scenarios[0].verdict = .failed
        results.scenarios[0].diagnostics = [
            Diagnostic(.error, "run.timeout", "nothing", at: inside).related(use)
        ]
        let paths = RepositoryPathConverter(roots: ["/repo"], folder: "/repo/tests")
        #expect(
            GitHubReport.text(results, paths: paths).hasPrefix(
                "::error file=tests/hello.chat,line=3,endLine=3,col=1,endColumn=10,"))
        // Results files keep no related locations.
        results.scenarios[0].diagnostics = [
            Diagnostic(.error, "run.timeout", "nothing", at: inside)
        ]
        results.scenarios[0].line = 3
        #expect(GitHubReport.text(results).hasPrefix("::error file=hello.chat,line=3,title="))
    }

    @Test(arguments: ["--exec", "<stdin>"])
    func whatIsNotAFileIsNotAnnotatedAsOne(_ path: String) {
        let source = SourceText(path: path, text: "python3 srver.py {{port}}")
        var results = Sample.allPassed(1)
        results.scenarios[0].verdict = .inconclusive
        results.scenarios[0].isUnreachable = true
        results.scenarios[0].diagnostics = [
            Diagnostic(
                .error, "server.not-started", "the server exited with 2",
                at: DiagnosticLocation(source: source, range: source.range(ofLine: 1)))
        ]
        let text = GitHubReport.text(results)
        #expect(text.hasPrefix("::error title="), "\(text)")
        #expect(!text.contains("file="))
        #expect(!text.contains("line="))
    }

    @Test func escapesCommaInPath() {
        #expect(
            GitHubReport.text(Sample.results).contains(
                "file=Scenarios/evil%2Cdir/a%3Ab.chat,line=1,"))
    }
}
