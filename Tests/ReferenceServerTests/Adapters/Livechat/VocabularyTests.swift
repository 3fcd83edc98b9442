import LineProtocol
import ReferenceServer
import Testing

@Suite struct VocabularyTests {
    @Test func livechatHasEveryCommandThatTheServerNeeds() throws {
        let dialect = try livechat()
        #expect(throws: Never.self) {
            _ = try NoticeWriter(dialect)
            _ = try RequestReader(dialect, nicknameBytesMax: 64)
        }
    }

    @Test(arguments: ["login", "sendPrivate", "refused", "didReceive", "goingDown"])
    func missingCommandIsNamed(name: String) throws {
        let dialect = try livechat().without(name)
        let error = #expect(throws: ServerError.self) { try NoticeWriter(dialect) }
        #expect(error?.code == .missingCommand(name))
        #expect(error?.message.contains("\"\(name)\"") == true)
    }

    @Test func missingArgumentIsNamed() throws {
        let dialect = try livechat().changing("join") { $0.arguments = [] }
        let error = #expect(throws: ServerError.self) { try NoticeWriter(dialect) }
        #expect(error?.code == .unsuitableArgument(command: "join", argument: "chat"))
    }

    @Test func argumentOfAnotherTypeIsNamed() throws {
        let dialect = try livechat().changing("join") { $0.arguments[0].type = .text }
        let error = #expect(throws: ServerError.self) { try NoticeWriter(dialect) }
        #expect(
            error?.message
                == "the \"chat\" argument of the \"join\" command is of type text, not int")
    }

    @Test func argumentThatTheServerCannotFillIsNamed() throws {
        let dialect = try livechat().changing("pong") {
            $0.arguments.append(ArgumentSignature("load", .int))
        }
        let error = #expect(throws: ServerError.self) { try NoticeWriter(dialect) }
        #expect(error?.code == .unsuitableArgument(command: "pong", argument: "load"))
    }

    @Test func theDialectDefinesWireNamesAndArgumentOrder() throws {
        let dialect = try livechat().changing("joined") {
            $0.wire = .exact("JOINED".bytes)
            $0.arguments.reverse()
        }
        var line: [UInt8] = []
        try NoticeWriter(dialect).append(.joined(chat: 7, person: ChatUser("Joe".bytes)), to: &line)
        #expect(String(decoding: line, as: UTF8.self) == "JOINED|Joe|7\n")
    }
}
