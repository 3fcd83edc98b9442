import Foundation
import Report
import Results
import Testing

/// Golden files of run reports.
struct GoldenTests {
    @Test(arguments: ReportFormat.allCases)
    func eachFormatMatchesGoldenFile(_ format: ReportFormat) throws {
        let text = try format.text(Sample.results)
        #expect(text == (try Support.golden("all.\(format.rawValue)", now: text)))
    }

    @Test(arguments: [80, 200])
    func usesTerminalWidthUpToMaximum(_ columns: Int) throws {
        let report = PrettyReport(
            columns: columns, rerunCommand: "linejudge run Scenarios --last-failed")
        let text = report.text(Sample.results)
        #expect(text == (try Support.golden("pretty-\(columns).txt", now: text)))
    }

    @Test func colouredReportMatchesGoldenFile() throws {
        let report = PrettyReport(
            style: Style(isColoured: true), columns: 80, verbosity: .verbose, showsTranscripts: true
        )
        let text = report.text(Sample.results)
        #expect(text == (try Support.golden("pretty-colour.txt", now: text)))
    }

    @Test func quietReportHasProblemsAndCounts() throws {
        let text = PrettyReport(verbosity: .quiet).text(Sample.results)
        #expect(text == (try Support.golden("pretty-quiet.txt", now: text)))
        let fine = PrettyReport(verbosity: .quiet).text(Sample.allPassed(3))
        #expect(fine == "3 scenarios in 3.21 s: 3 passed\n")
    }

    @Test func interruptedRunSaysSo() throws {
        let text = PrettyReport().text(Sample.interrupted)
        #expect(text.contains("interrupted: unfinished scenarios"))
        #expect(text.contains("no scenarios ran"))
    }
}

struct PrettyReportTests {
    @Test func unreachableServerIsReportedOnce() throws {
        var results = Sample.results
        let away = try #require(results.scenarios.first { $0.isUnreachable })
        results.scenarios = Array(repeating: away, count: 40)
        results.commandTables = []
        let text = PrettyReport(verbosity: .quiet).text(results)
        #expect(text.contains("? inconclusive  39 more scenarios for the same reason"))
        #expect(text.split(separator: "\n").count < 10)
    }

    @Test func scenariosAfterTheFirstAreCountedIfTheServerDidNotStart() throws {
        var results = Sample.results
        let away = try #require(results.scenarios.first { $0.isUnreachable })
        results.diagnostics = away.diagnostics
        results.commandTables = []
        for count in 1...3 {
            results.scenarios = Array(repeating: away, count: count)
            let text = PrettyReport(verbosity: .quiet).text(results)
            let more = [1: "", 2: "1 more scenario for", 3: "2 more scenarios for"][count] ?? ""
            #expect(text.contains(" more scenario") == (count > 1))
            #expect(more.isEmpty || text.contains(more), "\(text)")
        }
    }

    @Test(arguments: [40, 60, 80, 119])
    func scenarioLinesFitTheTerminal(_ columns: Int) {
        let report = PrettyReport(columns: columns)
        for result in Sample.results.scenarios {
            for line in report.line(for: result).split(separator: "\n") {
                #expect(ColumnText.width(String(line)) <= columns)
            }
        }
    }

    @Test(arguments: [nil, 80])
    func escapesTerminalControlSequences(_ columns: Int?) {
        let report = PrettyReport(columns: columns, showsTranscripts: true)
        let orders = report.text(Sample.results).unicodeScalars.filter {
            $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value)
        }
        #expect(orders.isEmpty)
    }

    @Test func progressIsALineInALogAndRedrawnOnATerminal() {
        var progress = ProgressText(total: 40)
        progress.add(.passed)
        progress.add(.failed)
        #expect(
            progress.plainLine(elapsed: 12_000_000_000)
                == "... 2 of 40 done after 12.0 s, 1 failed\n")
        let live = progress.liveLine(
            elapsed: 12_000_000_000, columns: 80, style: Style(isColoured: false))
        #expect(live == "\r\u{1B}[2K  2 of 40, 1 failed, 12 s")
    }
}
