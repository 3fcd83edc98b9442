import LineProtocol

/// Lines of one dialect as they would be read from a socket.
struct Corpus {
    var name: String
    var dialect: Dialect
    /// Complete lines with terminators, about the size of one read.
    var bytes: [UInt8]
    var lineCount: Int

    /// Typical size of one read from a socket.
    static let bytesMax = 16_384

    private init(_ name: String, _ dialect: Dialect, lines: [String]) {
        self.name = name
        self.dialect = dialect
        bytes = []
        lineCount = 0
        while let line = lines.isEmpty ? nil : lines[lineCount % lines.count] {
            guard bytes.count + line.utf8.count <= Self.bytesMax else { break }
            bytes.append(contentsOf: line.utf8)
            lineCount += 1
        }
    }

    /// Messages of a live-support session, one in nine with escapes.
    static let livechat = Corpus(
        "livechat", livechatDialect,
        lines: [
            "R0004|12341|Hello!|Joe|2134|0\n",
            "R0004|12342|How may I help you today? We are open until six.|Maria|2134|0\n",
            "R0006|2134|1\n",
            "R0004|12343|My order number is 4711, it has not arrived|Joe|2134|0\n",
            "R0010|99\n",
            "R0004|12344|Let me look that up, one moment please|Maria|2134|1\n",
            "R0007|431|Maria|1|3,17,2134\n",
            "R0004|12345|a\\|b\\nc, it says, whatever that may mean|Joe|2134|0\n",
            "R0004|12346|It left the warehouse yesterday at noon and will be there on Friday|Maria|2134|0\n",
        ])

    private static let livechatDialect: Dialect = {
        func text(_ name: String) -> ArgumentSignature { ArgumentSignature(name, .text) }
        func int(_ name: String) -> ArgumentSignature { ArgumentSignature(name, .int) }
        func bool(_ name: String) -> ArgumentSignature { ArgumentSignature(name, .bool(.digits)) }
        func command(
            _ wire: String, _ name: String, _ arguments: [ArgumentSignature]
        ) -> CommandSignature {
            CommandSignature(
                name: name, wire: .exact(Array(wire.utf8)), direction: .server,
                arguments: arguments)
        }
        let pipe = UInt8(ascii: "|")
        let table = try? EscapeTable(
            escape: ASCII.backslash,
            meaning: [
                pipe: pipe, ASCII.backslash: ASCII.backslash, UInt8(ascii: "n"): ASCII.lf,
                UInt8(ascii: "r"): ASCII.cr,
            ])
        return Dialect(
            name: "livechat",
            syntax: FieldSyntax(separators: [pipe]),
            escaping: Escaping(field: table.map(EscapeRule.table) ?? .none(forbidden: [])),
            commands: CommandTable([
                command(
                    "R0004", "didReceive",
                    [int("id"), text("text"), text("sender"), int("chat"), bool("hidden")]),
                command("R0006", "didType", [int("chat"), bool("typing")]),
                command(
                    "R0007", "didLogin",
                    [
                        int("id"), text("nick"), bool("available"),
                        ArgumentSignature("chats", .list(of: .int, separator: UInt8(ascii: ","))),
                    ]),
                command("R0010", "didPing", [int("token")]),
            ]))
    }()

    /// The messages of ``livechat`` as JSON lines.
    static let jsonl = Corpus(
        "jsonl", jsonDialect,
        lines: [
            #"{"type":"said","id":12341,"text":"Hello!","from":"Joe","room":2134,"hidden":false}"#,
            #"{"type":"said","id":12342,"text":"How may I help you today? We are open until six.","from":"Maria","room":2134,"hidden":false}"#,
            #"{"type":"typing","room":2134,"active":true}"#,
            #"{"type":"said","id":12343,"text":"My order number is 4711, it has not arrived","from":"Joe","room":2134,"hidden":false}"#,
            #"{"type":"ping","token":99}"#,
            #"{"type": "said", "id": 12344, "text": "Let me look that up, one moment please", "from": "Maria", "room": 2134, "hidden": true}"#,
            #"{"type":"login","id":431,"nick":"Maria","available":true,"rooms":[3,17,2134]}"#,
            #"{"type":"said","id":12345,"text":"\"a|b\"\nc, it says, whatever that may mean","from":"Joe","room":2134,"hidden":false}"#,
            #"{"type":"said","id":12346,"text":"It left the warehouse yesterday at noon and will be there on Friday","from":"Maria","room":2134,"hidden":false}"#,
        ].map { $0 + "\n" })

