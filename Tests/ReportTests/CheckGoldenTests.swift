import Foundation
import Report
import Results
import Testing

/// Golden files of check reports.
struct CheckGoldenTests {
    @Test(arguments: CheckReportFormat.allCases)
    func eachFormatMatchesGoldenFile(_ format: CheckReportFormat) throws {
        let text = try format.text(CheckSample.results)
        #expect(text == (try Support.golden("check.\(format.rawValue)", now: text)))
    }

    @Test func colouredSummaryMatchesGoldenFile() throws {
        let summary = CheckSummary(style: Style(isColoured: true))
        let text =
            summary.heading(CheckSample.results, count: 12)
            + summary.text(CheckSample.results, replay: "--exec 'ngircd -n'")
        #expect(text == (try Support.golden("check-colour.txt", now: text)))
    }

    @Test func interruptedSummarySaysSo() {
        let text = CheckSummary(style: Style(isColoured: false))
            .text(CheckSample.interrupted, replay: "")
        #expect(text == "\nno checks ran in 40 ms, interrupted\n")
    }

    @Test func escapesTerminalControlSequences() throws {
        let orders = try CheckReportFormat.pretty.text(CheckSample.results).unicodeScalars.filter {
            $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value)
        }
        #expect(orders.isEmpty)
    }

    @Test func everyFailingFormatReportsDrift() throws {
        var results = CheckSample.results
        results.compare(
            with: CheckSample.baseline, named: "irc.baseline",
            catalogue: Set(results.checks.map(\.id)))
        let text = try CheckReportFormat.pretty.text(results)
        #expect(text == (try Support.golden("check-drift.txt", now: text)))
        let junit = try CheckReportFormat.junit.text(results)
        #expect(junit.contains("check.drift"))
        let json = try CheckReportFormat.json.text(results)
        #expect(json.contains("\"recorded\" : \"refuse\""))
    }

    @Test func comparisonOfBaselinesMatchesGoldenFile() throws {
        let baselines = (CheckSample.baseline, CheckBaseline(CheckSample.results))
        let comparison = BaselineComparison(baselines.0, baselines.1)
        let names = ("old.baseline", "new.baseline")
        let text = BaselineText().text(comparison, baselines, names: names)
        #expect(text == (try Support.golden("compare-baseline.txt", now: text)))
        let page = BaselineMarkdown.text(comparison, baselines, names: names)
        #expect(page == (try Support.golden("compare-baseline.md", now: page)))
    }

    @Test(arguments: CheckReportFormat.allCases)
    func matrixMatchesGoldenFile(_ format: CheckReportFormat) throws {
        let text = try format.text(CheckSample.matrix)
        #expect(text == (try Support.golden("check-matrix.\(format.rawValue)", now: text)))
    }

    @Test(arguments: CheckReportFormat.allCases)
    func reportOfResultsFileEqualsReportOfResults(_ format: CheckReportFormat) throws {
        var results = CheckSample.results
        results.compare(with: CheckSample.baseline, named: "irc.baseline", catalogue: [])
        for matrix in [CheckMatrix([.init("ngircd 26.1", results)]), CheckSample.matrix] {
            let file = try CheckReportFormat.json.text(matrix)
            guard case .check(let read) = try AnyResults(Array(file.utf8)) else {
                Issue.record("they are of another kind")
                return
            }
            #expect(try format.text(read) == (try format.text(matrix)))
        }
    }

    @Test func resultsFileMatchesSchema() throws {
        let schema = Support.root.appending(path: "docs/check-results.schema.json").path
        var held = CheckSample.results
        held.compare(with: CheckSample.baseline, named: "irc.baseline", catalogue: [])
        let texts = try [
            CheckReportFormat.json.text(held), CheckReportFormat.json.text(CheckSample.interrupted),
            CheckReportFormat.json.text(CheckSample.matrix),
        ]
        for text in texts { try validate(text, schema) }
    }

    @Test func sarifMatchesOfficialSchema() throws {
        let schema = Support.folder.appending(path: "Tools/sarif-2.1.0.schema.json").path
        try validate(try CheckReportFormat.sarif.text(CheckSample.matrix), schema)
        try validate(try ReportFormat.sarif.text(Sample.results), schema)
        try validate(try SARIFReport.text([], toolVersion: "0.1.0"), schema)
    }

    private func validate(_ text: String, _ schema: String) throws {
        let program = Support.folder.appending(path: "Tools/validate.py").path
        let (status, output) = try Support.withFile(text, named: "file.json") {
            try Support.run(["python3", program, schema, $0])
        }
        #expect(status == 0, "\(output)")
    }

    @Test(arguments: [false, true])
    func pageHasNoScriptsOrExternalResources(isMatrix: Bool) throws {
        let page =
            try isMatrix
            ? CheckReportFormat.html.text(CheckSample.matrix).lowercased()
            : CheckReportFormat.html.text(CheckSample.results).lowercased()
        for word in ["<script", "<link", "<img", "<iframe", " src=", " onclick", "@import", "url("]
        {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.contains("default-src 'none'; style-src 'unsafe-inline'"))
        #expect(page.contains("error :&lt;bye&gt;\\xff"))
    }

    @Test func everyLinkHasATarget() throws {
        let page = try CheckReportFormat.html.text(CheckSample.matrix)
        let links = page.matches(of: #/href="#([^"]+)"/#).map { String($0.output.1) }
        #expect(links.count > 10)
        for link in links { #expect(page.contains("id=\"\(link)\""), "\(link)") }
        let ids = page.matches(of: #/ id="([^"]+)"/#).map { String($0.output.1) }
        #expect(Set(ids).count == ids.count)
    }
}
