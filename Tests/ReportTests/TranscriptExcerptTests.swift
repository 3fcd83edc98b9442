import Report
import Results
import Testing

/// The lines of a transcript that a failure shows.
struct TranscriptExcerptTests {
    @Test func showsLinesAroundTheDecidingOne() {
        let text = shown(entry: 20, operators: [])
        #expect(text.contains("transcript (10 of 40 lines, show all with --transcript):\n"))
        #expect(rows(text) == (13...22).map { "line \($0)" })
        #expect(text.contains("  > 20.0 ms  bob    ←  line 20\n"))
    }

    @Test func leavesOutOtherConnections() {
        let text = shown(entry: 20, operators: ["bob"])
        #expect(rows(text) == stride(from: 6, through: 24, by: 2).map { "line \($0)" })
    }

    @Test(arguments: [(0, 0...2), (39, 32...39)])
    func endsWithTheTranscript(_ entry: Int, _ range: ClosedRange<Int>) {
        #expect(rows(shown(entry: entry, operators: [])) == range.map { "line \($0)" })
    }

    @Test func marksTheEndWhereNothingArrived() {
        let text = shown(entry: nil, operators: ["bob"])
        #expect(rows(text).last == "line 38")
        #expect(text.contains("  > 99.0 ms  bob  ·  failed here\n"), "\(text)")
    }

    @Test func wholeTranscriptMarksTheLine() {
        let text = PrettyReport(showsTranscripts: true).text(results(entry: 20, operators: ["bob"]))
        #expect(text.contains("transcript (40 lines):\n"))
        #expect(text.contains("  > 20.0 ms  bob    ←  line 20\n"))
        #expect(rows(text).count == 40)
    }

    @Test func longLineIsCut() {
        var results = results(entry: 20, operators: [])
        results.scenarios[0].transcript[20].bytes = Array(repeating: 0x78, count: 1000)
        let text = PrettyReport().text(results)
        #expect(text.contains(String(repeating: "x", count: 200) + "… and 800 bytes more\n"))
    }

    /// An excerpt that shows everything is not repeated in a collapsed part.
    @Test(arguments: [(40, 20, true), (10, 7, false)])
    func onlyLongerTranscriptsAreFolded(_ count: Int, _ entry: Int, _ isFolded: Bool) {
        var results = results(entry: entry, operators: [])
        results.scenarios[0].transcript.removeLast(40 - count)
        var report = PrettyReport()
        report.foldsTranscripts = true
        let titles = report.parts(of: results).compactMap(\.title)
        #expect(titles.contains { $0.hasPrefix("transcript (\(count) lines)") } == isFolded)
    }

    private func shown(entry: Int?, operators: [String]) -> String {
        PrettyReport().text(results(entry: entry, operators: operators))
    }

    /// The texts of the lines that arrived.
    private func rows(_ text: String) -> [String] {
        text.matches(of: /line \d+$/.anchorsMatchLineEndings()).map { String($0.0) }
    }

    private func results(entry: Int?, operators: [String]) -> RunResults {
        var results = Sample.allPassed(1)
        results.scenarios[0].verdict = .failed
        results.scenarios[0].reason = "something"
        results.scenarios[0].duration = 99_000_000
        results.scenarios[0].transcript = (0..<40).map { number in
            TranscriptEntry(
                time: Int64(number) * 1_000_000,
                operatorName: number.isMultiple(of: 2) ? "bob" : "alice", kind: .received,
                bytes: Array("line \(number)".utf8), terminator: [10])
        }
        results.scenarios[0].focus = TranscriptFocus(entry: entry, operators: operators)
        return results
    }
}
