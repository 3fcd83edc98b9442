import Foundation
import Results
import Testing

@testable import Report

/// Pages in a real browser: light, dark, narrow and printed.
@Suite(.serialized)
struct BrowserTests {
    @Test(arguments: [Sample.everything, .hundreds])
    func runPageRendersWithoutErrorsOrOverflow(_ sample: Sample) throws {
        let results = sample.results
        let probe = Support.folder.appending(path: "Tools/probe.py").path
        let (status, output) = try Support.withFile(
            try HTMLReport.text(results), named: "report.html"
        ) {
            try Support.run(["timeout", "120", "python3", probe, $0])
        }
        #expect(status == 0, "\(output)")
        #expect(output.contains("\"scenarios\": \(results.scenarios.count)"), "\(output)")
    }
}

extension BrowserTests {
    @Test(arguments: [3, 5])
    func loadPageRendersWithoutErrorsOrOverflow(_ figures: Int) throws {
        // Five charts with a ramp, four without.
        var results = figures == 5 ? LoadSample.fine : LoadSample.troubled
        if figures == 5 { results.ramp = LoadSample.ramp }
        let probe = Support.folder.appending(path: "Tools/probe.py").path
        let (status, output) = try Support.withFile(
            try LoadReportFormat.html.text(results), named: "load.html"
        ) {
            try Support.run(["timeout", "120", "python3", probe, $0])
        }
        #expect(status == 0, "\(output)")
        #expect(output.contains("\"figures\": \(figures == 5 ? 5 : 4)"), "\(output)")
    }
}

extension BrowserTests {
    @Test func comparisonRendersWithoutErrorsOrOverflow() throws {
        let probe = Support.folder.appending(path: "Tools/probe.py").path
        let (status, output) = try Support.withFile(
            try ComparisonTests.page().text, named: "compare.html"
        ) {
            try Support.run(["timeout", "120", "python3", probe, $0])
        }
        #expect(status == 0, "\(output)")
    }
}

extension BrowserTests {
    @Test func scriptOfTheLoadPageShowsValuesZoomsHidesAndFilters() throws {
        let tool = Support.folder.appending(path: "Tools/interact.py").path
        let (status, output) = try Support.withFile(
            try LoadReportFormat.html.text(LoadSample.troubled), named: "load.html"
        ) {
            try Support.run(["timeout", "120", "python3", tool, $0])
        }
        #expect(status == 0, "\(output)")
    }
}

extension BrowserTests {
    @Test(arguments: [1, 3])
    func checkPageRendersWithoutErrorsOrOverflow(_ servers: Int) throws {
        let page =
            try servers == 1
            ? CheckReportFormat.html.text(CheckSample.results)
            : CheckReportFormat.html.text(CheckSample.matrix)
        let probe = Support.folder.appending(path: "Tools/probe.py").path
        let (status, output) = try Support.withFile(page, named: "check.html") {
            try Support.run(["timeout", "120", "python3", probe, $0])
        }
        #expect(status == 0, "\(output)")
        #expect(output.contains("\"figures\": \(servers)"), "\(output)")
    }
}

struct LoadPageTests {
    @Test func pageHasOneScriptAndNoExternalResources() throws {
        let page = try LoadReportFormat.html.text(LoadSample.troubled).lowercased()
        #expect(page.components(separatedBy: "<script").count == 2)
        for word in ["<link", "<img", "<iframe", " src=", " onclick", "@import", "url("] {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.contains("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-"))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;\\xff"))
    }

    /// Browsers run a script only if its hash is the one in the policy.
    @Test(arguments: [("load.js", LoadScript.hash), ("ladder.js", LadderHTML.scriptHash)])
    func policyNamesTheHashOfTheScript(_ name: String, _ expected: String) throws {
        let path = Support.root.appending(path: "Sources/Report/Templates/\(name)").path
        let command = "openssl dgst -sha256 -binary '\(path)' | base64"
        let hash = try Support.run(["sh", "-c", command]).output
        #expect(hash == expected + "\n")
    }

