import ChatModel
import LineProtocol
import Testing

/// Facts of the live-support operator protocol (LiveChat for Mac and iOS, 2010-2012).
@Suite struct LiveChatFactsTests {
    @Test func factR0004IsAMessageWithItsTypedArguments() throws {
        let command = try livechat().read(
            LiveChat.DidReceive.self, "R0004|12341|Hello!|Joe|2134|0")
        #expect(
            command
                == LiveChat.DidReceive(
                    identifier: 12341, text: "Hello!", sender: "Joe", conference: 2134,
                    hidden: false))
    }

    @Test func factS0004IsSentByCallingTheMessageMethod() throws {
        let sent = Sent()
        let link = OperatorLink(CommandProxy(try livechat()) { sent.take($0) })
        try link.message(from: 12341, chat: 2134, text: "Hello!")
        try link.message(chat: 2134, text: "a|b\nc\\d")
        #expect(sent.text == "S0004|12341|2134|Hello!\nS0004|0|2134|a\\|b\\nc\\\\d\n")
    }

    @Test func factEachCommandOfAnOperatorIsAMethodOfTheProxy() throws {
        let sent = Sent()
        let link = OperatorLink(CommandProxy(try livechat()) { sent.take($0) })
        try link.login(nickname: "Joe")
        try link.login(nickname: "Ann", password: "open", visitor: true)
        try link.ping(token: "7")
        try link.join(chat: 2134)
        try link.hiddenMessage(chat: 2134, text: "psst")
        try link.privateMessage(to: "Ann", text: "Hi")
        try link.who()
        try link.history(chat: 2134)
        try link.runAction(chat: 2134, action: "<a b=\"1\"/>")
        try link.open(.private, with: ["Ann"])
        try link.show(.image([0x89, 0x7C], mediaType: "image/png"), in: 7)
        try link.leave(chat: 2134)
        try link.logout()
        #expect(
            sent.text.split(separator: "\n") == [
                "S0001|Joe||0", "S0001|Ann|open|1", "S0003|7", "S0005|2134", "S0011|0|2134|psst",
                "S0007|Ann|Hi", "S0008|0", "S0009|2134|512", "S0010|2134|<a b=\"1\"/>",
                "S0012|private|Ann", "S0013|7|image|image/png|\u{FFFD}\\|", "S0006|2134", "S0002",
            ])
    }

    @Test(arguments: [
        ("R0004|12341|Hello!|Joe|2134", 12341, "Hello!", "Joe", 2134),
        ("R0004|12341|Hello!|Joe", 12341, "Hello!", "Joe", 0),
        ("R0004|12341|Hello!", 12341, "Hello!", "", 0),
        ("R0004|12341", 12341, "", "", 0),
        ("R0004", 0, "", "", 0),
    ])
    func factArgumentsMissingFromAnOlderPeerAreEmptyZeroAndFalse(
        _ line: String, _ identifier: Int, _ text: String, _ sender: String, _ conference: Int
    ) throws {
        let command = try livechat().read(LiveChat.DidReceive.self, line)
        #expect(
            command
                == LiveChat.DidReceive(
                    identifier: identifier, text: text, sender: sender, conference: conference,
                    hidden: false))
    }

    @Test func factExtraArgumentsOfANewerPeerAreIgnoredWithOneWarningPerCommand() throws {
        var warnings: [CommandWarning] = []
        let commands = try livechat().readAll(
            LiveChat.DidReceive.self,
            "R0004|1|Hello!|Joe|2134|0|new|newer\nR0004|2|Bye!|Joe|2134|1|new\n",
            warn: { warnings.append($0) })
        #expect(commands.map(\.text) == ["Hello!", "Bye!"])
        #expect(commands.map(\.hidden) == [false, true])
        #expect(warnings == [CommandWarning(command: "didReceive", extraArguments: 2)])
    }

    @Test func factAllCommandsShareOneEscapeRule() throws {
        let dialect = try livechat()
        let message = LiveChat.DidReceive(
            identifier: 1, text: "pipe | slash \\ line\nreturn\r", sender: "J|e", conference: 2)
        let line = try dialect.line(message)
        #expect(line == "R0004|1|pipe \\| slash \\\\ line\\nreturn\\r|J\\|e|2|0")
        #expect(try dialect.read(LiveChat.DidReceive.self, line) == message)
    }

    @Test func factEveryCommandRoundTrips() throws {
        let dialect = try livechat()
        func roundtrip<Command: ChatCommand & Equatable>(
            _ command: Command, _ direction: Direction
        ) throws {
            let line = try dialect.line(command, from: direction)
            #expect(try dialect.read(Command.self, line, from: direction) == command)
        }
        try roundtrip(LiveChat.Login(nickname: "Joe", visitor: true), .fromClient)
        try roundtrip(LiveChat.Logout(), .fromClient)
        try roundtrip(LiveChat.SendMessage(from: 1, chat: 2, text: "x|y"), .fromClient)
        try roundtrip(LiveChat.Refused(command: "S0004", code: 403, reason: "no"), .fromServer)
        try roundtrip(
            LiveChat.Record(
                identifier: 1, time: Timestamp(nanoseconds: 1_500_000_000), text: "a", sender: "b",
                conference: 3, hidden: true), .fromServer)
        try roundtrip(LiveChat.GoingDown(seconds: -1, reason: ""), .fromServer)
    }

    /// Every command type fits the built-in dialect.
    @Test func factEveryTypeIsBoundToTheTable() throws {
        let dialect = try livechat()
        let client: [any ChatCommand.Type] = [
            LiveChat.Login.self, LiveChat.Logout.self, LiveChat.Ping.self,
            LiveChat.SendMessage.self, LiveChat.Join.self, LiveChat.Leave.self,
            LiveChat.SendPrivate.self, LiveChat.Who.self, LiveChat.History.self,
            LiveChat.RunAction.self, LiveChat.SendHidden.self, LiveChat.Open.self,
            LiveChat.SendContent.self,
        ]
        let server: [any ChatCommand.Type] = [
            LiveChat.LoggedIn.self, LiveChat.Refused.self, LiveChat.Pong.self,
            LiveChat.Listed.self, LiveChat.WhoEnd.self, LiveChat.Record.self,
            LiveChat.HistoryEnd.self, LiveChat.LoggedOut.self, LiveChat.DidReceive.self,
            LiveChat.Joined.self, LiveChat.Left.self, LiveChat.DidReceivePrivate.self,
            LiveChat.OperatorLoggedIn.self, LiveChat.OperatorLoggedOut.self,
            LiveChat.VisitorArrived.self, LiveChat.VisitorLeft.self, LiveChat.ActionDone.self,
            LiveChat.GoingDown.self, LiveChat.Opened.self, LiveChat.Ended.self,
            LiveChat.Content.self, LiveChat.ContentRecord.self,
        ]
        let (clientWriter, serverWriter) = (
            CommandWriter(dialect, from: .fromClient), CommandWriter(dialect, from: .fromServer)
        )
        for type in client { try clientWriter.prepare(type) }
        for type in server { try serverWriter.prepare(type) }
        // No command is missing.
        #expect(
            Set((client + server).map { $0.name }) == Set(dialect.commands.names))
    }
}
