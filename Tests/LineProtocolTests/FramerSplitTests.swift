import Testing

@testable import LineProtocol

/// Frames and messages do not depend on how the bytes are divided into reads.
struct FramerSplitTests {
    struct Stream: Sendable, CustomTestStringConvertible {
        var dialect: Dialect
        var direction: Direction
        var bytes: [UInt8]
        var enforcesLimits = false

        var testDescription: String { "\(dialect.name), \(bytes.count) bytes" }

        init(
            _ dialect: Dialect, _ direction: Direction, _ text: String, enforcesLimits: Bool = false
        ) {
            self.dialect = dialect
            self.direction = direction
            bytes = Array(text.utf8)
            self.enforcesLimits = enforcesLimits
        }
    }

    static let long = String(repeating: "x", count: 700)

    static let streams: [Stream] =
        [false, true].flatMap { enforces in
            [
                Stream(
                    Dialects.irc, .fromServer,
                    "\r\n\n:a!b@c PRIVMSG #x :hi there\r\n@time=2020-01-01T00:00:00Z;label=a\\:b PRIVMSG x y\nPING\r\r\n\r"
                        + "001 nick :Welcome\r\nend",
                    enforcesLimits: enforces),
                Stream(
                    Dialects.irc, .fromClient,
                    "PING \(long)\r\n@a=\(long) PING \(long)\r\nPING 1\r\nPING \(long)\r",
                    enforcesLimits: enforces),
                Stream(
                    Dialects.teamspeak, .fromServer,
                    "clid=1 a=2|clid=2\n\rerror id=0 msg=ok\n\r\n\rnotifytextmessage msg=a\\sb\n\rx\n",
                    enforcesLimits: enforces),
                Stream(
                    Dialects.teamspeak, .fromClient,
                    "use 1\nclientlist -uid\r\n\r\n\nsendtextmessage targetmode=2 target=1 msg=a\r",
                    enforcesLimits: enforces),
                Stream(
                    Dialects.msnp, .fromServer,
                    "MSG a@b nick 5\r\nab\r\ncREA 1 a b%20c\nMSG a b x\r\nNOT 0\r\n911 4\r\nMSG a b 9999\r\n"
                        + String(repeating: "y", count: 9_999) + "REA 2 a b\r\nMSG a b 7\r\nabc",
                    enforcesLimits: enforces),
                Stream(
                    Dialects.nats, .fromClient,
                    "  pub  s\t5\r\nab\r\nc\r\nPUB s r 0\r\n\r\nPING\r\nPUB s 3\r\nabcdPING\r\nPUB s 2\r\nab\r",
                    enforcesLimits: enforces),
                Stream(
                    Dialects.smtp, .fromClient,
                    "EHLO a b\r\nDATA\r\nline\r\n..dot\r\n.\n.x\r\n.\r\nDATA\r\n.\r\nDATA\r\n"
                        + String(repeating: "long line\r\n", count: 300)
                        + ".\r\nEHLO x\r\nDATA\r\n."
                        + String(repeating: "z", count: 3_000) + ".\r\n.\r\nDATA\r\nx\r\n.",
                    enforcesLimits: enforces),
                Stream(
                    Dialects.nntp, .fromServer,
                    "220 1 <a> article follows\nx\n..\n.\r\n220 2 b\r\n.\n",
                    enforcesLimits: enforces),
                Stream(
                    Dialects.memcached, .fromClient,
                    "set k 0 0 2 noreply\r\n\r\n\r\nget a b\r\nset k 0 0\r\nset k 0 0 1\r\nab\r\n",
                    enforcesLimits: enforces),
                Stream(
                    Dialects.redis, .fromClient, "set \"a\\x20b\" c\nSET \"\" \"\\\"\"\r\n",
                    enforcesLimits: enforces),
                Stream(
                    Dialects.stomp, .fromClient,
                    "\n\r\nSEND\ndestination:/q\\ca\n\nbody\0\r\nSEND\r\ncontent-length:3\r\n\r\na\0b\0\nCONNECT\nhost:a:b\n\n\0"
                        + "SEND\ncontent-length:2\n\nabc\0\n\nSEND\nx:\(long)\n\n\0SEND\n\n"
                        + String(repeating: "b", count: 2_000)
                        + "\0SEND\ncontent-length:5000\n\n" + String(repeating: "c", count: 5_000)
                        + "\0SEND\n\nlast",
                    enforcesLimits: enforces),
                Stream(
                    Dialects.icb, .fromServer, "\u{6}bme\u{1}x\0\u{1}l\0\u{2}l\0\u{5}bab",
                    enforcesLimits: enforces),
                Stream(
                    Dialects.livechat, .fromServer,
                    "R0004|1|a\\|b|c|2|1\n\nR0004||\\\\|||\nR0007|1|1,2\nR0004|1\\\n|\n",
                    enforcesLimits: enforces),
                Stream(Dialects.plain, .fromServer, "hi\r\n\nyou\r\r\n", enforcesLimits: enforces),
                Stream(
                    Dialects.doubled, .fromServer,
                    "a\r\nb\rc\nd\r\0\r\r\n\n\r\0P,3\r\nabc\r\nP,0\r\r\nP,3\n\nab\rx\rB\r\na\r.b\r\n..\r\n.\r\nB\r.\rP,2\rab\rend\r",
                    enforcesLimits: enforces),
            ] + others(enforces)
        } + [telnet]

