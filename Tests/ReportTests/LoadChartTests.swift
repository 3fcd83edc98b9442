import Diagnostics
import Foundation
import Testing

@testable import Report
@testable import Results

/// Tiles and charts of the report on a load.
struct LoadChartTests {
    /// Twenty-four seconds with three stages and two thresholds, one of which is broken. Some
    /// messages arrive in the drain.
    private static let staged: LoadResults = {
        var results = LoadSample.fine
        results.requested.stages = [
            stage(10, 100, 100, "calm"), stage(4, 100, 300, "filling"), stage(10, 200, 200, nil),
        ]
        var late = LatencyHistogram()
        late.record(900_000_000)
        results.seconds.append(
            .init(
                second: 24, sent: 0, arrived: 1, violations: 0, latencies: ["say": .init(late)]))
        return LoadSample.judged(
            results, ["p99(say) < 5us", "max(say.last) < 10s", "mean(login) < 1s", "lost == 0"])
    }()

    private static func stage(
        _ seconds: Int64, _ start: Double, _ end: Double, _ name: String?
    ) -> RequestedLoad.Stage {
        .init(
            durationNanoseconds: seconds * 1_000_000_000, startPerSecond: start,
            endPerSecond: end, name: name)
    }

    private func tile(_ name: String, in results: LoadResults) throws -> LoadHTMLPage.Tile {
        try #require(LoadHTMLPage.Tile.all(results).first { $0.name == name })
    }

    @Test func tileOfALatencyHasTheColourOfItsThreshold() throws {
        let broken = try tile("p99(say)", in: Self.staged)
        #expect(broken.class == "failed")
        #expect(broken.note.hasSuffix("limit < 5 µs"))
        let met = LoadSample.judged(Self.staged, ["p99(say) < 10s"])
        #expect(try tile("p99(say)", in: met).class == "passed")
        #expect(try tile("p99(say)", in: LoadSample.judged(Self.staged, [])).class == "plain")
    }

    @Test func everyLatencyWithAThresholdHasATile() throws {
        #expect(try tile("max(say.last)", in: Self.staged).class == "passed")
        #expect(try tile("mean(login)", in: Self.staged).note == "limit < 1.00 s")
    }

    @Test func violationsThatAThresholdAllowsAreNotRed() throws {
        var results = LoadSample.fine
        results.ledger.violations = ["lost": 2]
        let allowed = LoadSample.judged(results, ["lost <= 3"])
        #expect(try tile("violations", in: allowed).class == "passed")
        #expect(try tile("violations", in: allowed).note == "allowed by thresholds")
        let tooMany = LoadSample.judged(results, ["lost <= 1"])
        #expect(try tile("violations", in: tooMany).class == "failed")
        #expect(try tile("violations", in: LoadSample.judged(results, [])).class == "failed")
    }

    @Test func lateMessagesAreNotPartOfTheCurves() throws {
        let page = try LoadHTMLPage(Self.staged)
        let rate = try #require(page.overTime.first { $0.title == "Rate" })
        let say = try #require(page.overTime.first { $0.title == "Latency over time: say" })
        #expect(Self.points(of: "p50", in: say.figure) == 24)
        #expect(Self.points(of: "p99", in: say.figure) == 24)
        #expect(Self.points(of: "sent", in: rate.figure) == 48)
        for figure in [rate, say] {
            #expect(figure.figure.contains("<title>drain</title>"))
            #expect(figure.caption.contains("arrived after the measurement"))
        }
        let quick = try LoadHTMLPage(LoadSample.fine)
        #expect(quick.overTime.allSatisfy { !$0.figure.contains("<title>drain</title>") })
    }

    @Test func aFractionOfASecondHasNoRate() throws {
        var results = LoadSample.fine
        results.traffic.measuredNanoseconds = 24_060_000_000
        results.seconds.append(
            .init(second: 24, sent: 30, arrived: 0, violations: 0, latencies: [:]))
        let rate = try #require(try LoadHTMLPage(results).overTime.first { $0.title == "Rate" })
        #expect(Self.points(of: "sent", in: rate.figure) == 48)
        #expect(rate.figure.contains(">200/s<"))
        #expect(!rate.figure.contains(">400/s<"))
    }

    private static func points(of title: String, in figure: String) -> Int? {
        guard let end = figure.range(of: "\"><title>\(title)</title>"),
            let start = figure[..<end.lowerBound].range(of: " d=\"", options: .backwards)
        else { return nil }
        return figure[start.upperBound..<end.lowerBound].count { $0 == "M" || $0 == "L" }
    }

    @Test func stagesAndThresholdsAreInTheChartsAndInTheConfiguration() throws {
        let page = try LoadHTMLPage(Self.staged)
        for figure in page.overTime {
            for stage in ["calm", "filling", "200/s"] {
                #expect(figure.figure.contains("<title>\(stage)</title>"), "\(stage)")
            }
        }
        let say = try #require(page.overTime.first { $0.title == "Latency over time: say" })
        #expect(say.figure.contains("class=\"limit broken\""))
        #expect(say.figure.contains("p99(say) &lt; 5us</text>"))
        #expect(!say.figure.contains("say.last"))
        let facts = Dictionary(uniqueKeysWithValues: page.configuration.map { ($0.name, $0.value) })
        #expect(
            facts["stages"]
                == "calm: 10.0 s at 100/s; filling: 4.00 s at 100/s to 300/s; 10.0 s at 200/s")
        #expect(
            facts["thresholds"]
                == "p99(say) < 5us, max(say.last) < 10s, mean(login) < 1s, lost == 0")
    }

    @Test func valuesAreThoseOfTheResults() throws {
        let page = try LoadHTMLPage(Self.staged)
        let table = try #require(page.values)
        #expect(
            table.headings.map(\.key)
                == ["requested", "sent", "arrived", "violations", "say.p50", "say.p99", "say.max"])
        #expect(table.rows.count == 25)
        let second = try #require(Self.staged.seconds[11].latencies["say"])
        #expect(
            table.rows[11].cells
                == ["175.0", "200", "1,800", "0"]
                + [second.p50, second.p99, second.max].map { durationText(Int64($0)) })
        #expect(table.rows[24].name == "24 s (drain)")
        #expect(table.rows[24].cells.prefix(3) == ["–", "0", "1"])
    }

    @Test func longLoadsHaveABoundedNumberOfColumns() {
        var columns = LoadColumns()
        var times = LatencyHistogram()
        times.record(1_000_000)
        for second in 0..<500 {
            columns.add(
                second, sent: 2, arrived: 1, violations: 0, latencies: ["say": LatencyColumn(times)]
            )
        }
        #expect(columns.length == 8)
        #expect(columns.columns.count == 63)
        #expect(columns.columns.allSatisfy { $0.sent == UInt64($0.seconds.count) * 2 })
        #expect(columns.columns.allSatisfy { $0.latencies["say"]?.count == $0.sent / 2 })
        #expect(columns.columns.last?.seconds == 496..<500)
    }
}
