import Testing

@testable import LineProtocol

struct ReplyGrouperTests {
    static func positions(_ lines: [String], _ dialect: Dialect) -> [ReplyGrouper.Position] {
        let splitter = LineSplitter(dialect, direction: .fromServer)
        var grouper = ReplyGrouper(dialect)
        var split = SplitLine()
        return lines.map { line in
            let line = bytes(line)
            splitter.split(line.span, 0..<line.count, into: &split)
            return grouper.position(of: split, in: line.span)
        }
    }

    @Test func anAnswerWithAMarkIsOneFrame() {
        #expect(Self.positions(["220 hi", "250-a"], Dialects.smtp) == [.single, .single])
    }

    @Test func statusLineEndsAnAnswerAndNotificationsAreSeparate() {
        #expect(
            Self.positions(
                [
                    "clid=1|clid=2", "notifytextmessage msg=a", "error id=0 msg=ok",
                    "error id=1 msg=no", "notifyx",
                ], Dialects.teamspeak) == [.part, .asynchronous, .last, .single, .asynchronous])
    }

    @Test func withoutGroupingEveryLineIsAnAnswer() {
        #expect(Self.positions(["PING", "001 a"], Dialects.irc) == [.single, .single])
    }
}
