@testable import LineProtocol

/// Dialects whose lines are JSON objects.
extension Dialects {
    private static func json(
        _ name: String, _ syntax: JSONSyntax, _ commands: [CommandSignature]
    ) -> Dialect {
        let side = Framing.Side(limits: Framing.Limits(lineBytesMax: 4_096))
        return Dialect(
            name: name, framing: Framing(fromClient: side, fromServer: side),
            syntax: FieldSyntax(json: syntax), escaping: Escaping(field: .json),
            commands: CommandTable(commands))
    }

    static func member(
        _ name: String, _ type: ArgumentType, at path: String? = nil,
        _ presence: ArgumentSignature.Presence = .required
    ) -> ArgumentSignature {
        ArgumentSignature(name, type, position: .key(bytes(path ?? name)), presence: presence)
    }

    /// A line with every argument of `all`.
    static let everyType = #"""
        {"type":"all","text":"a\n\u00e9\ud83d\ude00","int":-7,"decimal":1.50,"flag":true,"time":3,"date":"1970-01-01T00:00:00.000Z","choice":"off","json":{"a":[1,{}]},"texts":["a,b","","c\t"],"ints":[1,-2],"user":{"name":"x","age":9},"list":[{"x":"y"}]}
        """#

    /// Every type, at the top and inside other values.
    static let jsonl = json(
        "jsonl", JSONSyntax(),
        [
            command("join", "join", .both, [member("room", .text)]),
            command(
                "all", "all", .both,
                [
                    member("text", .text), member("int", .int), member("decimal", .decimal),
                    member("flag", .bool(.json)), member("time", .time(.unixSeconds)),
                    member("date", .time(.rfc3339)), member("choice", .choice(["on", "off"])),
                    member("json", .json),
                    member("texts", .list(of: .text, separator: ASCII.comma)),
                    member("ints", .list(of: .int, separator: ASCII.comma)),
                    member("name", .text, at: "user.name"),
                    member("age", .int, at: "user.age", .optional),
                    member("first", .text, at: "list.0.x", .optional),
                ]),
            command("note", "note", .both, [member("text", .text, .optional)]),
        ])

    static let nestedJSON = json(
        "nested", JSONSyntax(form: .key(["header", "type"]), firstWins: true),
        [
            command(
                "say", "say", .both, [member("text", .text), member("id", .int, at: "header.id")])
        ])

    static let onlyKeyJSON = json(
        "only-key", JSONSyntax(form: .onlyKey),
        [
            command("say", "say", .both, [member("text", .text)]),
            command("quit", "quit", .both, []),
            command("count", "count", .both, [member("all", .json, at: ".")]),
        ])

    static let rpc = json(
        "rpc", JSONSyntax(form: .rpc),
        [
            command(
                "subtract", "subtract", .both,
                [
                    member("left", .int, at: "0"), member("right", .int, at: "1"),
                    ArgumentSignature("id", .int, position: .correlation),
                ]),
            command("update", "update", .both, [member("text", .text)]),
            command(
                "result", "result", .both,
                [
                    member("value", .json, at: "."),
                    ArgumentSignature("id", .int, position: .correlation),
                ]),
            command(
                "error", "error", .both,
                [
                    member("code", .int), member("message", .text),
                    ArgumentSignature("id", .json, position: .correlation),
                ]),
        ])

    static let opcodes = json(
        "opcodes", JSONSyntax(form: .key(["op"])),
        [command("hello", "10", .both, [member("interval", .int, at: "d.heartbeat_interval")])])
}
