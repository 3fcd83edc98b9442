public import LineProtocol

/// A change to the models of a ``SupportDesk``.
public enum SupportDeskEvent: Sendable, Hashable {
    case loggedIn(Person)
    case loggedOut(reason: String)
    /// The server refused a command.
    case refused(reason: String)
    /// A user has logged in or is listed as logged in.
    case present(Person, isVisitor: Bool)
    case departed(Person, isVisitor: Bool)
    case joined(chat: Int, nickname: String)
    case left(chat: Int, nickname: String)
    /// A message was received.
    case message(chat: Int, DeskMessage)
    /// A message from the chat's history was received.
    case historyMessage(chat: Int, DeskMessage)
    case goingDown(seconds: Int)

    /// Returns a map from the commands of ``LiveChat`` to events.
    ///
    /// Received messages have time 0, which ``SupportDesk/apply(_:now:)`` replaces with the current
    /// time.
    ///
    /// - Throws: ``CommandError`` if a command of ``LiveChat`` does not fit the dialect.
    public static func map(_ dialect: Dialect) throws(CommandError) -> CommandMap<SupportDeskEvent>
    {
        var map = CommandMap<SupportDeskEvent>(dialect, from: .fromServer)
        try map.on(LiveChat.LoggedIn.self) {
            .loggedIn(Person(id: $0.identifier, nickname: $0.nickname))
        }
        try map.on(LiveChat.LoggedOut.self) { .loggedOut(reason: $0.reason) }
        try map.on(LiveChat.Refused.self) { .refused(reason: $0.reason) }
        try map.on(LiveChat.GoingDown.self) { .goingDown(seconds: $0.seconds) }
        try mapPeople(&map)
        try mapChats(&map)
        return map
    }

    private static func mapPeople(_ map: inout CommandMap<SupportDeskEvent>) throws(CommandError) {
        try map.on(LiveChat.Listed.self) {
            .present(Person(id: $0.identifier, nickname: $0.nickname), isVisitor: $0.visitor)
        }
        try map.on(LiveChat.OperatorLoggedIn.self) {
            .present(Person(id: $0.identifier, nickname: $0.nickname), isVisitor: false)
        }
        try map.on(LiveChat.OperatorLoggedOut.self) {
            .departed(Person(id: $0.identifier, nickname: $0.nickname), isVisitor: false)
        }
        try map.on(LiveChat.VisitorArrived.self) {
            .present(Person(id: $0.identifier, nickname: $0.nickname), isVisitor: true)
        }
        try map.on(LiveChat.VisitorLeft.self) {
            .departed(Person(id: $0.identifier, nickname: $0.nickname), isVisitor: true)
        }
    }

    private static func mapChats(_ map: inout CommandMap<SupportDeskEvent>) throws(CommandError) {
        try map.on(LiveChat.Joined.self) {
            .joined(chat: $0.conference, nickname: $0.nickname)
        }
        try map.on(LiveChat.Left.self) { .left(chat: $0.conference, nickname: $0.nickname) }
        try map.on(LiveChat.DidReceive.self) {
            .message(
                chat: $0.conference,
                DeskMessage(
                    id: .number($0.identifier), time: 0, sender: $0.sender, text: $0.text,
                    isHidden: $0.hidden))
        }
        try map.on(LiveChat.Record.self) {
            .historyMessage(
                chat: $0.conference,
                DeskMessage(
                    id: .number($0.identifier), time: $0.time.nanoseconds, sender: $0.sender,
                    text: $0.text, isHidden: $0.hidden))
        }
    }
}
