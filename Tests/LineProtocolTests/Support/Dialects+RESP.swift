@testable import LineProtocol

extension Dialects {
    /// A dialect of RESP.
    static let resp = resp(payloadMax: 1_024)

    static func resp(payloadMax: Int) -> Dialect {
        let side = Framing.Side(
            terminator: .crlf, accepted: [.crlf, .lf],
            limits: Framing.Limits(lineBytesMax: 64, payloadBytesMax: payloadMax))
        return Dialect(
            name: "resp", framing: Framing(fromClient: side, fromServer: side, unit: .resp),
            syntax: .resp, escaping: Escaping(field: .quotes),
            commands: CommandTable([
                command("publish", "PUBLISH", .client, [text("channel"), text("text")]),
                command(
                    "subscribe", "SUBSCRIBE", .client,
                    [text("channel"), text("more", presence: .variadic)]),
                command("message", "message", .server, [text("channel"), text("text")]),
                command("subscribed", "subscribe", .server, [text("channel"), int("count")]),
                command("simple", "+", .server, [text("text")]),
                command("error", "-", .server, [text("reason")]),
                command("integer", ":", .server, [int("value")]),
                command("string", "$", .server, [text("value")]),
                command("nullString", "$-1", .server), command("nullArray", "*-1", .server),
                command("null", "_", .server),
                command("array", "*", .server, [text("values", presence: .variadic)]),
                command("map", "%", .server, [text("values", presence: .variadic)]),
            ]))
    }
}
