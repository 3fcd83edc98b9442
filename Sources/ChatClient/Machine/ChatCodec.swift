import ChatModel
import LineProtocol

/// Codec for a dialect's chat commands, identified by their names in the dialect rather than on the
/// wire. Received commands become ``Incoming`` values.
struct ChatCodec: Sendable {
    let dialect: Dialect
    let writer: CommandWriter
    let map: CommandMap<Incoming>
    /// True if the dialect has a command for requesting the list of users.
    let canAskWho: Bool
    private let lineBytesMax: Int

    /// A server command, as passed to the state machine.
    enum Incoming: Sendable {
        case loggedIn(LiveChat.LoggedIn)
        case refused(LiveChat.Refused)
        case pong(LiveChat.Pong)
        case listed(LiveChat.Listed)
        case listEnd
        case record(LiveChat.Record)
        case historyEnd
        case loggedOut(reason: String)
        case message(LiveChat.DidReceive)
        case privateMessage(LiveChat.DidReceivePrivate)
        case opened(LiveChat.Opened)
        case content(LiveChat.Content)
        case contentRecord(LiveChat.ContentRecord)
        /// An event that is passed to listeners unchanged.
        case event(ChatEvent)
    }

    /// Binds the dialect's chat commands. Optional commands that the dialect lacks cannot be used.
    ///
    /// - Throws: ``CommandError`` if the dialect lacks a command that every session needs: `login`,
    ///   `logout`, `ping`, `loggedIn`, `refused` or `pong`.
    init(_ dialect: Dialect) throws(CommandError) {
        self.dialect = dialect
        writer = CommandWriter(dialect, from: .fromClient)
        lineBytesMax = dialect.framing.fromClient.limits.lineBytesMax
        canAskWho = dialect.commands.command(named: LiveChat.Who.name, .fromClient) != nil
        try writer.prepare(LiveChat.Login.self)
        try writer.prepare(LiveChat.Logout.self)
        try writer.prepare(LiveChat.Ping.self)
        var map = CommandMap<Incoming>(dialect, from: .fromServer)
        try map.on(LiveChat.LoggedIn.self) { .loggedIn($0) }
        try map.on(LiveChat.Refused.self) { .refused($0) }
        try map.on(LiveChat.Pong.self) { .pong($0) }
        try Self.addAnswers(&map, dialect)
        try Self.addScenes(&map, dialect)
        try Self.addPeople(&map, dialect)
        self.map = map
    }

    private static func addAnswers(
        _ map: inout CommandMap<Incoming>, _ dialect: Dialect
    ) throws(CommandError) {
        try map.add(LiveChat.Listed.self, dialect) { .listed($0) }
        try map.add(LiveChat.WhoEnd.self, dialect) { _ in .listEnd }
        try map.add(LiveChat.Record.self, dialect) { .record($0) }
        try map.add(LiveChat.HistoryEnd.self, dialect) { _ in .historyEnd }
        try map.add(LiveChat.LoggedOut.self, dialect) { .loggedOut(reason: $0.reason) }
        try map.add(LiveChat.DidReceive.self, dialect) { .message($0) }
        try map.add(LiveChat.DidReceivePrivate.self, dialect) { .privateMessage($0) }
    }

    private static func addScenes(
        _ map: inout CommandMap<Incoming>, _ dialect: Dialect
    ) throws(CommandError) {
        try map.add(LiveChat.Opened.self, dialect) { .opened($0) }
        try map.add(LiveChat.Content.self, dialect) { .content($0) }
        try map.add(LiveChat.ContentRecord.self, dialect) { .contentRecord($0) }
        try map.add(LiveChat.Ended.self, dialect) {
            .event(.chatEnded(chat: $0.conference, reason: $0.reason))
        }
    }

    private static func addPeople(
        _ map: inout CommandMap<Incoming>, _ dialect: Dialect
    ) throws(CommandError) {
        try map.add(LiveChat.Joined.self, dialect) {
            .event(.joined(chat: $0.conference, nickname: $0.nickname))
        }
        try map.add(LiveChat.Left.self, dialect) {
            .event(.left(chat: $0.conference, nickname: $0.nickname))
        }
        try map.add(LiveChat.OperatorLoggedIn.self, dialect) {
            .event(.arrived(ChatPerson(id: $0.identifier, nickname: $0.nickname, isVisitor: false)))
        }
        try map.add(LiveChat.OperatorLoggedOut.self, dialect) {
            .event(
                .departed(
                    ChatPerson(id: $0.identifier, nickname: $0.nickname, isVisitor: false),
                    reason: $0.reason))
        }
        try map.add(LiveChat.VisitorArrived.self, dialect) {
            .event(.arrived(ChatPerson(id: $0.identifier, nickname: $0.nickname, isVisitor: true)))
        }
        try map.add(LiveChat.VisitorLeft.self, dialect) {
            .event(
                .departed(
                    ChatPerson(id: $0.identifier, nickname: $0.nickname, isVisitor: true),
                    reason: $0.reason))
        }
        try map.add(LiveChat.ActionDone.self, dialect) {
            .event(.action(chat: $0.conference, sender: $0.sender, xml: $0.action))
        }
        try map.add(LiveChat.GoingDown.self, dialect) {
            .event(.goingDown(seconds: $0.seconds, reason: $0.reason))
        }
    }

    /// Encodes a command as a line. The result includes the command's wire name, so that refusals
    /// can be matched to it.
    func line<Command: ChatCommand>(_ command: Command) throws(ChatError) -> OutgoingLine {
        var bytes: [UInt8] = []
        do {
            try writer.append(command, to: &bytes)
        } catch {
            throw .unsendable(error)
        }
        guard bytes.count <= lineBytesMax else {
            throw .tooLong(bytes: bytes.count, bytesMax: lineBytesMax)
        }
        return OutgoingLine(bytes: bytes, wireName: wireName(Command.name))
    }

    private func wireName(_ name: String) -> String {
        guard let index = dialect.commands.command(named: name, .fromClient),
            case .exact(let bytes) = dialect.commands.signatures[index].wire
        else { return name }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// An encoded command and its wire name.
struct OutgoingLine: Sendable {
    var bytes: [UInt8]
    var wireName: String
}

extension CommandMap {
    /// Declares a server command, unless the dialect lacks it.
    fileprivate mutating func add<Command: ChatCommand>(
        _ type: Command.Type, _ dialect: Dialect, _ make: @escaping @Sendable (Command) -> Output
    ) throws(CommandError) {
        guard dialect.commands.command(named: type.name, .fromServer) != nil else { return }
        try on(type, make)
    }
}
