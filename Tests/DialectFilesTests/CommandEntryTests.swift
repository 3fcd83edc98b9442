import Diagnostics
import LineProtocol
import Testing

@testable import DialectFiles

/// Suggestions for lines with commands that a dialect does not describe.
struct CommandEntryTests {
    /// Reads a dialect.
    private func dialect(_ text: String) throws -> Dialect {
        let outcome = DialectReader.read(SourceText(path: "test.yaml", text: text))
        return try #require(outcome.dialect, "\(outcome.diagnostics)")
    }

    private static let tilde = """
        name: tilde
        fields: {separator: '~'}
        commands:
          ping: {wire: PING, from: client, arguments: [token: text]}
          said: {wire: SAID, from: server, arguments: [text: text]}

        """
    private static let json = """
        name: lines
        fields: {json: type}
        commands:
          joined: {from: server, arguments: [room: text]}

        """
    private static let keys = """
        name: keys
        fields: {verb: first-unless-key-value, key-value: '=', arguments: by-name}
        commands:
          error: {from: server, arguments: [id: int]}

        """

    @Test(arguments: [
        (
            tilde, "JOINED~room 1~3",
            "joined: {wire: JOINED, from: server, arguments: [argument1: text, argument2: int]}"
        ),
        (tilde, "bye", "bye: {from: server}"),
        (
            tilde, "353~-1.5",
            "command353: {wire: '353', from: server, arguments: [argument1: decimal]}"
        ),
        (
            json, #"{"type":"left","room":"x","count":2,"all":true,"who":["a"]}"#,
            "left: {from: server, arguments: [room: text, count: int, all: bool, who: json]}"
        ),
        (
            json, #"{"type":"odd","2nd":2}"#,
            "odd: {from: server, arguments: [argument1: int in key 2nd]}"
        ),
        (
            keys, "notify id=3 away",
            "notify: {from: server, arguments: [id: int in key, argument2: text in field]}"
        ),
    ])
    func entriesDescribeTheLine(dialect text: String, line: String, entry: String) throws {
        let old = try dialect(text)
        let suggestion = CommandEntry.suggestion(for: Array(line.utf8), in: old)
        #expect(suggestion == "add to `commands`:  \(entry)")
        // With the entry, the line fits the dialect.
        let new = try dialect(text + "  \(entry)\n")
        var tally = CommandTableTally(new)
        tally.note(line: Array(line.utf8), terminatorBytes: 1, from: .fromServer)
        #expect(tally.report.breaks == [])
    }

    @Test(arguments: [
        (
            tilde, "PING~3",
            "`ping` is only declared `from: client`: change that to `from: both`, or add a command with the same `wire` and `from: server`"
        ),
        (
            tilde, "said~hello",
            "`said` differs only in case: correct its `wire`, or set `fields: {verb-case: insensitive}`"
        ),
        (json, #"{"room":"x"}"#, "the line has no command: check `fields.json`"),
    ])
    func similarCommandsAreNamed(dialect text: String, line: String, advice: String) throws {
        let suggestion = CommandEntry.suggestion(for: Array(line.utf8), in: try dialect(text))
        #expect(suggestion == advice)
    }

    @Test func namesOfOtherCommandsAreAvoided() throws {
        let text = """
            name: names
            commands:
              note: {wire: N, from: server}

            """
        let suggestion = CommandEntry.suggestion(
            for: Array("NOTE".utf8), in: try dialect(text))
        #expect(suggestion == "add to `commands`:  note2: {wire: NOTE, from: server}")
    }
}
