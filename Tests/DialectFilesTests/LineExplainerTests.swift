import LineProtocol
import Testing

@testable import DialectFiles

@Suite struct LineExplainerTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var name: String
        var dialect: String
        var line: String
        var direction: Direction?

        var testDescription: String { name }
    }

    static let examples = [
        Example(
            name: "livechat-received", dialect: "livechat",
            line: "R0004|12341|Hello!|Joe|2134|0\n"),
        Example(
            name: "livechat-escaped", dialect: "livechat",
            line: "S0004|431|2134|a\\|b\\nc \\x \\\\\n", direction: .fromClient),
        Example(name: "livechat-too-few", dialect: "livechat", line: "R0004|12341|Hello!\n"),
        Example(
            name: "livechat-too-many", dialect: "livechat",
            line: "R0004|12341|Hello!|Joe|2134|1|new|newer\n"),
        Example(name: "livechat-wrong", dialect: "livechat", line: "R0001|x|Joe\n"),
        Example(name: "livechat-default", dialect: "livechat", line: "S0001|Joe\n"),
        Example(
            name: "livechat-time", dialect: "livechat",
            line: "R0010|7|1341100799419|Hi|Joe|1|0\n"),
        Example(name: "livechat-unknown", dialect: "livechat", line: "X0001|a|b"),
        Example(
            name: "irc-tags", dialect: "irc",
            line: "@time=2012-06-30T23:59:59.419Z;msgid=a\\sb;+x :dan!d@host "
                + "PRIVMSG #room :Hi, all: \u{1}x\r\n"
        ),
        Example(
            name: "irc-isupport", dialect: "irc",
            line: ":irc.local 005 alice NICKLEN=30 CASEMAPPING=ascii :are supported\r\n"),
        Example(
            name: "irc-numeric", dialect: "irc", line: ":irc.local 999 alice a b :and so on\r\n",
            direction: .fromServer),
        Example(name: "irc-both", dialect: "irc", line: "JOIN #a,#b\r\n"),
        Example(name: "irc-unterminated", dialect: "irc", line: "ping :a"),
        Example(name: "irc-too-few", dialect: "irc", line: "USER a 0\r\n", direction: .fromClient),
        Example(
            name: "irc-too-long", dialect: "irc",
            line: "PRIVMSG #a :\(String(repeating: "x", count: 600))\r\n", direction: .fromClient),
        Example(name: "nats-payload", dialect: "nats", line: "pub a.b 5\r\nhe\r\no\r\n"),
        Example(name: "nats-cut", dialect: "nats", line: "PUB a 9\r\nhello"),
        Example(name: "nats-join", dialect: "nats", line: "CONNECT {\"verbose\": false}\r\n"),
        Example(name: "nats-bad-length", dialect: "nats", line: "MSG a 1 x\r\n"),
        Example(
            name: "msnp-payload", dialect: "msnp", line: "MSG joe@x.org Joe%20B 5\r\nhello"),
        Example(name: "msnp-error", dialect: "msnp", line: "911 4\r\n"),
        Example(
            name: "teamspeak-error", dialect: "teamspeak",
            line: "error id=1539 msg=parameter\\snot\\sfound\n\r"),
        Example(
            name: "teamspeak-rows", dialect: "teamspeak",
            line: "clid=5 client_nickname=Joe\\sB|clid=7 client_nickname=Al\n\r"),
        Example(
            name: "teamspeak-options", dialect: "teamspeak", line: "clientlist -away -uid\n"),
        Example(
            name: "jsonl-message", dialect: "jsonl",
            line:
                "{\"text\": \"caf\\u00e9\", \"type\": \"message\", \"from\": \"joe\", \"bot\": true}\n"
        ),
        Example(name: "jsonl-missing", dialect: "jsonl", line: "{\"type\":\"say\",\"text\":7}\n"),
        Example(name: "jsonl-invalid", dialect: "jsonl", line: "{\"type\":\"say\",}\n"),
        Example(
            name: "redis-message", dialect: "redis",
            line: "*3\r\n$7\r\nmessage\r\n$3\r\ntea\r\n$10\r\nEarl Grey?\r\n"),
        Example(
            name: "redis-array", dialect: "redis", line: "*2\r\n$4\r\npear\r\n:2\r\n",
            direction: .fromServer),
        Example(name: "redis-inline", dialect: "redis", line: "publish tea \"Earl Grey?\"\r\n"),
        Example(
            name: "smtp-answer", dialect: "smtp",
            line: "250-mail.example\r\n250-8BITMIME\r\n250 HELP\r\n"),
        Example(name: "plain-line", dialect: "plain", line: "Hello, world \u{e9}\n"),
    ]

    @Test(arguments: examples)
    func linesAreExplained(example: Example) throws {
        let dialect = try DialectLibrary.find(example.dialect).dialect
        let explanation = LineExplainer(dialect).explain(
            Array(example.line.utf8), direction: example.direction)
        try expectGolden(explanation.text, "explain/\(example.name).txt")
    }

    @Test func invalidTextIsShownAsBytes() throws {
        let dialect = try DialectLibrary.find("plain").dialect
        let explanation = LineExplainer(dialect).explain([0xFF, 0x00, 0x41, 0x0A])
        #expect(explanation.text.contains("\\xff\\0A"))
        #expect(explanation.arguments[0].value == .text([0xFF, 0x00, 0x41]))
    }

    @Test(arguments: DialectLibrary.builtInNames)
    func anyBytesAreExplained(name: String) throws {
        let explainer = LineExplainer(try DialectLibrary.find(name).dialect)
        var generator = SeededRandom(seed: 5)
        let special = Array("|\\: ;=%@-\r\n\0\"'ABPRIVMSG001".utf8)
        for _ in 0..<200 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                special.randomElement(using: &generator) ?? 0
            }
            #expect(!explainer.explain(bytes).text.isEmpty)
        }
    }
}
