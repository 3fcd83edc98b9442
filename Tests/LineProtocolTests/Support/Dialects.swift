public import Testing

@testable public import LineProtocol

/// Small dialects that cover every feature of the model.
enum Dialects {
    static let all = [
        irc, livechat, plain, teamspeak, msnp, nats, smtp, nntp, memcached, redis, stomp, icb, mud,
        doubled, jsonl, nestedJSON, onlyKeyJSON, rpc, opcodes, resp, pop3, mail, counted, mixed,
        twoTongues,
    ]

    static func table(
        _ escape: UInt8, _ letters: [Character: UInt8], unknown: EscapeTable.Unknown = .letter,
        lone: EscapeTable.Lone = .drop, forbidden: ByteSet = []
    ) -> EscapeRule {
        var meaning: [UInt8: UInt8] = [:]
        for (letter, byte) in letters { meaning[letter.asciiValue ?? 0] = byte }
        do {
            return .table(
                try EscapeTable(
                    escape: escape, meaning: meaning, unknown: unknown, lone: lone,
                    forbidden: forbidden))
        } catch {
            fatalError("the test's table is wrong: \(error)")
        }
    }

    static func command(
        _ name: String, _ wire: String, _ direction: CommandDirection = .both,
        _ arguments: [ArgumentSignature] = [], tolerance: Tolerance? = nil
    ) -> CommandSignature {
        CommandSignature(
            name: name, wire: .exact(bytes(wire)), direction: direction, arguments: arguments,
            tolerance: tolerance)
    }

    static let ircTags = table(
        ASCII.backslash,
        [
            ":": ASCII.semicolon, "s": ASCII.space, "\\": ASCII.backslash, "r": ASCII.cr,
            "n": ASCII.lf,
        ],
        forbidden: [0])

    static let irc: Dialect = {
        func side(_ tagMax: Int) -> Framing.Side {
            Framing.Side(
                terminator: .crlf, accepted: [.crlf, .lf],
                limits: Framing.Limits(lineBytesMax: 512, tagBytesMax: tagMax))
        }
        let source = ArgumentSignature("source", .text, position: .source, presence: .optional)
        let time = ArgumentSignature(
            "time", .time(.rfc3339), position: .tag(bytes("time")), presence: .optional)
        let label = ArgumentSignature(
            "label", .text, position: .tag(bytes("label")), presence: .optional)
        return Dialect(
            name: "irc",
            framing: Framing(fromClient: side(4_096), fromServer: side(8_191)),
            syntax: FieldSyntax(
                separatorRuns: true, verbCase: .insensitive, sourceMarker: ASCII.colon,
                tags: FieldSyntax.TagSyntax(), trailingMarker: ASCII.colon, fieldsMax: 15),
            escaping: Escaping(
                field: .none(forbidden: [0, ASCII.cr, ASCII.lf, ASCII.space]),
                trailing: .none(forbidden: [0, ASCII.cr, ASCII.lf]), tagValue: ircTags),
            commands: CommandTable(
                [
                    command(
                        "message", "PRIVMSG", .both,
                        [source, time, label, text("target"), text("text")]),
                    command(
                        "join", "JOIN", .both,
                        [source, text("channels"), text("keys", presence: .optional)]),
                    command(
                        "mode", "MODE", .both,
                        [source, text("target"), text("modes", presence: .variadic)]),
                    command("ping", "PING", .both, [text("token")]),
                    CommandSignature(
                        name: "numeric", wire: .digits(3), direction: .server,
                        arguments: [
                            source, ArgumentSignature("code", .int, position: .verb), text("nick"),
                            text("parameters", presence: .variadic),
                        ]),
                ], ignoringCase: true))
    }()

    static let livechat = Dialect(
        name: "livechat",
        syntax: FieldSyntax(separators: [ASCII.pipe]),
        escaping: Escaping(
            field: table(
                ASCII.backslash,
                ["|": ASCII.pipe, "\\": ASCII.backslash, "n": ASCII.lf, "r": ASCII.cr])),
        commands: CommandTable([
            command(
                "didReceive", "R0004", .server,
                [int("id"), text("text"), text("sender"), int("chat"), flag("hidden")]),
            command("send", "S0004", .client, [int("from"), int("chat"), text("text")]),
            command("three", "T", .both, [text("a"), text("b"), text("c")]),
            command("ping", "S0001", .client),
            command(
                "login", "R0007", .server,
                [
                    int("id"),
                    ArgumentSignature("chats", .list(of: .int, separator: UInt8(ascii: ","))),
                ]),
        ]))

    static let plain = Dialect(
        name: "plain",
        framing: Framing(
            fromClient: Framing.Side(terminator: .crlf, accepted: [.crlf, .lf]),
            fromServer: Framing.Side(terminator: .crlf, accepted: [.crlf, .lf])),
        syntax: FieldSyntax(verb: .none),
        escaping: Escaping(field: .none(forbidden: [ASCII.cr, ASCII.lf])),
        commands: CommandTable([
            CommandSignature(
                name: "line", wire: .none, direction: .both, arguments: [text("text")])
        ]))

