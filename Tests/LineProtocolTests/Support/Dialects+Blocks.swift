@testable import LineProtocol

/// Dialects in which blocks depend on the other side.
extension Dialects {
    private static let blockSide = Framing.Side(
        terminator: .crlf, limits: Framing.Limits(lineBytesMax: 512, payloadBytesMax: 2_000))

    static let pop3 = Dialect(
        name: "pop3",
        framing: Framing(
            fromClient: blockSide, fromServer: blockSide, emptyLines: .message,
            blocks: [
                Framing.BlockRule(
                    verb: bytes("+OK"), direction: .server,
                    after: [
                        Framing.BlockTrigger(verb: bytes("RETR")),
                        Framing.BlockTrigger(verb: bytes("LIST"), withoutArguments: true),
                    ])
            ], greeting: true),
        syntax: FieldSyntax(verbCase: .insensitive, fieldsMax: 1),
        escaping: Escaping(field: .none(forbidden: [ASCII.cr, ASCII.lf])),
        commands: CommandTable(
            [
                command("list", "LIST", .client, [text("message", presence: .optional)]),
                command("retr", "RETR", .client, [text("message")]),
                command("noop", "NOOP", .client),
                command(
                    "ok", "+OK", .server,
                    [
                        text("text", presence: .optional),
                        ArgumentSignature(
                            "lines", .bytes, position: .payload, presence: .optional),
                    ]),
                command("error", "-ERR", .server, [text("text", presence: .optional)]),
            ], ignoringCase: true))

    /// Like SMTP, where the text of a mail follows the answer 354.
    static let mail = Dialect(
        name: "mail",
        framing: Framing(
            fromClient: blockSide, fromServer: blockSide,
            blocks: [
                Framing.BlockRule(
                    verb: [], direction: .client,
                    after: [Framing.BlockTrigger(verb: bytes("354"))])
            ],
            linePrompts: [Framing.BlockTrigger(verb: bytes("334"))]),
        syntax: FieldSyntax(verbCase: .insensitive, fieldsMax: 1),
        escaping: Escaping(field: .none(forbidden: [ASCII.cr, ASCII.lf])),
        commands: CommandTable(
            [
                command("data", "DATA", .client),
                command("quit", "QUIT", .client),
                CommandSignature(
                    name: "text", wire: .none, direction: .client,
                    arguments: [ArgumentSignature("text", .bytes, position: .payload)]),
                CommandSignature(
                    name: "response", wire: .prompted, direction: .client,
                    arguments: [ArgumentSignature("data", .text, position: .payload)]),
                command("goAhead", "354", .server, [text("text", presence: .optional)]),
                command("refused", "503", .server, [text("text", presence: .optional)]),
            ], ignoringCase: true))
}
