import Testing

@testable import LineProtocol

struct LineSplitterTests {
    /// Returns the parts as text: `@tags :source verb [field] …`, with marks for the form of a
    /// field.
    static func parts(_ line: String, _ dialect: Dialect) -> String {
        // Surrounded by other bytes, because ranges refer to the buffer.
        let before = bytes("|: =\\@")
        let buffer = before + bytes(line) + before
        var split = SplitLine()
        let range = before.count..<(before.count + line.utf8.count)
        LineSplitter(dialect, direction: .fromServer).split(buffer.span, range, into: &split)
        func text(_ range: Range<Int>) -> String { String(decoding: buffer[range], as: UTF8.self) }
        var result = ""
        if let tags = split.tags { result += "@\(text(tags)) " }
        if let source = split.source { result += ":\(text(source)) " }
        result += text(split.verb)
        if split.continues { result += "+" }
        for field in split.fields {
            var shown = text(field.range)
            switch field.form {
            case .plain, .verbatim: break
            case .trailing: shown = ":" + shown
            case .option: shown = "-" + shown
            case .quoted: shown = "\"" + shown
            case .keyValue, .jsonString, .jsonValue:
                shown = "\(text(field.key ?? 0..<0))=>\(text(field.value))"
            }
            if field.hasEscape { shown += "!" }
            if field.row > 0 { shown = "\(field.row)/" + shown }
            result += " [\(shown)]"
        }
        #expect(split.line == range)
        return result
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var dialect: Dialect
        var line: String
        var parts: String

        init(_ dialect: Dialect, _ line: String, _ parts: String) {
            self.dialect = dialect
            self.line = line
            self.parts = parts
        }

        var testDescription: String { "\(dialect.name): \(line.prefix(60).debugDescription)" }
    }

    static let long = String(repeating: "y", count: 100)

    static let irc = [
        Case(Dialects.irc, "", ""),
        Case(Dialects.irc, "   ", ""),
        Case(Dialects.irc, "PING", "PING"),
        Case(Dialects.irc, "PING ", "PING"),
        Case(Dialects.irc, "PING :", "PING [:]"),
        Case(Dialects.irc, "PING  a   b ", "PING [a] [b]"),
        Case(Dialects.irc, "  PING a", "PING [a]"),
        Case(Dialects.irc, "PING a:b :c :d ", "PING [a:b] [:c :d ]"),
        Case(Dialects.irc, "PING   :c", "PING [:c]"),
        Case(Dialects.irc, "PING ::c", "PING [::c]"),
        Case(Dialects.irc, "PING\ta b", "PING\ta [b]"),
        Case(Dialects.irc, ":a!b@c PING", ":a!b@c PING"),
        Case(Dialects.irc, ":a  PING  x", ":a PING [x]"),
        Case(Dialects.irc, ":a", ":a "),
        Case(Dialects.irc, ":", ": "),
        Case(Dialects.irc, ": PING", ": PING"),
        Case(Dialects.irc, "@a=b;c PING", "@a=b;c PING"),
        Case(Dialects.irc, "@a=b  :s  PING :x y", "@a=b :s PING [:x y]"),
        Case(Dialects.irc, "@a", "@a "),
        Case(Dialects.irc, "@", "@ "),
        Case(Dialects.irc, "@ :s PING", "@ :s PING"),
        Case(Dialects.irc, "@a @b PING", "@a @b [PING]"),
        Case(Dialects.irc, ":a :b PING", ":a :b [PING]"),
        Case(
            Dialects.irc, "@\(long) :\(long) PING \(long) :\(long) z",
            "@\(long) :\(long) PING [\(long)] [:\(long) z]"),
        Case(
            Dialects.irc, "C 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
            "C [1] [2] [3] [4] [5] [6] [7] [8] [9] [10] [11] [12] [13] [14] [:15]"),
        Case(
            Dialects.irc, "C 1 2 3 4 5 6 7 8 9 10 11 12 13 14   15 16 :17",
            "C [1] [2] [3] [4] [5] [6] [7] [8] [9] [10] [11] [12] [13] [14] [:15 16 :17]"),
        Case(
            Dialects.irc, "C 1 2 3 4 5 6 7 8 9 10 11 12 13 14 :15 16",
            "C [1] [2] [3] [4] [5] [6] [7] [8] [9] [10] [11] [12] [13] [14] [:15 16]"),
    ]

