import Foundation
import Report
import Runner
import Testing

/// The page in a real browser: light, dark, narrow and printed.
@Suite(.serialized)
struct BrowserTests {
    @Test(arguments: [Sample.everything, .hundreds])
    func thePageIsWholeAndQuietAndNothingLeavesItsBox(_ sample: Sample) throws {
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

struct HTMLReportTests {
    @Test func thePageHasNoScriptAndAsksForNothing() throws {
        let page = try HTMLReport.text(Sample.results).lowercased()
        for word in ["<script", "<link", "<img", "<iframe", " src=", " onclick", "@import", "url("]
        {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.contains("default-src 'none'; style-src 'unsafe-inline'"))
    }

    @Test func aRunWithoutScenariosIsAPageToo() throws {
        let page = try HTMLReport.text(Sample.interrupted)
        #expect(page.contains("<h1>Nothing was played</h1>"))
        #expect(!page.contains("<figure>"))
    }

    @Test(
        arguments: [
            ([1], [1000]), ([1, 1], [500, 500]), ([1, 9999], [8, 992]),
            ([1, 1, 9998], [8, 8, 984]),
            ([], []), ([0], []),
        ] as [([Int64], [Int64])])
    func everyShareOfTheBarIsWideEnoughToBeSeen(_ parts: [Int64], _ widths: [Int64]) {
        #expect(VerdictBar.shares(parts) == widths)
    }
}
