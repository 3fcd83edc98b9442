import ChatModel
import ChatStructures
import Diagnostics
import DialectFiles
import LineProtocol
import Testing

/// The code in the documentation catalogs of `LineProtocol`, `DialectFiles`, `ChatModel` and
/// `ChatStructures`.
struct CodecSnippets {
    private let dialect: Dialect

    init() throws { dialect = try livechat() }

    private func print(_ parts: Any...) {}

    @Test func decode() {
        var names: [String] = []
        func print(_ name: String, _ values: [ArgumentValue]) {
            names.append("\(name) \(values.count)")
        }
        // snippet: decode
        var framer = LineFramer(dialect, direction: .fromServer)
        let decoder = MessageDecoder(dialect)
        var message = Message()

        framer.append(Array("R0004|7|Hello!|Joe|21".utf8))
        framer.append(Array("34|0\n".utf8))
        while let frame = framer.next() {
            decoder.decode(framer.buffer.span, frame, from: .fromServer, into: &message)
            guard let command = message.command else { continue }
            let signature = dialect.commands.signatures[command]
            print(signature.name, message.values(of: signature, in: framer.buffer.span))
        }
        // end
        #expect(names == ["didReceive 5"])
    }

    @Test func encode() throws {
        // snippet: encode
        let encoder = MessageEncoder(dialect, direction: .fromClient)
        var bytes: [UInt8] = []
        if let command = dialect.commands.command(named: "sendMessage", .fromClient) {
            let text = ArgumentValue.text(Array("1|2".utf8))
            try encoder.append(command, [.int(12341), .int(2134), text], to: &bytes)
        }
        // end
        #expect(String(decoding: bytes, as: UTF8.self) == #"S0004|12341|2134|1\|2"# + "\n")
    }

    @Test func find() throws {
        // snippet: find
        let file = try DialectLibrary.find("irc+ngircd")
        print(file.dialect.name, file.dialect.commands.signatures.count)
        // end
        #expect(file.dialect.profile == "ngircd")
    }

    @Test func read() throws {
        var printed = ""
        func print(_ text: String) { printed += text }
        // snippet: read
        let source = SourceText(
            path: "mychat.yaml", text: "name: mychat\nframeing: {terminator: CR}\n")
        let outcome = DialectReader.read(source)
        for diagnostic in outcome.diagnostics {
            print(DiagnosticRenderer().text(diagnostic))
        }
        // end
        let page = try Catalogs.text("DialectFiles/DialectFiles.docc/LoadingDialects.md")
        #expect(page.contains("```text\n\(printed)```"), "\(printed)")
    }

    // snippet: command
    struct DidReceive: ChatCommand {
        var identifier: Int
        var text: String
        var sender: String
        var conference: Int
    }
    // end

    @Test func readCommands() throws {
        var lines: [String] = []
        func print(_ line: String) { lines.append(line) }
        func print(_ warning: CommandWarning) {}
        // snippet: read commands
        var map = CommandMap<String>(dialect, from: .fromServer)
        try map.on(DidReceive.self) { "\($0.sender): \($0.text)" }
        try map.on(LiveChat.Refused.self) { "refused: \($0.reason)" }

        var reader = CommandReader(map) { warning in print(warning) }
        reader.append(Array("R0004|7|Hello!|Joe|2134|0\n".utf8))
        while let line = try reader.next() { print(line) }
        // end
        #expect(lines == ["Joe: Hello!"])
    }

    @Test func writeCommands() throws {
        // snippet: write commands
        let writer = CommandWriter(dialect, from: .fromClient)
        let bytes = try writer.bytes(
            of: LiveChat.SendMessage(from: 12341, chat: 2134, text: "Hello!"))
        // end
        #expect(String(decoding: bytes, as: UTF8.self) == "S0004|12341|2134|Hello!\n")
    }

    // snippet: structures
    struct Options: Codable, Sendable {
        var verbose = false
    }

    struct Connect: ChatCommand {
        @JSONArgument var options: Options?
    }

    struct ActionDone: ChatCommand {
        var conference: Int
        var sender: String
        var action: XMLArgument
    }
    // end

    @Test func structures() throws {
        let text = """
            name: structured
            fields: {separator: '|'}
            commands:
              connect: {from: client, arguments: [options: json]}
              actionDone: {from: server, arguments: [conference: int, sender: text, action: xml]}

            """
        let structured = try DialectReader.dialect(from: SourceText(path: "x.yaml", text: text))
        let writer = CommandWriter(structured, from: .fromClient)
        let bytes = try writer.bytes(of: Connect(options: Options(verbose: true)))
        #expect(String(decoding: bytes, as: UTF8.self) == "connect|{\"verbose\":true}\n")
        var map = CommandMap<String>(structured, from: .fromServer)
        try map.on(ActionDone.self) { $0.action.name }
        var reader = CommandReader(map)
        reader.append(Array("actionDone|7|Joe|<ring/>\n".utf8))
        #expect(try reader.next() == "ring")
    }
}