    static let teamspeak: Dialect = {
        let rule = table(
            ASCII.backslash,
            [
                "\\": ASCII.backslash, "/": UInt8(ascii: "/"), "s": ASCII.space, "p": ASCII.pipe,
                "a": 7, "b": 8, "f": 12, "n": ASCII.lf, "r": ASCII.cr, "t": ASCII.tab, "v": 11,
            ])
        return Dialect(
            name: "teamspeak",
            framing: Framing(
                fromClient: Framing.Side(terminator: .lf, accepted: [.lf, .crlf]),
                fromServer: Framing.Side(terminator: .lfcr, accepted: [.lfcr]),
                grouping: .closingStatus(verb: bytes("error"), asynchronous: bytes("notify"))),
            syntax: FieldSyntax(
                separatorRuns: true, verb: .firstUnlessKeyValue,
                keyValue: FieldSyntax.KeyValueSyntax(
                    optionMarker: ASCII.minus, rowSeparator: ASCII.pipe)),
            escaping: Escaping(field: rule),
            commands: CommandTable([
                command(
                    "sendText", "sendtextmessage", .client,
                    [
                        keyed("targetmode", .int), keyed("target", .int),
                        keyed("msg", .text),
                    ]),
                command(
                    "clients", "clientlist", .client,
                    [
                        ArgumentSignature(
                            "uid", .bool(.digits), position: .option(bytes("uid")),
                            presence: .optional)
                    ]),
                command("use", "use", .client, [int("sid"), keyed("port", .int, .optional)]),
                command("status", "error", .server, [keyed("id", .int), keyed("msg", .text)]),
                CommandSignature(
                    name: "notify", wire: .prefix(bytes("notify")), direction: .server,
                    arguments: [
                        ArgumentSignature("event", .text, position: .verb),
                        keyed("msg", .text, .optional),
                    ]),
                CommandSignature(
                    name: "data", wire: .none, direction: .server,
                    arguments: [keyed("clid", .int, .optional)]),
            ]))
    }()

    static let msnp: Dialect = {
        let side = Framing.Side(
            terminator: .crlf, accepted: [.crlf, .lf],
            limits: Framing.Limits(payloadBytesMax: 1_664))
        let id = ArgumentSignature("id", .int, position: .correlation)
        let length = ArgumentSignature("length", .int, position: .payloadLength)
        let body = ArgumentSignature("body", .bytes, position: .payload)
        return Dialect(
            name: "msnp",
            framing: Framing(
                fromClient: side, fromServer: side,
                payloads: [
                    Framing.PayloadRule(verb: bytes("MSG"), direction: .both, terminated: false),
                    Framing.PayloadRule(verb: bytes("NOT"), direction: .server, terminated: false),
                ]),
            syntax: FieldSyntax(
                correlation: FieldSyntax.Correlation(
                    exempt: [.init(verb: bytes("PNG"), direction: .client)])),
            escaping: Escaping(
                field: .percent(encoded: [ASCII.percent, ASCII.space, ASCII.cr, ASCII.lf])),
            commands: CommandTable([
                command("send", "MSG", .client, [id, text("ack"), length, body]),
                command("message", "MSG", .server, [text("from"), text("nick"), length, body]),
                command("rename", "REA", .both, [id, text("account"), text("nick")]),
                command("note", "NOT", .server, [length, body]),
                command("ping", "PNG", .client),
                CommandSignature(
                    name: "error", wire: .digits(3), direction: .server,
                    arguments: [ArgumentSignature("code", .int, position: .verb), id]),
            ]))
    }()

    static let nats: Dialect = {
        let side = Framing.Side(
            terminator: .crlf, limits: Framing.Limits(lineBytesMax: 4_096, payloadBytesMax: 1_000))
        let length = ArgumentSignature("length", .int, position: .payloadLength)
        let payload = ArgumentSignature("payload", .bytes, position: .payload)
        let reply = text("reply", presence: .optional)
        return Dialect(
            name: "nats",
            framing: Framing(
                fromClient: side, fromServer: side,
                payloads: [
                    Framing.PayloadRule(verb: bytes("PUB"), direction: .client, terminated: true),
                    Framing.PayloadRule(verb: bytes("MSG"), direction: .server, terminated: true),
                ]),
            syntax: FieldSyntax(
                separators: [ASCII.space, ASCII.tab], separatorRuns: true, verbCase: .insensitive),
            escaping: Escaping(
                field: .none(forbidden: [0, ASCII.cr, ASCII.lf, ASCII.space, ASCII.tab])),
            commands: CommandTable(
                [
                    command(
                        "publish", "PUB", .client, [text("subject"), reply, length, payload]),
                    command(
                        "message", "MSG", .server,
                        [text("subject"), text("sid"), reply, length, payload]),
                    command("ping", "PING"), command("pong", "PONG"),
                ], ignoringCase: true))
    }()

    static func text(
        _ name: String, presence: ArgumentSignature.Presence = .required
    ) -> ArgumentSignature {
        ArgumentSignature(name, .text, presence: presence)
    }

    static func int(_ name: String) -> ArgumentSignature { ArgumentSignature(name, .int) }

    static func flag(_ name: String) -> ArgumentSignature {
        ArgumentSignature(name, .bool(.digits))
    }

    static func keyed(
        _ name: String, _ type: ArgumentType, _ presence: ArgumentSignature.Presence = .required
    ) -> ArgumentSignature {
        ArgumentSignature(name, type, position: .key(bytes(name)), presence: presence)
    }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

extension Dialect: CustomTestStringConvertible {
    /// The name in test output.
    public var testDescription: String { name }
}