    /// Streams of dialects with their own fields: JSON, RESP, and a command of one byte; and of
    /// dialects in which blocks depend on the other side.
    private static func others(_ enforces: Bool) -> [Stream] {
        [
            Stream(
                Dialects.jsonl, .fromServer,
                Dialects.everyType
                    + "\n{\"type\":\"join\",\"room\":\"a\\n\\u00e9\"}\r\n\n[]\n{\"ty",
                enforcesLimits: enforces),
            Stream(
                Dialects.nestedJSON, .fromClient,
                "{\"header\":{\"type\":\"say\",\"id\":1},\"text\":\"é\"}\n{\"header\":{}}\n",
                enforcesLimits: enforces),
            Stream(
                Dialects.onlyKeyJSON, .fromClient,
                "{\"say\":{\"text\":\"\"}}\n{\"quit\":{}}\n{\"count\":[1,2]}\n{}\n",
                enforcesLimits: enforces),
            Stream(
                Dialects.rpc, .fromServer,
                "{\"jsonrpc\":\"2.0\",\"result\":[1],\"id\":1}\n{\"jsonrpc\":\"2.0\",\"error\":{},\"id\":\"x\"}\n",
                enforcesLimits: enforces),
            Stream(
                Dialects.resp, .fromClient,
                "*3\r\n$7\r\nPUBLISH\r\n$1\r\na\r\n$2\r\n\r\n\r\nPUBLISH a \"b c\"\r\n\n*1\r\n$x\r\n",
                enforcesLimits: enforces),
            Stream(
                Dialects.resp, .fromServer,
                "+OK\r\n:7\r\n$-1\r\n*2\r\n$1\r\na\r\n*1\r\n:1\r\n%1\r\n+k\r\n_\r\n$3\r\nab",
                enforcesLimits: enforces),
            Stream(
                Dialects.pop3, .fromServer, "+OK hi\r\n\r\n-ERR no\r\n+OK\r\n.\r\n",
                enforcesLimits: enforces),
            Stream(
                Dialects.mail, .fromClient, "DATA\r\nquit\r\n.\r\n\(long)\r\nDATA\r",
                enforcesLimits: enforces),
            Stream(
                Dialects.counted, .fromServer,
                "$5\r\na\r\nbc\r\n+OK\r\n=n 2 x\r\nab\r\n$0\r\n\r\n$x\r\n$3\r\nabcd\r\n$9999\r\n"
                    + String(repeating: "y", count: 9_999) + ":1\r\n$4\r\nab",
                enforcesLimits: enforces),
            Stream(
                Dialects.mixed, .fromClient, "say  tea Earl Grey?\r\nPING 5\n{}\r\n\(long)\r\n",
                enforcesLimits: enforces),
            Stream(
                Dialects.mixed, .fromServer,
                "{\"type\":\"pong\",\"token\":5}\r\n{\"type\":\"said\",\"text\":\"\\r\"}\nSAY x\r\n{",
                enforcesLimits: enforces),
            Stream(
                Dialects.twoTongues, .fromServer, "SAY,a%2C,b|c\nSAY|a\n\n",
                enforcesLimits: enforces),
        ]
    }

