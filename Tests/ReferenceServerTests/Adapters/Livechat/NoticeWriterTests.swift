import ChatModel
import ReferenceServer
import Testing

@Suite struct NoticeWriterTests {
    private static let record = ChatRecord(
        identifier: 12, time: 1_340_000_000_123_000_000, text: "a|b\nc\\".bytes,
        sender: ChatUser("Joe".bytes), isHidden: true)

    private static let image = ChatRecord(
        identifier: 12, time: 1_340_000_000_123_000_000, text: "a|b".bytes,
        sender: ChatUser("Joe".bytes), isHidden: false, content: .image,
        format: "image/png".bytes)

    @Test(
        arguments: [
            (.loggedIn(identifier: 3, nickname: "M|a".bytes), #"R0001|3|M\|a"#),
            (
                .refused(.verb(.sendMessage), Refusal(.noSuchRoom, "no such chat")),
                "R0002|S0004|404|no such chat"
            ),
            (
                .refused(.wire("S9".bytes), Refusal(.notUnderstood, "no such command")),
                "R0002|S9|400|no such command"
            ),
            (.refused(.connection, Refusal(.tooMany, "full")), "R0002||429|full"),
            (.pong(token: []), "R0003|"),
            (.message(record, chat: 5), #"R0004|12|a\|b\nc\\|Joe|5|1"#),
            (.joined(chat: 5, person: ChatUser("Joe".bytes)), "R0005|5|Joe"),
            (.left(chat: 5, person: ChatUser("Joe".bytes)), "R0006|5|Joe"),
            (
                .privateMessage(identifier: 1, text: "hi".bytes, sender: ChatUser("Joe".bytes)),
                "R0007|1|hi|Joe"
            ),
            (.listed(identifier: 1, nickname: "Joe".bytes, isVisitor: true), "R0008|1|Joe|1"),
            (.whoEnd(count: 2), "R0009|2"),
            (.record(record, chat: 5), #"R0010|12|1340000000123|a\|b\nc\\|Joe|5|1"#),
            (.historyEnd(chat: 5, count: 0), "R0011|5|0"),
            (.operatorLoggedIn(identifier: 1, nickname: "Joe".bytes), "R0012|1|Joe"),
            (
                .operatorLoggedOut(identifier: 1, nickname: "Joe".bytes, reason: "expired"),
                "R0013|1|Joe|expired"
            ),
            (.visitorArrived(identifier: 1, nickname: "Joe".bytes), "R0014|1|Joe"),
            (
                .visitorLeft(identifier: 1, nickname: "Joe".bytes, reason: "expired"),
                "R0015|1|Joe|expired"
            ),
            (
                .actionDone(chat: 5, sender: ChatUser("Joe".bytes), action: "<a/>".bytes),
                "R0016|5|Joe|<a/>"
            ),
            (
                .goingDown(seconds: 0, reason: "the server is shutting down"),
                "R0017|0|the server is shutting down"
            ),
            (.loggedOut(.loggedOut), "R0018|logged out"),
            (
                .opened(chat: 5, scene: "bubble".bytes, members: ["J|e".bytes, "Ann".bytes]),
                #"R0019|5|bubble|J\|e|Ann"#
            ),
            (.record(image, chat: 5), #"R0020|12|1340000000123|image|image/png|a\|b|Joe|5"#),
            (.message(image, chat: 5), #"R0021|12|image|image/png|a\|b|Joe|5"#),
            (.ended(chat: 5, reason: "idle for too long"), "R0022|5|idle for too long"),
        ] as [(ChatNotice, String)])
    func noticesAreEncodedByTheDialect(notice: ChatNotice, expected: String) throws {
        var line: [UInt8] = []
        try NoticeWriter(try livechat()).append(notice, to: &line)
        #expect(String(decoding: line, as: UTF8.self) == expected + "\n")
    }
}
