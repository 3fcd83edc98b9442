@testable import LineProtocol

extension Dialects {
    /// Clients send a command and fields, and the server sends JSON objects.
    static let mixed: Dialect = {
        let side = Framing.Side(
            terminator: .crlf, accepted: [.crlf, .lf], limits: Framing.Limits(lineBytesMax: 512))
        return Dialect(
            name: "mixed", framing: Framing(fromClient: side, fromServer: side),
            syntax: FieldSyntax(separatorRuns: true, verbCase: .insensitive, fieldsMax: 2),
            escaping: Escaping(
                field: .none(forbidden: [ASCII.cr, ASCII.lf, ASCII.space]),
                trailing: .none(forbidden: [ASCII.cr, ASCII.lf])),
            serverSyntax: FieldSyntax(json: JSONSyntax()), serverEscaping: Escaping(field: .json),
            commands: CommandTable(
                [
                    command("say", "SAY", .client, [text("room"), text("text")]),
                    command("ping", "PING", .client, [int("token")]),
                    command(
                        "said", "said", .server,
                        [member("room", .text), member("text", .text), member("at", .int)]),
                    command("pong", "pong", .server, [member("token", .int)]),
                ], ignoringCase: PerDirection(fromClient: true, fromServer: false)))
    }()

    /// Both sides send fields, with other separators and escapes.
    static let twoTongues = Dialect(
        name: "two-tongues", syntax: FieldSyntax(separators: [ASCII.pipe]),
        escaping: Escaping(
            field: table(
                ASCII.backslash,
                ["\\": ASCII.backslash, "|": ASCII.pipe, "n": ASCII.lf])),
        serverSyntax: FieldSyntax(separators: [UInt8(ascii: ",")]),
        serverEscaping: Escaping(field: .percent(encoded: [UInt8(ascii: ","), ASCII.lf])),
        commands: CommandTable([command("say", "SAY", .both, [text("to"), text("text")])]))

    /// The first byte of a line is its command, and payloads have a length, as in RESP.
    static let counted: Dialect = {
        let side = Framing.Side(
            terminator: .crlf, accepted: [.crlf, .lf],
            limits: Framing.Limits(lineBytesMax: 64, payloadBytesMax: 1_000))
        let length = ArgumentSignature("length", .int, position: .payloadLength)
        let value = ArgumentSignature("value", .bytes, position: .payload)
        return Dialect(
            name: "counted",
            framing: Framing(
                fromClient: side, fromServer: side,
                payloads: [
                    Framing.PayloadRule(verb: bytes("$"), direction: .both, terminated: true),
                    Framing.PayloadRule(
                        verb: bytes("="), direction: .both, lengthField: .at(1), terminated: true),
                ]),
            syntax: FieldSyntax(verb: .bytes(1)),
            escaping: Escaping(field: .none(forbidden: [ASCII.cr, ASCII.lf, ASCII.space])),
            commands: CommandTable([
                command("string", "$", .both, [length, value]),
                command("named", "=", .both, [text("name"), length, text("note"), value]),
                command("simple", "+", .both, [text("text")]),
                command("integer", ":", .both, [int("value")]),
            ]))
    }()
}
