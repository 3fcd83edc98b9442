import Testing

@testable import LineProtocol

struct CommandTableTests {
    static func find(
        _ verb: String, _ table: CommandTable, _ direction: Direction = .fromServer
    ) -> String? {
        // The command must be found anywhere in a buffer, also at its end.
        let indices = ["", "xxxxxxxxxxxx"].flatMap { before in
            ["", "xxxxxxxxxxxx"].map { after in
                let buffer = bytes(before + verb + after)
                let lower = before.utf8.count
                return table.command(buffer.span, lower..<(lower + verb.utf8.count), direction)
            }
        }
        #expect(Set(indices).count == 1)
        return indices[0].map { table.signatures[$0].name }
    }

    static func table(_ verbs: [String], ignoringCase: Bool = false) -> CommandTable {
        CommandTable(
            verbs.map { Dialects.command("\($0)", $0) }, ignoringCase: ignoringCase)
    }

    @Test func findsCommandsOfAnyLength() {
        let verbs = (1...40).map { String(repeating: "V", count: $0) } + ["a\0", "a", "a\0\0"]
        let table = Self.table(verbs)
        for verb in verbs { #expect(Self.find(verb, table) == verb) }
        #expect(Self.find("a\0\0\0", table) == nil)
        #expect(Self.find(String(repeating: "V", count: 41), table) == nil)
        #expect(Self.find("VVVVVVVVVVVVVVVVVVVW", table) == nil)
        #expect(Self.find("", table) == nil)
    }

    @Test func findsThousandsOfCommandsWithHashCollisions() {
        let verbs = (0..<3_000).map { "C\($0)" } + (0..<1_000).map { "LONGCOMMAND\($0)" }
        let table = Self.table(verbs)
        for verb in verbs { #expect(Self.find(verb, table) == verb) }
        for verb in ["C3000", "C", "LONGCOMMAND1000"] { #expect(Self.find(verb, table) == nil) }
    }

    @Test func commandsAreCaseSensitiveUnlessTheDialectIgnoresCase() {
        let exact = Self.table(["Ping", "sendTextMessage"])
        #expect(Self.find("Ping", exact) == "Ping")
        #expect(Self.find("PING", exact) == nil)
        #expect(Self.find("sendtextmessage", exact) == nil)
        let folded = Self.table(["Ping", "sendTextMessage"], ignoringCase: true)
        for verb in ["ping", "PING", "pInG"] { #expect(Self.find(verb, folded) == "Ping") }
        #expect(Self.find("SENDTEXTMESSAGE", folded) == "sendTextMessage")
    }

    @Test func onlyASCIILettersAreUppercased() {
        for byte in UInt8.min...UInt8.max {
            let word = Word.filled(byte)
            #expect(Word.uppercased(word) == Word.filled(ASCII.uppercased(byte)))
        }
        #expect(Word.uppercased(0x7A_61_5A_41_7B_60_E1_FA) == 0x5A_41_5A_41_7B_60_E1_FA)
    }

    @Test func directionSelectsAmongEqualCommands() {
        let table = CommandTable([
            Dialects.command("ask", "MSG", .client), Dialects.command("tell", "MSG", .server),
            Dialects.command("second", "MSG", .client),
        ])
        #expect(Self.find("MSG", table, .fromClient) == "ask")
        #expect(Self.find("MSG", table, .fromServer) == "tell")
        #expect(table.command(named: "tell", .fromServer) == 1)
        #expect(table.command(named: "tell", .fromClient) == nil)
        #expect(table.command(named: "nothing", .fromClient) == nil)
        #expect(table.names == ["ask", "second", "tell"])
    }

    @Test func exactCommandsTakePrecedenceOverDigitsAndPrefixes() {
        let table = CommandTable([
            CommandSignature(name: "numeric", wire: .digits(3), direction: .both),
            Dialects.command("welcome", "001"),
            CommandSignature(name: "notify", wire: .prefix(bytes("notify")), direction: .both),
            CommandSignature(name: "line", wire: .none, direction: .both),
        ])
        #expect(Self.find("001", table) == "welcome")
        #expect(Self.find("002", table) == "numeric")
        #expect(Self.find("0002", table) == nil)
        #expect(Self.find("00x", table) == nil)
        #expect(Self.find("notify", table) == "notify")
        #expect(Self.find("notifytextmessage", table) == "notify")
        #expect(Self.find("notif", table) == nil)
        #expect(Self.find("", table) == "line")
    }

    @Test func digitsWithoutACountMatchAnyNumber() throws {
        let signature = CommandSignature(
            name: "number", wire: .digits(nil), direction: .server,
            arguments: [ArgumentSignature("value", .text, position: .verb)])
        let table = CommandTable([
            signature, CommandSignature(name: "code", wire: .digits(3), direction: .both),
        ])
        #expect(Self.find("7", table) == "number")
        #expect(Self.find("18446744073709551615", table) == "number")
        #expect(Self.find("-7", table) == nil)
        #expect(Self.find("", table) == nil)
        let dialect = Dialect(
            name: "counter", escaping: Escaping(field: .none(forbidden: [])),
            commands: CommandTable([signature]))
        let encoder = MessageEncoder(dialect, direction: .fromServer)
        var line: [UInt8] = []
        try encoder.append(0, [.text("042")], to: &line)
        #expect(line == bytes("042\n"))
        for value in ["", "4x"] {
            #expect(throws: EncodingError.self) {
                try encoder.append(0, [.text(value)], to: &line)
            }
        }
    }
}