    static let livechat = [
        Case(Dialects.livechat, "", ""),
        Case(Dialects.livechat, "R", "R"),
        Case(Dialects.livechat, "R|", "R []"),
        Case(Dialects.livechat, "|", " []"),
        Case(Dialects.livechat, "||a|", " [] [a] []"),
        Case(Dialects.livechat, "R|a|b", "R [a] [b]"),
        Case(Dialects.livechat, "R|a\\|b|c", "R [a\\|b!] [c]"),
        Case(Dialects.livechat, "R|a\\\\|b", "R [a\\\\!] [b]"),
        Case(Dialects.livechat, "R|a\\\\\\|b", "R [a\\\\\\|b!]"),
        Case(Dialects.livechat, "R|a|\\", "R [a] [\\!]"),
        Case(Dialects.livechat, "R\\|a|b", "R\\|a [b]"),
        Case(Dialects.livechat, "R\\\\|a|b", "R\\\\ [a] [b]"),
        Case(Dialects.livechat, "R|\(long)|\(long)\\||x", "R [\(long)] [\(long)\\|!] [x]"),
        Case(
            Dialects.livechat, "R|" + long.prefix(61) + "\\|a|b",
            "R [" + long.prefix(61) + "\\|a!] [b]"),
        Case(
            Dialects.livechat, "R|" + long.prefix(62) + "\\\\|b",
            "R [" + long.prefix(62) + "\\\\!] [b]"
        ),
        Case(
            Dialects.livechat, "R|" + long.prefix(61) + "\\" + long + "|b",
            "R [" + long.prefix(61) + "\\" + long + "!] [b]"),
    ]

    static let keyed = [
        Case(Dialects.teamspeak, "clid=1 name=a\\sb", " [clid=>1] [name=>a\\sb!]"),
        Case(Dialects.teamspeak, "a=1|a=2 b=3|a=", " [a=>1] [1/a=>2] [1/b=>3] [2/a=>]"),
        Case(Dialects.teamspeak, "error id=0  msg=ok", "error [id=>0] [msg=>ok]"),
        Case(Dialects.teamspeak, "clientlist -uid -away", "clientlist [-uid] [-away]"),
        Case(Dialects.teamspeak, "use 1 -x=2", "use [1] [-x=>2]"),
        Case(Dialects.teamspeak, "a=b=c", " [a=>b=c]"),
        Case(Dialects.teamspeak, "a=1||b=2", " [a=>1] [1/] [2/b=>2]"),
        // An invalid escape sequence does not escape a separator.
        Case(Dialects.teamspeak, "a=1\\|b=2\\ c", " [a=>1\\!] [1/b=>2\\!] [1/c]"),
        Case(Dialects.teamspeak, "", ""),
        Case(
            Dialects.stomp, "SEND\ndestination:/q\r\na\\cb:c:d\n",
            "SEND [destination=>/q] [a\\cb=>c:d!]"),
        Case(Dialects.stomp, "SEND\r\na:b\\\nc:d", "SEND [a=>b\\!] [c=>d]"),
        Case(Dialects.stomp, "SEND\r", "SEND"),
    ]

    static let others = [
        Case(Dialects.plain, "a b |c", " [a b |c]"),
        Case(Dialects.plain, "", " []"),
        Case(Dialects.msnp, "MSG 1  a%20b", "MSG [1] [] [a%20b!]"),
        Case(Dialects.nats, "\t PUB \t a\tb  3 ", "PUB [a] [b] [3]"),
        Case(Dialects.smtp, "250-mail example", "250+ [:mail example]"),
        Case(Dialects.smtp, "250 mail example", "250 [:mail example]"),
        Case(Dialects.smtp, "250-", "250+ []"),
        Case(Dialects.smtp, "250 ", "250 []"),
        Case(Dialects.smtp, "250", "250"),
        Case(Dialects.smtp, "ABC-DEF x", "ABC-DEF [:x]"),
        Case(Dialects.smtp, "25-x y", "25-x [:y]"),
        Case(Dialects.nntp, "220 1  <a>  b c", "220 [1] [<a>] [:b c]"),
        Case(Dialects.redis, "SET \"a b\"  c", "SET [\"a b] [c]"),
        Case(Dialects.redis, "SET \"a\\\"b\\x20\" \"\"", "SET [\"a\\\"b\\x20!] [\"]"),
        Case(Dialects.redis, "SET a\\n \"open", "SET [a\\n] [\"open]"),
        Case(Dialects.redis, "SET \"a\\", "SET [\"a\\!]"),
        Case(Dialects.icb, "bnick\u{1}\u{1}text", "b [nick] [] [text]"),
        Case(Dialects.icb, "l", "l"),
        Case(Dialects.icb, "", ""),
        Case(Dialects.doubled, "T,a,,b,c", "T [a,,b!] [c]"),
        Case(Dialects.doubled, "T,,", "T [] []"),
        Case(Dialects.doubled, "T,a,", "T [a] []"),
        Case(Dialects.doubled, "T", "T"),
    ]

