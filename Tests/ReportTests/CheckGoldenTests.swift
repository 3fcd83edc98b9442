import Conformance
import Foundation
import Report
import Testing

/// What people and other programs read of checks, letter by letter.
struct CheckGoldenTests {
    @Test(arguments: CheckReportFormat.allCases)
    func eachFormatLooksAsItDid(_ format: CheckReportFormat) throws {
        let text = try format.text(CheckSample.results)
        #expect(text == (try Support.golden("check.\(format.rawValue)", now: text)))
    }

    @Test func coloursStandBesideMarksAndWords() throws {
        let summary = CheckSummary(paint: Paint(isColoured: true))
        let text =
            summary.heading(CheckSample.results, count: 12)
            + summary.text(CheckSample.results, replay: "--exec 'ngircd -n'")
        #expect(text == (try Support.golden("check-colour.txt", now: text)))
    }

    @Test func whatWasInterruptedSaysSo() {
        let text = CheckSummary(paint: Paint(isColoured: false))
            .text(CheckSample.interrupted, replay: "")
        #expect(text == "\nnothing was checked in 40 ms, interrupted\n")
    }

    @Test func nothingFromOutsideGivesTheTerminalAnOrder() throws {
        let orders = try CheckReportFormat.pretty.text(CheckSample.results).unicodeScalars.filter {
            $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value)
        }
        #expect(orders.isEmpty)
    }

    @Test func driftIsToldByAllReportsThatCanFail() throws {
        var results = CheckSample.results
        results.hold(
            against: CheckSample.lock, named: "irc.lock",
            catalogue: Set(results.checks.map(\.id)))
        let text = try CheckReportFormat.pretty.text(results)
        #expect(text == (try Support.golden("check-drift.txt", now: text)))
        let junit = try CheckReportFormat.junit.text(results)
        #expect(junit.contains("check.drift"))
        let json = try CheckReportFormat.json.text(results)
        #expect(json.contains("\"pinned\" : \"refuse\""))
    }

    @Test func twoLocksAreAMigrationReport() throws {
        let locks = (CheckSample.lock, CheckLock(CheckSample.results))
        let comparison = LockComparison(locks.0, locks.1)
        let names = ("old.lock", "new.lock")
        let text = LockText().text(comparison, locks, names: names)
        #expect(text == (try Support.golden("compare-lock.txt", now: text)))
        let page = LockMarkdown.text(comparison, locks, names: names)
        #expect(page == (try Support.golden("compare-lock.md", now: page)))
    }
}
