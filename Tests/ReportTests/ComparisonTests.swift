import Foundation
import Report
import Results
import Testing

struct ComparisonTests {
    private func compared(
        _ first: LoadResults, _ second: LoadResults, tolerance: Double = 0.05, draws: Int = 100
    ) throws -> Comparison {
        try .of(
            first, second, names: ("a.json", "b.json"), tolerance: tolerance, confidence: 0.95,
            draws: draws)
    }

    @Test func slowerServerIsWorse() throws {
        let comparison = try compared(
            LoadSample.fine, LoadSample.results(slowness: 1.5, seed: 2), draws: 500)
        #expect(comparison.verdict == .failed)
        let text = ComparisonText().text(comparison)
        #expect(text == (try Support.golden("compare-load.txt", now: text)))
        let markdown = ComparisonMarkdown.text(comparison)
        #expect(markdown == (try Support.golden("compare-load.md", now: markdown)))
    }

    @Test(arguments: [2, 3])
    func noiseIsNotWorse(_ seed: UInt64) throws {
        let comparison = try compared(
            LoadSample.fine, LoadSample.results(seed: seed), tolerance: 0.1)
        #expect(comparison.verdict != .failed, "\(ComparisonText().text(comparison))")
    }

    @Test func fasterServerIsBetterAndEqualOneIsUnchanged() throws {
        let better = try compared(LoadSample.results(slowness: 2), LoadSample.results(seed: 2))
        #expect(better.verdict != .failed)
        #expect(better.figures.contains { $0.finding == .better })
        let same = try compared(LoadSample.fine, LoadSample.fine)
        #expect(same.figures.allSatisfy { [.same, .shown].contains($0.finding) })
    }

    @Test func aBoundFarBeyondTheValuesIsInfinite() {
        let figures = [1e6, 999e6, 1_001e6].map { bound in
            Comparison.Figure(
                group: "say", name: "p50", unit: .nanoseconds, values: [0.5e6, 1e6],
                interval: Interval(low: -0.5e6, high: bound))
        }
        let comparison = Comparison(
            names: ("a", "b"), abouts: ("", ""), figures: figures, tolerance: 0.1,
            confidence: 0.95)
        let intervals = ComparisonMarkdown.text(comparison).matches(of: /-500 µs … \+([^ ]*)/)
            .map(\.output.1)
        #expect(intervals == ["1.0", "999", "∞"])
    }

    @Test func oneMoreLostMessageIsAlwaysWorse() throws {
        var second = LoadSample.fine
        second.ledger.violations = ["lost": 1]
        let comparison = try compared(LoadSample.fine, second, tolerance: 10)
        #expect(comparison.figures.filter { $0.finding == .worse }.map(\.name) == ["lost"])
    }

    @Test func overloadedGeneratorIsInconclusive() throws {
        var second = LoadSample.fine
        second.generator.limits = ["only 40% of the rate was sent"]
        let comparison = try compared(LoadSample.fine, second)
        #expect(comparison.doubts == ["b.json: only 40% of the rate was sent"])
        #expect(ComparisonText().text(comparison).contains("INCONCLUSIVE"))
    }

    @Test func differentLoadsAreComparedWithANote() throws {
        var second = LoadSample.fine
        second.requested.operators = 80
        let comparison = try compared(LoadSample.fine, second)
        #expect(comparison.notes == ["the load tests differ in operators: 40 and 80"])
    }

    @Test func pageShowsEachLoadInEveryChart() throws {
        let (page, names) = try Self.page()
        for name in names { #expect(page.contains(name)) }
        #expect(page.contains("B compared with A"))
        #expect(page.contains("C compared with A"))
        #expect(page.contains("✗ worse"))
        let charts = page.components(separatedBy: "<figure>").dropFirst()
        #expect(charts.count >= 3)
        for chart in charts {
            for line in ["s1", "s2", "s3"] {
                #expect(chart.contains("class=\"line \(line)\""))
            }
        }
        #expect(!page.contains("<script"))
        #expect(!page.contains("http://") || page.contains("http://www.w3.org/2000/svg"))
    }

    @Test func textFromResultsDoesNothingInThePage() throws {
        var other = LoadSample.fine
        other.server = "<img src=x onerror=alert(1)>"
        let name = "<script>alert(1)</script>.json"
        let page = try CompareReportFormat.html.text(
            ComparedResults(
                groups: [
                    LoadGroup(name: "a.json", loads: [LoadSample.fine]),
                    LoadGroup(name: name, loads: [other]),
                ],
                comparisons: [
                    try .of(
                        LoadSample.fine, other, names: ("a.json", name), tolerance: 0.05,
                        confidence: 0.95, draws: 20)
                ]))
        #expect(!page.contains("<img"))
        #expect(!page.contains("<script"))
        #expect(page.contains("&lt;script&gt;"))
    }

    @Test func onlyLoadsHaveAPage() {
        let run = ComparedResults(groups: [], comparisons: [])
        let error = #expect(throws: CommandFailure.self) { try CompareReportFormat.html.text(run) }
        #expect(error?.code == .usage)
    }

    /// A page that compares three loads, with the names of the loads.
    static func page() throws -> (text: String, names: [String]) {
        let loads = [
            LoadSample.fine, LoadSample.results(slowness: 1.5, seed: 2),
            LoadSample.results(slowness: 3, seed: 3),
        ]
        let names = ["before.json", "after.json", "long-name-of-the-third-load-test.json"]
        let comparisons = try [1, 2].map { index in
            var comparison = try Comparison.of(
                loads[0], loads[index], names: (names[0], names[index]), tolerance: 0.05,
                confidence: 0.95, draws: 50)
            comparison.letters.1 = ComparisonHTML.letter(index)
            return comparison
        }
        let groups = zip(names, loads).map { LoadGroup(name: $0, loads: [$1]) }
        let page = try CompareReportFormat.html.text(
            ComparedResults(groups: groups, comparisons: comparisons))
        return (page, names)
    }

    @Test func scenarioThatNoLongerPassesIsWorse() throws {
        var second = Sample.results
        second.scenarios[0].verdict = .failed
        second.scenarios[1].verdict = .passed
        let comparison = Comparison.of(
            Sample.results, second, names: ("a.json", "b.json"), tolerance: 0.05, confidence: 0.95)
        #expect(comparison.verdict == .failed)
        let text = ComparisonText().text(comparison)
        #expect(text == (try Support.golden("compare-run.txt", now: text)))
        let markdown = ComparisonMarkdown.text(comparison)
        #expect(markdown == (try Support.golden("compare-run.md", now: markdown)))
    }

    @Test func identicalRunIsNotWorse() {
        let comparison = Comparison.of(
            Sample.results, Sample.results, names: ("a", "b"), tolerance: 0, confidence: 0.95)
        #expect(comparison.verdict != .failed)
    }
}

struct AnyResultsTests {
    @Test func detectsKindOfFileBySchema() throws {
        let run = try AnyResults(Array(ReportFormat.json.text(Sample.results).utf8))
        let load = try AnyResults(Array(LoadReportFormat.json.text(LoadSample.troubled).utf8))
        guard case .run(let readRun) = run, case .load(let readLoad) = load else {
            Issue.record("another kind")
            return
        }
        #expect(readRun.scenarios.count == Sample.results.scenarios.count)
        #expect(readLoad == LoadSample.troubled)
    }