    @Test(arguments: irc + livechat + keyed + others)
    func linesAreSplitByTheDialect(_ test: Case) {
        #expect(Self.parts(test.line, test.dialect) == test.parts)
    }

    /// The fast path gives the same result as the general one.
    @Test(arguments: [Dialects.irc, Dialects.livechat, Dialects.memcached, Dialects.msnp])
    func fastAndGeneralSplittersAgree(_ dialect: Dialect) {
        let splitter = LineSplitter(dialect, direction: .fromServer)
        #expect(splitter.divider.isPlain)
        let alphabet = Array("  ||\t\\\\:@%;=ab".utf8)
        var fast = SplitLine()
        var slow = SplitLine()
        for seed in UInt64(0)..<3_000 {
            var generator = SeededRandom(seed: seed)
            let count = Int.random(in: 0...(seed % 8 == 0 ? 300 : 24), using: &generator)
            let line = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            // Before the end of the buffer and at its end.
            for rest in [0, 40] {
                let buffer = line + [UInt8](repeating: ASCII.pipe, count: rest)
                splitter.split(buffer.span, 0..<count, into: &fast)
                slow.removeAll()
                splitter.divider.splitParts(buffer.span, 0..<count, &slow)
                #expect(fast.verb.isEmpty == slow.verb.isEmpty)
                if !fast.verb.isEmpty { #expect(fast.verb == slow.verb) }
                #expect(fast.tags == slow.tags)
                #expect(fast.source == slow.source)
                #expect(fast.fields == slow.fields, "\(String(decoding: line, as: UTF8.self))")
            }
        }
    }

    @Test func lineMayHaveManyFields() {
        let line = "R" + String(repeating: "|x", count: 900)
        var split = SplitLine()
        LineSplitter(Dialects.livechat, direction: .fromServer).split(
            bytes(line).span, 0..<line.utf8.count, into: &split)
        #expect(split.fields.count == 900)
    }

    @Test func lastFieldAtTheLimitTakesTheRest() {
        let line = "R" + String(repeating: "|x", count: 1_002)
        var split = SplitLine()
        LineSplitter(Dialects.livechat, direction: .fromServer).split(
            bytes(line).span, 0..<line.utf8.count, into: &split)
        #expect(split.fields.count == 1_000)
        #expect(split.fields.last?.range.count == 5)
    }

    @Test func rangeOutsideTheBufferGivesAnEmptyLine() {
        var split = SplitLine()
        LineSplitter(Dialects.irc, direction: .fromServer).split(
            bytes("PING a").span, 0..<6, into: &split)
        LineSplitter(Dialects.irc, direction: .fromServer).split(
            bytes("PING a").span, 0..<7, into: &split)
        #expect(split.verb.isEmpty && split.fields.isEmpty && split.line.isEmpty)
    }

    @Test func fieldsAreFoundByKeyAndRow() {
        let line = bytes("a=1 a=2|a=3")
        var split = SplitLine()
        LineSplitter(Dialects.teamspeak, direction: .fromServer).split(
            line.span, 0..<line.count, into: &split)
        func value(_ row: Int, firstWins: Bool) -> [UInt8]? {
            split.field(key: bytes("a"), row: row, in: line.span, firstWins: firstWins).map {
                Array(line[$0.value])
            }
        }
        #expect(value(0, firstWins: true) == bytes("1"))
        #expect(value(0, firstWins: false) == bytes("2"))
        #expect(value(1, firstWins: true) == bytes("3"))
        #expect(value(2, firstWins: true) == nil)
        #expect(split.rowCount == 2)
    }

    @Test func tagsAreFoundWithAndWithoutValues() {
        let line = bytes("a=1;b;;c=;=x;a=2=3")
        let tags = TagSection.tags(line.span, 0..<line.count, FieldSyntax.TagSyntax())
        let shown = tags.map {
            String(decoding: line[$0.key], as: UTF8.self) + ">"
                + String(decoding: line[$0.value], as: UTF8.self)
        }
        #expect(shown == ["a>1", "b>", "c>", ">x", "a>2=3"])
        let last = TagSection.value(
            of: bytes("a"), line.span, 0..<line.count, FieldSyntax.TagSyntax())
        #expect(last.map { Array(line[$0]) } == bytes("2=3"))
    }
}
