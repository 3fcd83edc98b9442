public import LineProtocol

/// What changes the models of a ``SupportDesk``.
public enum SupportDeskEvent: Sendable, Hashable {
    case loggedIn(Person)
    case loggedOut(reason: String)
    /// A command was not carried out.
    case refused(reason: String)
    /// Somebody has come, or is listed.
    case here(Person, isVisitor: Bool)
    case gone(Person, isVisitor: Bool)
    case joined(chat: Int, nickname: String)
    case left(chat: Int, nickname: String)
    /// Something is said now.
    case said(chat: Int, Said)
    /// Something was said before.
    case recorded(chat: Int, Said)
    case goingDown(seconds: Int)

    /// The commands of ``LiveChat`` that change the models, and how.
    ///
    /// The commands give no time for what is said now: ``SupportDesk/apply(_:now:)`` puts its own in.
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
            .here(Person(id: $0.identifier, nickname: $0.nickname), isVisitor: $0.visitor)
        }
        try map.on(LiveChat.OperatorLoggedIn.self) {
            .here(Person(id: $0.identifier, nickname: $0.nickname), isVisitor: false)
        }
        try map.on(LiveChat.OperatorLoggedOut.self) {
            .gone(Person(id: $0.identifier, nickname: $0.nickname), isVisitor: false)
        }
        try map.on(LiveChat.VisitorArrived.self) {
            .here(Person(id: $0.identifier, nickname: $0.nickname), isVisitor: true)
        }
        try map.on(LiveChat.VisitorLeft.self) {
            .gone(Person(id: $0.identifier, nickname: $0.nickname), isVisitor: true)
        }
    }

    private static func mapChats(_ map: inout CommandMap<SupportDeskEvent>) throws(CommandError) {
        try map.on(LiveChat.Joined.self) {
            .joined(chat: $0.conference, nickname: $0.nickname)
        }
        try map.on(LiveChat.Left.self) { .left(chat: $0.conference, nickname: $0.nickname) }
        try map.on(LiveChat.DidReceive.self) {
            .said(
                chat: $0.conference,
                Said(
                    id: .number($0.identifier), time: 0, sender: $0.sender, text: $0.text,
                    isHidden: $0.hidden))
        }
        try map.on(LiveChat.Record.self) {
            .recorded(
                chat: $0.conference,
                Said(
                    id: .number($0.identifier), time: $0.time.nanoseconds, sender: $0.sender,
                    text: $0.text, isHidden: $0.hidden))
        }
    }
}
