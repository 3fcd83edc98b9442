import AllocationCount
import Testing

@testable import LineProtocol

/// Decoding allocates nothing once buffers have their size.
///
/// This holds only in optimised builds, because unoptimised loops and searches of the standard
/// library allocate iterators. `make test-allocations` runs this suite.
@Suite(.enabled(if: isOptimised, "needs a release build"))
struct AllocationTests {
    struct Lines: Sendable, CustomTestStringConvertible {
        var dialect: Dialect
        var direction: Direction
        var text: String

        var testDescription: String { dialect.name }
    }

    static let lines = [
        Lines(
            dialect: Dialects.livechat, direction: .fromServer,
            text:
                "R0004|12341|Hello!|Joe|2134|0\nR0004|1|a\\|b\\n|Joe|2134|1\nR0007|1|3,4,5\nR0004|1\nR0004|1|2|3|4|1|6\n"
        ),
        Lines(
            dialect: Dialects.irc, direction: .fromServer,
            text: ":joe!joe@host PRIVMSG #support :Hello, is anybody here?\r\nPING :x\r\n"
                + "@time=2026-01-02T03:04:05.678Z;label=a\\:b :joe PRIVMSG #support x\r\n"
                + ":s 353 alice = #support :alice bob\r\n:s MODE #x +o a\r\nNOPE a b\r\n"),
        Lines(
            dialect: Dialects.teamspeak, direction: .fromServer,
            text: "clid=1 a=2|clid=2\n\rerror id=0 msg=a\\sb\n\rnotifyx msg=y\n\r"),
        Lines(
            dialect: Dialects.msnp, direction: .fromServer,
            text: "MSG a@b nick%20name 5\r\nabcdeREA 1 a b%20c\r\nNOT 0\r\n911 4\r\n"),
        Lines(
            dialect: Dialects.nats, direction: .fromClient,
            text: "PUB s r 3\r\nabc\r\npub s 0\r\n\r\nPING\r\n"),
        Lines(
            dialect: Dialects.smtp, direction: .fromClient,
            text: "EHLO a\r\nDATA\r\n..a\r\nb\r\n.\r\n"),
        Lines(
            dialect: Dialects.smtp, direction: .fromServer,
            text: "220 ready\r\n250-a\r\n250-b\r\n250 c\r\n354 go on\r\n"),
        Lines(
            dialect: Dialects.stomp, direction: .fromClient,
            text: "SEND\ndestination:/a\\cb\ncontent-length:2\n\nab\0\nCONNECT\nhost:x\n\n\0"),
        Lines(
            dialect: Dialects.jsonl, direction: .fromServer,
            text: Dialects.everyType
                + "\n{\"type\":\"join\",\"room\":\"a\\n\"}\n{\"type\":\"no\"}\n"
                + "{ \"room\" : \"x\", \"more\" : [1, {}], \"type\" : \"join\" }\n{bad}\n"),
        Lines(
            dialect: Dialects.resp, direction: .fromServer,
            text: "+OK\r\n*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$4\r\nb\r\nc\r\n"
                + "*2\r\n$1\r\na\r\n*1\r\n:1\r\n$-1\r\n:7\r\n$x\r\n"),
        Lines(
            dialect: Dialects.counted, direction: .fromServer,
            text: "$5\r\na\r\nbc\r\n+OK\r\n=n 2 x\r\nab\r\n:7\r\n$x\r\n"),
        Lines(
            dialect: Dialects.mixed, direction: .fromClient,
            text: "SAY tea Earl Grey?\r\nPING 5\r\nnope a b\r\n"),
        Lines(
            dialect: Dialects.mixed, direction: .fromServer,
            text: "{\"type\":\"said\",\"room\":\"tea\",\"text\":\"a\\n\",\"at\":1}\r\n"
                + "{\"type\":\"pong\",\"token\":5}\r\n"),
        Lines(
            dialect: Dialects.twoTongues, direction: .fromServer,
            text: "SAY,a%2Cb,c|d\nSAY,x,y\nSAY|a\n"),
        Lines(
            dialect: Dialects.rpc, direction: .fromServer,
            text: "{\"jsonrpc\":\"2.0\",\"method\":\"subtract\",\"params\":[42,23],\"id\":1}\n"
                + "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"a\"},\"id\":1}\n"),
    ]

    @Test(arguments: lines)
    func steadyStateDecodingAllocatesNothing(_ lines: Lines) throws {
        try #require(allocation_count() >= 0, "allocations cannot be counted here")
        let stream = bytes(lines.text)
        let decoder = MessageDecoder(lines.dialect)
        var framer = LineFramer(lines.dialect, direction: lines.direction)
        var message = Message()
        var count = 0
        func pass() {
            // In two parts, so that an unfinished frame remains each time.
            for part in 0..<2 {
                let range = part == 0 ? 0..<7 : 7..<stream.count
                framer.append(stream.span.extracting(range))
                while let frame = framer.next() {
                    decoder.decode(
                        framer.buffer.span, frame, from: lines.direction, into: &message)
                    count += 1
                }
            }
        }
        // The first passes grow the buffers.
        for _ in 0..<3 { pass() }
        let before = allocation_count()
        for _ in 0..<100 { pass() }
        let allocations = allocation_count() - before
        #expect(count > 200)
        #expect(allocations == 0)
    }

    /// A session whose blocks depend on the other side, such as the answers to `RETR` in POP3 and the
    /// mail after SMTP's 354.
    @Test(arguments: [
        (Dialects.pop3, Direction.fromServer, "RETR 1\r\nNOOP\r\n", "+OK\r\n..a\r\n.\r\n+OK\r\n"),
        (Dialects.mail, .fromClient, "354 go on\r\n", "..a\r\nb\r\n.\r\nQUIT\r\n"),
    ])
    func conditionalBlocksAllocateNothing(
        dialect: Dialect, direction: Direction, others: String, stream: String
    ) throws {
        try #require(allocation_count() >= 0, "allocations cannot be counted here")
        let (others, stream) = (bytes(others), bytes(stream))
        let decoder = MessageDecoder(dialect)
        var otherFramer = LineFramer(dialect, direction: direction.opposite)
        var framer = LineFramer(dialect, direction: direction)
        var message = Message()
        var blocks = 0
        func pass() {
            otherFramer.append(others.span)
            while let frame = otherFramer.next() {
                framer.recordFromOtherSide(frame, in: otherFramer.buffer.span)
            }
            framer.append(stream.span)
            while let frame = framer.next() {
                decoder.decode(framer.buffer.span, frame, from: direction, into: &message)
                if frame.payload != nil { blocks += 1 }
            }
        }
        for _ in 0..<3 { pass() }
        let before = allocation_count()
        for _ in 0..<100 { pass() }
        let allocations = allocation_count() - before
        #expect(blocks == 103)
        #expect(allocations == 0)
    }

    @Test func allocationsAreCounted() {
        let before = allocation_count()
        let array = [UInt8](repeating: 1, count: 10_000)
        #expect(array.count + allocation_count() - before > 10_000)
    }
}

/// True if the compiler removed assertions, as in optimised builds.
private let isOptimised: Bool = {
    var result = true
    assert(
        {
            result = false
            return true
        }())
    return result
}()
