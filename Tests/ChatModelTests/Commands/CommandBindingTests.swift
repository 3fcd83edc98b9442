import ChatModel
import LineProtocol
import Testing

@Suite struct CommandBindingTests {
    struct DidReceive: ChatCommand {
        var identifier: Int
        var txet: String
    }

    struct Refused: ChatCommand {
        var code: String
    }

    struct WhoEnd: ChatCommand {
        var count: [Int]
    }

    struct Dance: ChatCommand {}

    private func failure(
        _ type: (some ChatCommand).Type, from direction: Direction = .fromServer
    ) throws -> CommandError? {
        let writer = CommandWriter(try livechat(), from: direction)
        return #expect(throws: CommandError.self) { try writer.prepare(type) }
    }

    @Test func anUnknownPropertyIsReportedWhenBinding() throws {
        let error = try failure(DidReceive.self)
        #expect(error?.code == .unknownArgument)
        #expect(
            error?.description == """
                didReceive, txet: the command has no such argument; its arguments are \
                identifier, text, sender, conference, hidden
                """)
    }

    @Test func aPropertyOfAnotherTypeIsReportedWithItsPosition() throws {
        let error = try failure(Refused.self)
        #expect(error?.code == .typeMismatch)
        #expect(
            error?.description == """
                refused, argument 2 (code): the argument is of type int in the dialect, so a \
                property of type String cannot hold it
                """)
        #expect(try failure(WhoEnd.self)?.position == 0)
    }

    @Test func anUnknownCommandIsReported() throws {
        #expect(
            try failure(Dance.self)?.description
                == "dance: the livechat dialect has no server command with this name")
    }

    @Test func aCommandOfTheOtherSideIsReported() throws {
        #expect(
            try failure(LiveChat.DidReceive.self, from: .fromClient)?.description
                == "didReceive: the livechat dialect has this command, but the client does not send it"
        )
    }

    @Test func theDialectDefinesWireNamesAndOrder() throws {
        let dialect = try livechat().changing("didReceive") { signature in
            signature.wire = .exact(Array("MSG".utf8))
            signature.arguments.swapAt(1, 3)
        }
        let command = try dialect.read(LiveChat.DidReceive.self, "MSG|12341|2134|Joe|Hello!|0")
        #expect(
            command
                == LiveChat.DidReceive(
                    identifier: 12341, text: "Hello!", sender: "Joe", conference: 2134))
        #expect(try command.map { try dialect.line($0) } == "MSG|12341|2134|Joe|Hello!|0")
    }

    @Test func anArgumentWithoutAPropertyIsSkipped() throws {
        struct DidReceive: ChatCommand {
            var text: String
        }
        let command = try livechat().read(DidReceive.self, "R0004|12341|Hello!|Joe|2134|0")
        #expect(command?.text == "Hello!")
    }

    @Test func anOptionalPropertyThatTheDialectLacksIsNil() throws {
        struct Joined: ChatCommand, Equatable {
            var conference: Int
            var avatar: String?
            var nickname: String
        }
        let dialect = try livechat()
        let command = try dialect.read(Joined.self, "R0005|2134|Joe")
        #expect(command == Joined(conference: 2134, avatar: nil, nickname: "Joe"))
        #expect(
            try dialect.line(Joined(conference: 1, avatar: "x", nickname: "y")) == "R0005|1|y")
    }

    @Test func propertiesMayHaveCodingKeys() throws {
        struct DidReceive: ChatCommand {
            static let name = "didReceivePrivate"
            var id: Int
            var body: String

            enum CodingKeys: String, CodingKey {
                case id = "identifier"
                case body = "text"
            }
        }
        let command = try livechat().read(DidReceive.self, "R0007|7|psst|Joe")
        #expect(command?.id == 7)
        #expect(command?.body == "psst")
    }

    @Test func propertiesMayBeDecodedInAnyOrder() throws {
        struct Joined: ChatCommand {
            var conference = 0
            var nickname = ""

            init() {}

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                nickname = try container.decode(String.self, forKey: .nickname)
                conference = try container.decode(Int.self, forKey: .conference)
                nickname += try container.decode(String.self, forKey: .nickname)
            }
        }
        let command = try livechat().read(Joined.self, "R0005|2134|Joe")
        #expect(command?.nickname == "JoeJoe")
        #expect(command?.conference == 2134)
    }
}