    static var telnet: Stream {
        var stream = Stream(Dialects.mud, .fromServer, "")
        stream.bytes = [
            255, 251, 1, 72, 255, 255, 105, 13, 0, 255, 250, 24, 1, 13, 10, 255, 255, 7, 255, 240,
        ]
        stream.bytes += [111, 13, 10, 13, 10, 255, 241, 33, 13, 10]
        return stream
    }

    static func fresh(_ stream: Stream) -> StreamReader {
        StreamReader(stream.dialect, stream.direction, enforcesLimits: stream.enforcesLimits)
    }

    @Test(arguments: streams)
    func framesDoNotDependOnASingleCut(_ stream: Stream) {
        let fresh = Self.fresh(stream)
        let whole = fresh.read([stream.bytes])
        // Long streams are cut at every 31st byte to keep the test fast.
        let step = stream.bytes.count > 2_000 ? 31 : 1
        for cut in stride(from: 0, through: stream.bytes.count, by: step) {
            let parts = fresh.read([Array(stream.bytes[..<cut]), Array(stream.bytes[cut...])])
            #expect(parts == whole, "cut at \(cut)")
        }
    }

    @Test(arguments: streams)
    func framesDoNotDependOnArrivingByteByByte(_ stream: Stream) {
        let fresh = Self.fresh(stream)
        #expect(fresh.read(stream.bytes.map { [$0] }) == fresh.read([stream.bytes]))
    }

    @Test(arguments: streams)
    func framesDoNotDependOnRandomCuts(_ stream: Stream) {
        let fresh = Self.fresh(stream)
        let whole = fresh.read([stream.bytes])
        for seed in UInt64(1)...16 {
            var generator = SeededRandom(seed: seed)
            let pieces = generator.pieces(stream.bytes, lengthMax: 1 << Int(seed % 8))
            #expect(fresh.read(pieces) == whole, "seed \(seed)")
        }
    }

    /// All short streams of special bytes, cut in two at every offset.
    @Test(arguments: [Dialects.doubled, Dialects.teamspeak, Dialects.mud, Dialects.nntp])
    func shortStreamsDoNotDependOnCuts(_ dialect: Dialect) {
        let alphabet: [UInt8] = [ASCII.cr, ASCII.lf, ASCII.nul, ASCII.dot, UInt8(ascii: "B")]
        let fresh = StreamReader(dialect, .fromServer)
        for stream in words(over: alphabet, lengthMax: 4) {
            let whole = fresh.read([stream])
            for cut in 1..<max(2, stream.count) {
                let parts = fresh.read([Array(stream[..<cut]), Array(stream[cut...])])
                #expect(parts == whole, "\(stream) cut at \(cut)")
            }
        }
    }

    @Test(arguments: Dialects.all)
    func randomBytesDoNotDependOnCuts(_ dialect: Dialect) {
        let common = Array(
            "\r\n\r\n \t|:@=;,.\\\"%-\0\u{1}\u{2}01239aSPUBMGDTAset R0004PRIVMSG".utf8)
        for seed in UInt64(0)..<24 {
            var generator = SeededRandom(seed: seed)
            let stream = (0..<Int.random(in: 1...300, using: &generator)).map { _ in
                Bool.random(using: &generator)
                    ? common.randomElement(using: &generator) ?? 0
                    : UInt8.random(in: 0...255, using: &generator)
            }
            let fresh = StreamReader(
                dialect, seed % 2 == 0 ? .fromClient : .fromServer, enforcesLimits: seed % 4 < 2)
            let pieces = generator.pieces(stream, lengthMax: 9)
            #expect(fresh.read(pieces) == fresh.read([stream]), "seed \(seed)")
        }
    }
}

/// Returns all words over `alphabet` with 1 to `lengthMax` letters.
func words(over alphabet: [UInt8], lengthMax: Int) -> [[UInt8]] {
    var result: [[UInt8]] = []
    var last: [[UInt8]] = [[]]
    for _ in 0..<lengthMax {
        last = last.flatMap { word in alphabet.map { word + [$0] } }
        result += last
    }
    return result
}
