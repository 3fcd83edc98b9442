import DialectModel
import DialectFiles
import LineProtocol
import Testing

@testable import Capture

@Suite struct SelectionTests {
    private func lines(_ change: (inout ConversationSelection) -> Void) throws -> String {
        try selected(change).text
    }

    private func selected(
        _ change: (inout ConversationSelection) -> Void
    ) throws -> (text: String, findings: SelectionFindings) {
        let dialect = try DialectLibrary.find("irc").dialect
        var selection = ConversationSelection()
        change(&selection)
        let sink = ConversationFilter(
            LogWriter(CollectedText(), dialect, LogOptions()), dialect, selection)
        var decoder = CaptureDecoder(
            MemorySource(SampleCapture.bytes), sink, BoundDialect(dialect), ReassemblyOptions())
        try decoder.run()
        decoder.finish()
        let filter = decoder.sink
        return (String(decoding: filter.sink.collected, as: UTF8.self), filter.findings)
    }

    @Test func showsOnlySelectedPart() throws {
        let joins = try lines { $0.commands = ["join", "quit"] }
        #expect(joins.split(separator: "\n").count == 3)
        let second = try lines { $0.connections = [2] }
        #expect(second.contains("in the middle") && !second.contains("alice"))
        let alice = try lines { $0.operators = [Array("alice".utf8)] }
        #expect(alice.contains("quit(") && !alice.contains("in the middle"))
        let early = try lines { $0.to = .sinceStart(4_000_000) }
        #expect(early.contains("welcome(") && !early.contains("join("))
        let late = try lines { $0.from = CaptureTime("2023-11-15T00:00:00Z") }
        #expect(late.contains("in the middle") && !late.contains("alice"))
    }

    @Test func relativeTimesCountFromTheFirstPacket() throws {
        let dialect = try DialectLibrary.find("irc").dialect
        var selection = ConversationSelection()
        selection.commands = ["quit"]
        var options = LogOptions()
        options.times = .relative
        let sink = ConversationFilter(
            LogWriter(CollectedText(), dialect, options), dialect, selection)
        var decoder = CaptureDecoder(
            MemorySource(SampleCapture.bytes), sink, BoundDialect(dialect), ReassemblyOptions())
        try decoder.run()
        decoder.finish()
        let text = String(decoding: decoder.sink.sink.collected, as: UTF8.self)
        #expect(text.hasPrefix("      0.114000   #1 alice      → quit("), "\(text)")
    }

    @Test(arguments: ["FROB", "frob"])
    func unknownCommandMatchesFirstWordOfLine(word: String) throws {
        let (text, findings) = try selected { $0.commands = [word] }
        #expect(
            text.split(separator: "\n").count == 2 && text.contains("\"FROB 1 2 3\""), "\(text)")
        #expect(findings.verbs == [word] && findings.shown == 1)
    }

    @Test func dialectNameIsNotMatchedAgainstWireText() throws {
        // The client's JOIN is `join`, the server's is `joined`.
        let (_, findings) = try selected { $0.commands = ["joined"] }
        #expect(findings.shown == 0 && findings.verbs.isEmpty)
    }

    @Test func findingsListWhatOccurredIfNothingMatches() throws {
        let (text, findings) = try selected {
            $0.commands = ["away"]
            $0.operators = [Array("alcie".utf8)]
            $0.connections = [7]
        }
        #expect(text.isEmpty && findings.shown == 0)
        #expect(findings.fitting == .time)
        #expect(findings.operators == [Array("alice".utf8)])
        #expect(findings.commands.isSuperset(of: ["nick", "privmsg", "welcome"]))
        #expect(!findings.commands.contains("away"))
        let times = try #require(findings.times)
        #expect(times.lowerBound == 1_700_000_000_001_000_000)
        #expect(times.upperBound > times.lowerBound + 86_400_000_000_000)
        let late = try selected { $0.from = .sinceStart(100_000_000_000_000) }.findings
        #expect(late.fitting == .all.subtracting(.time))
    }

    @Test(arguments: [
        ("+90s", CaptureTime.sinceStart(90_000_000_000)),
        ("+1.5s", .sinceStart(1_500_000_000)),
        ("12:30", .clock(45_000_000_000_000)),
        ("00:00:01.25", .clock(1_250_000_000)),
        ("1970-01-01T00:00:01Z", .absolute(1_000_000_000)),
        ("noon", nil), ("25:00", nil), ("+s", nil), ("12:00:61", nil), ("", nil), ("+-1s", nil),
    ])
    func parsesTimes(text: String, moment: CaptureTime?) {
        #expect(CaptureTime(text) == moment)
    }
}