    private static let jsonDialect: Dialect = {
        func argument(_ name: String, _ type: ArgumentType) -> ArgumentSignature {
            ArgumentSignature(name, type, position: .key(Array(name.utf8)))
        }
        func command(_ name: String, _ arguments: [ArgumentSignature]) -> CommandSignature {
            CommandSignature(
                name: name, wire: .exact(Array(name.utf8)), direction: .server,
                arguments: arguments)
        }
        return Dialect(
            name: "jsonl", syntax: FieldSyntax(json: JSONSyntax()),
            escaping: Escaping(field: .json),
            commands: CommandTable([
                command(
                    "said",
                    [
                        argument("id", .int), argument("text", .text), argument("from", .text),
                        argument("room", .int), argument("hidden", .bool(.json)),
                    ]),
                command("typing", [argument("room", .int), argument("active", .bool(.json))]),
                command(
                    "login",
                    [
                        argument("id", .int), argument("nick", .text),
                        argument("available", .bool(.json)),
                        argument("rooms", .list(of: .int, separator: UInt8(ascii: ","))),
                    ]),
                command("ping", [argument("token", .int)]),
            ]))
    }()

    /// Lines received by a client in a busy channel.
    static let irc = Corpus(
        "irc", ircDialect,
        lines: [
            ":joe!joe@host.example.net PRIVMSG #support :Hello, is anybody here?\r\n",
            ":maria!m@example.org PRIVMSG #support :How may I help you today?\r\n",
            "PING :irc.example.test\r\n",
            ":irc.example.test 353 alice = #support :alice bob carol @dave\r\n",
            ":irc.example.test 366 alice #support :End of NAMES list\r\n",
            ":bob!bob@10.0.0.7 JOIN #support\r\n",
            "@time=2026-01-02T03:04:05.678Z;msgid=63E1033A051D :joe!joe@host.example.net PRIVMSG #support :My order number is 4711\r\n",
            ":bob!bob@10.0.0.7 MODE #support +o maria\r\n",
            ":maria!m@example.org NOTICE bob :It left the warehouse yesterday at noon\r\n",
        ])

    private static let ircDialect: Dialect = {
        let source = ArgumentSignature("source", .text, position: .source, presence: .optional)
        let time = ArgumentSignature(
            "time", .time(.rfc3339), position: .tag(Array("time".utf8)), presence: .optional)
        func text(
            _ name: String, _ presence: ArgumentSignature.Presence = .required
        ) -> ArgumentSignature {
            ArgumentSignature(name, .text, presence: presence)
        }
        func command(_ verb: String, _ arguments: [ArgumentSignature]) -> CommandSignature {
            CommandSignature(
                name: verb.lowercased(), wire: .exact(Array(verb.utf8)), direction: .both,
                arguments: arguments)
        }
        let side = Framing.Side(
            terminator: .crlf, accepted: [.crlf, .lf],
            limits: Framing.Limits(lineBytesMax: 512, tagBytesMax: 8_191))
        let tags = try? EscapeTable(
            escape: ASCII.backslash,
            meaning: [
                ASCII.colon: ASCII.semicolon, UInt8(ascii: "s"): ASCII.space,
                ASCII.backslash: ASCII.backslash, UInt8(ascii: "r"): ASCII.cr,
                UInt8(ascii: "n"): ASCII.lf,
            ])
        return Dialect(
            name: "irc",
            framing: Framing(fromClient: side, fromServer: side),
            syntax: FieldSyntax(
                separatorRuns: true, verbCase: .insensitive, sourceMarker: ASCII.colon,
                tags: FieldSyntax.TagSyntax(), trailingMarker: ASCII.colon, fieldsMax: 15),
            escaping: Escaping(
                field: .none(forbidden: [0, ASCII.cr, ASCII.lf, ASCII.space]),
                trailing: .none(forbidden: [0, ASCII.cr, ASCII.lf]),
                tagValue: tags.map(EscapeRule.table)),
            commands: CommandTable(
                [
                    command("PRIVMSG", [source, time, text("target"), text("text")]),
                    command("NOTICE", [source, time, text("target"), text("text")]),
                    command("JOIN", [source, text("channels"), text("keys", .optional)]),
                    command("MODE", [source, text("target"), text("modes", .variadic)]),
                    command("PING", [text("token")]),
                    CommandSignature(
                        name: "numeric", wire: .digits(3), direction: .server,
                        arguments: [
                            source, ArgumentSignature("code", .int, position: .verb), text("nick"),
                            text("parameters", .variadic),
                        ]),
                ], ignoringCase: true))
    }()
}
