import Testing

@testable import Conformance

/// A profile can limit checks to some commands.
struct CheckedCommandsTests {
    @Test func repliesAreTestedOnlyForCheckedCommands() throws {
        let subject = try EvidenceTable.subject("irc+rfc")
        let lines = RepeatedLine.all(.separator, word: "x", subject, room: nil)
        let commands = Set(lines.map(\.command))
        #expect(commands.contains("KICK"))
        #expect(commands.isDisjoint(with: ["WALLOPS", "WHOIS", "MOTD"]))
    }
}