    @Test func pageOfARunningLoadAllowsUpdatesAndEscapesTextFromTheServer() throws {
        let results = LoadSample.troubled
        let progress = LoadProgress(
            phase: .measuring, elapsed: 12_000_000_000, duration: 24_000_000_000, operators: 40,
            canChangeRate: true)
        var live = LiveLoadPage()
        live.add(0, LoadSecond())
        let main = try live.main(results, LoadSnapshot(), progress, query: "?token=x")
        #expect(main.contains("&lt;script&gt;alert(1)&lt;/script&gt;\\xff"))
        #expect(!main.contains("<script"))
        #expect(main.contains("12 s of 24 s (50%), 12 s left"))
        for command in ["pause", "slower", "faster", "stop"] {
            #expect(main.contains("formaction=\"\(command)?token=x\""))
        }
        let page = try LiveLoadPage.page(results, content: main)
        #expect(page.contains(main))
        #expect(page.contains("connect-src 'self'; form-action 'self'"))
        let closed = LoadProgress(phase: .measuring, duration: 1, operators: 1)
        let inClosedModel = try live.main(results, LoadSnapshot(), closed, query: "")
        #expect(inClosedModel.contains("formaction=\"stop\""))
        #expect(!inClosedModel.contains("formaction=\"pause\""))
    }

    @Test func pageShowsProblems() throws {
        let page = try LoadReportFormat.html.text(LoadSample.troubled)
        for words in [
            "threshold failed: lost &lt;= 3", "<code>lost &lt;= 3</code>",
            "lj000002 never received 4 messages",
            "the load generator was the bottleneck", "The load test was interrupted after",
            "inconclusive",
        ] {
            #expect(page.contains(words), "\(words)")
        }
    }

    @Test func emptyLoadHasPage() throws {
        let page = try LoadReportFormat.html.text(LoadSample.nothing)
        #expect(page.contains("No deliveries were expected."))
        #expect(!page.contains("<figure>"))
    }

    @Test(arguments: [
        LoadReportFormat.pretty, .junit, .csv, .github, .markdown, .openmetrics, .influx,
    ])
    func eachFormatMatchesGoldenFile(_ format: LoadReportFormat) throws {
        let text = try format.text(LoadSample.troubled)
        let name = "load.\(format.rawValue)"
        #expect(text == (try Support.golden(name, now: text)))
    }

    @Test func summaryOfPassedLoadMatchesGoldenFile() throws {
        for isColoured in [false, true] {
            let text = LoadSummary(style: Style(isColoured: isColoured)).text(LoadSample.fine)
            let name = isColoured ? "load-colour.txt" : "load-fine.txt"
            #expect(text == (try Support.golden(name, now: text)))
        }
    }
}

struct HTMLReportTests {
    @Test func pageHasNoScriptsOrExternalResources() throws {
        let page = try HTMLReport.text(Sample.results).lowercased()
        for word in ["<script", "<link", "<img", "<iframe", " src=", " onclick", "@import", "url("]
        {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.contains("default-src 'none'; style-src 'unsafe-inline'"))
    }

    @Test func emptyRunHasPage() throws {
        let page = try HTMLReport.text(Sample.interrupted)
        #expect(page.contains("<h1>No scenarios ran</h1>"))
        #expect(!page.contains("<figure>"))
    }

    @Test(
        arguments: [
            ([1], [1000]), ([1, 1], [500, 500]), ([1, 9999], [8, 992]),
            ([1, 1, 9998], [8, 8, 984]),
            ([], []), ([0], []),
        ] as [([Int64], [Int64])])
    func everyShareOfTheBarIsVisible(_ parts: [Int64], _ widths: [Int64]) {
        #expect(VerdictBar.shares(parts) == widths)
    }
}
