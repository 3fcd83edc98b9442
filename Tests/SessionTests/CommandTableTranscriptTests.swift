import DialectFiles
import LineProtocol
import Results
import Testing

@testable import Session

/// Counting the commands in a transcript.
struct CommandTableTranscriptTests {
    @Test func linesWithMaskedSecretsAreCountedButNotChecked() throws {
        var tally = CommandTableTally(try DialectLibrary.find("irc").dialect)
        let lines: [(TranscriptEntry.Kind, String)] = [
            (.sent, "PASS ***"), (.received, ":s NOTICE alice :***"), (.received, ":s ***"),
            (.received, ":s JOIN ***"),
        ]
        tally.note(
            lines.map { kind, text in
                var entry = TranscriptEntry(
                    time: 0, operatorName: "alice", kind: kind, bytes: Array(text.utf8),
                    terminator: [13, 10])
                entry.isMasked = true
                return entry
            })
        let report = tally.report
        #expect(report.commands.first { $0.wire == "PASS" }?.sent == 1)
        #expect(report.commands.first { $0.wire == "NOTICE" }?.received == 1)
        #expect(report.brokenLines == 0)
    }
}