    @Test(arguments: [
        ("version-1-run.json", "all.json"), ("version-1-check-matrix.json", "check-matrix.json"),
    ])
    func resultsOfVersion1AreReadAsVersion2(_ earlier: String, _ current: String) throws {
        let folder = Support.folder.appending(path: "Golden")
        let text =
            switch try AnyResults(Array(Data(contentsOf: folder.appending(path: earlier)))) {
            case .run(let run): try ReportFormat.json.text(run)
            case .check(let matrix): try CheckReportFormat.json.text(matrix)
            case .load(let load): try LoadReportFormat.json.text(load)
            case .repeatedLoad(let loads): try RepeatedLoadReportFormat.json.text(loads)
            }
        let expected = try Data(contentsOf: folder.appending(path: current))
        #expect(text == String(decoding: expected, as: UTF8.self))
    }

    @Test(arguments: [
        ("behaviours", "personas"), ("behaviour", "persona"), ("thresholds", "promises"),
        ("batchIntervalNanoseconds", "quantumNanoseconds"), ("foreign", "strangers"),
    ])
    func loadResultsOfVersion1AreReadAsVersion2(_ current: String, _ earlier: String) throws {
        var load = LoadSample.troubled
        load.search = RateSearchResults(
            thresholds: ["p99 < 5ms"], steps: [], ratePerSecond: 100, isConfirmed: true,
            isBoundByGenerator: false)
        let text = try LoadReportFormat.json.text(load)
            .replacing("linejudge.load/2", with: "linejudge.load/1")
        let earlierText = text.replacing("\"\(current)\" :", with: "\"\(earlier)\" :")
        #expect(earlierText != text)
        guard case .load(let read) = try AnyResults(Array(earlierText.utf8)) else {
            Issue.record("another kind")
            return
        }
        #expect(read == load)
    }

    @Test(arguments: [
        (RateSearchResults.Outcome.passed, "held"), (.failed, "broke"),
        (.inconclusive, "undecided"),
    ])
    func earlierOutcomesOfSearchesAreReadAsTheCurrentOnes(
        _ current: RateSearchResults.Outcome, _ earlier: String
    ) throws {
        let step = RateSearchResults.Step(
            ratePerSecond: 100, purpose: "doubling", outcome: current, achievedPerSecond: 99,
            thresholds: [], reasons: [])
        var load = LoadSample.troubled
        load.search = RateSearchResults(
            thresholds: [], steps: [step], isConfirmed: false, isBoundByGenerator: false)
        let text = try LoadReportFormat.json.text(load)
        let earlierText = text.replacing(
            "\"outcome\" : \"\(current.rawValue)\"", with: "\"outcome\" : \"\(earlier)\"")
        #expect(earlierText != text)
        guard case .load(let read) = try AnyResults(Array(earlierText.utf8)) else {
            Issue.record("another kind")
            return
        }
        #expect(read == load)
    }

    @Test func anUnknownOutcomeOfASearchIsNamedInTheError() {
        let error = #expect(throws: ResultsFileError.self) {
            try JSONDecoder().decode(
                [RateSearchResults.Outcome].self, from: Data(#"["melted"]"#.utf8))
        }
        #expect(error?.description.contains("`melted` is not a search outcome") == true)
    }

    @Test(arguments: [
        ("", "expected JSON"), ("{}", "expected JSON with a `schema`"), ("[1]", "expected JSON"),
        (#"{"schema": "linejudge.load/2", "tool"#, "incomplete JSON"),
        (#"{"schema": "linejudge.load/3"}"#, "unknown schema `linejudge.load/3`"),
        (#"{"schema": "linejudge.load/2"}"#, "`toolVersion` is missing"),
        (#"{"schema": "linejudge.load/2", "toolVersion": 7}"#, "`toolVersion` has the wrong type"),
    ])
    func rejectsOtherFiles(_ text: String, _ words: String) {
        let error = #expect(throws: AnyResults.Unreadable.self) {
            try AnyResults(Array(text.utf8))
        }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
}
