@testable import LineProtocol

/// Dialects other than the built-in ones; each has a unique feature.
extension Dialects {
    static let smtp: Dialect = {
        let side = Framing.Side(
            terminator: .crlf, limits: Framing.Limits(lineBytesMax: 512, payloadBytesMax: 2_000))
        return Dialect(
            name: "smtp",
            framing: Framing(
                fromClient: side, fromServer: side,
                blocks: [Framing.BlockRule(verb: bytes("DATA"), direction: .client)],
                grouping: .mark(ASCII.minus, codeBytes: 3)),
            syntax: FieldSyntax(verbCase: .insensitive, fieldsMax: 1),
            escaping: Escaping(field: .none(forbidden: [ASCII.cr, ASCII.lf])),
            commands: CommandTable(
                [
                    command("hello", "EHLO", .client, [text("host")]),
                    command(
                        "data", "DATA", .client,
                        [ArgumentSignature("block", .bytes, position: .payload)]),
                    CommandSignature(
                        name: "reply", wire: .digits(3), direction: .server,
                        arguments: [
                            ArgumentSignature("code", .int, position: .verb),
                            text("text", presence: .optional),
                        ]),
                ], ignoringCase: true))
    }()

    /// Also accepts bare LF, and has blocks from the server.
    static let nntp: Dialect = {
        let side = Framing.Side(
            terminator: .crlf, accepted: [.crlf, .lf],
            limits: Framing.Limits(lineBytesMax: 512, payloadBytesMax: 2_000))
        return Dialect(
            name: "nntp",
            framing: Framing(
                fromClient: side, fromServer: side,
                blocks: [Framing.BlockRule(verb: bytes("220"), direction: .server)]),
            syntax: FieldSyntax(separatorRuns: true, verbCase: .insensitive, fieldsMax: 3),
            escaping: Escaping(field: .none(forbidden: [ASCII.cr, ASCII.lf])),
            commands: CommandTable(
                [
                    command("article", "ARTICLE", .client, [text("id", presence: .optional)]),
                    command(
                        "articleFollows", "220", .server,
                        [
                            int("number"), text("id"), text("rest", presence: .optional),
                            ArgumentSignature("block", .bytes, position: .payload),
                        ]),
                ], ignoringCase: true))
    }()

    static let memcached: Dialect = {
        let side = Framing.Side(
            terminator: .crlf, accepted: [.crlf, .lf],
            limits: Framing.Limits(lineBytesMax: 2_048, payloadBytesMax: 1_000))
        return Dialect(
            name: "memcached",
            framing: Framing(
                fromClient: side, fromServer: side,
                payloads: [
                    Framing.PayloadRule(
                        verb: bytes("set"), direction: .client, lengthField: .at(3),
                        terminated: true)
                ]),
            syntax: FieldSyntax(separatorRuns: true),
            escaping: Escaping(field: .none(forbidden: [0, ASCII.cr, ASCII.lf, ASCII.space])),
            commands: CommandTable([
                command(
                    "set", "set", .client,
                    [
                        text("key"), int("flags"), int("expiry"),
                        ArgumentSignature("length", .int, position: .payloadLength),
                        text("noreply", presence: .optional),
                        ArgumentSignature("value", .bytes, position: .payload),
                    ]),
                command("get", "get", .client, [text("keys", presence: .variadic)]),
            ]))
    }()

    static let redis = Dialect(
        name: "redis",
        framing: Framing(
            fromClient: Framing.Side(terminator: .crlf, accepted: [.crlf, .lf]),
            fromServer: Framing.Side(terminator: .crlf, accepted: [.crlf, .lf])),
        syntax: FieldSyntax(separatorRuns: true, verbCase: .insensitive, quotes: true),
        escaping: Escaping(field: .quotes),
        commands: CommandTable(
            [command("set", "SET", .client, [text("key"), text("value")])], ignoringCase: true))

    static let stomp: Dialect = {
        let side = Framing.Side(
            terminator: .lf, accepted: [.crlf, .lf],
            limits: Framing.Limits(lineBytesMax: 500, payloadBytesMax: 1_000))
        let rule = table(
            ASCII.backslash,
            ["r": ASCII.cr, "n": ASCII.lf, "c": ASCII.colon, "\\": ASCII.backslash],
            unknown: .error, lone: .error, forbidden: [0])
        return Dialect(
            name: "stomp",
            framing: Framing(
                fromClient: side, fromServer: side,
                unit: .headerFrame(lengthHeader: bytes("content-length"))),
            syntax: FieldSyntax(
                separators: [ASCII.lf],
                keyValue: FieldSyntax.KeyValueSyntax(assignment: ASCII.colon, firstWins: true)),
            escaping: Escaping(
                field: rule, exemptVerbs: [bytes("CONNECT"), bytes("CONNECTED")]),
            commands: CommandTable([
                command(
                    "connect", "CONNECT", .client,
                    [keyed("host", .text), keyed("login", .text, .optional)]),
                command(
                    "send", "SEND", .both,
                    [
                        keyed("destination", .text), keyed("content-length", .int, .optional),
                        ArgumentSignature("body", .bytes, position: .payload),
                    ]),
            ]))
    }()

    static let icb: Dialect = {
        let side = Framing.Side(limits: Framing.Limits(lineBytesMax: 255, payloadBytesMax: 255))
        return Dialect(
            name: "icb",
            framing: Framing(
                fromClient: side, fromServer: side,
                unit: .lengthPrefix(Framing.LengthPrefix(dropsFinalNUL: true))),
            syntax: FieldSyntax(separators: [1], verb: .bytes(1)),
            escaping: Escaping(field: .none(forbidden: [0, 1])),
            commands: CommandTable([
                command("open", "b", .both, [text("nick"), text("text")]),
                command("ping", "l", .both),
            ]))
    }()

    static let mud: Dialect = {
        let side = Framing.Side(terminator: .crlf, accepted: [.crlf, .crnul])
        return Dialect(
            name: "mud",
            framing: Framing(
                fromClient: side, fromServer: side, emptyLines: .message, telnet: true),
            syntax: FieldSyntax(verb: .none),
            escaping: Escaping(field: .none(forbidden: [])),
            commands: CommandTable([
                CommandSignature(
                    name: "line", wire: .none, direction: .both, arguments: [text("text")])
            ]))
    }()

    /// Separators are escaped by doubling, and some terminators start others.
    static let doubled: Dialect = {
        let side = Framing.Side(terminator: .crlf, accepted: [.cr, .lf, .crlf, .crnul])
        return Dialect(
            name: "doubled",
            framing: Framing(
                fromClient: side, fromServer: side, emptyLines: .message,
                payloads: [
                    Framing.PayloadRule(verb: bytes("P"), direction: .both, terminated: true)
                ],
                blocks: [Framing.BlockRule(verb: bytes("B"), direction: .both)]),
            syntax: FieldSyntax(separators: [UInt8(ascii: ",")]),
            escaping: Escaping(
                field: .doubling(UInt8(ascii: ","), forbidden: [ASCII.cr, ASCII.lf])),
            commands: CommandTable([
                command("three", "T", .both, [text("a"), text("b"), text("c")]),
                command(
                    "block", "B", .both, [ArgumentSignature("block", .bytes, position: .payload)]),
                command(
                    "payload", "P", .both,
                    [
                        ArgumentSignature("length", .int, position: .payloadLength),
                        ArgumentSignature("body", .bytes, position: .payload),
                    ]),
            ]))
    }()
}
