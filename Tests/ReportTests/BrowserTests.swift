import Foundation
import Report
import Results
import Testing

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
    @Test func pageHasNoScriptsOrExternalResources() throws {
        let page = try LoadReportFormat.html.text(LoadSample.troubled).lowercased()
        for word in ["<script", "<link", "<img", "<iframe", " src=", " onclick", "@import", "url("]
        {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.contains("default-src 'none'; style-src 'unsafe-inline'"))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;\\xff"))
    }

    @Test func pageShowsProblems() throws {
        let page = try LoadReportFormat.html.text(LoadSample.troubled)
        for words in [
            "threshold failed: lost &lt;= 3", "<code>lost &lt;= 3</code>",
            "lj000002 never received 4 messages",
            "the load generator was the bottleneck", "The load was interrupted after",
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

    @Test(arguments: [LoadReportFormat.pretty, .junit, .csv, .github, .markdown])
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
        #expect(page.contains("<h1>No scenario ran</h1>"))
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
