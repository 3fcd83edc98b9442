import ChatModel
import LineProtocol

/// The commands that the server sends, named as in the dialect.
enum NoticeKind: String, Sendable, CaseIterable {
    case loggedIn, refused, pong, listed, whoEnd, record, historyEnd, loggedOut
    case didReceive, content, contentRecord, opened, ended, joined, left, didReceivePrivate
    case operatorLoggedIn, operatorLoggedOut, visitorArrived, visitorLeft
    case actionDone, goingDown

    /// The client command that requires the notice; nil if every dialect must define the notice.
    var neededFor: ChatVerb? {
        switch self {
        case .opened, .ended: .open
        case .content, .contentRecord: .sendContent
        default: nil
        }
    }

    static let indices: [NoticeKind: Int] = Dictionary(
        uniqueKeysWithValues: zip(allCases, allCases.indices))

    /// Arguments of the notice, in the order of ``ChatNotice/values(_:)``.
    var arguments: [KnownArgument] {
        switch self {
        case .loggedIn, .operatorLoggedIn, .visitorArrived: [.identifier, .nickname]
        case .operatorLoggedOut, .visitorLeft: [.identifier, .nickname, .reason]
        case .refused: [KnownArgument("command", .text), KnownArgument("code", .int), .reason]
        case .pong: [KnownArgument("token", .text)]
        case .listed: [.identifier, .nickname, KnownArgument("visitor", .bool)]
        case .whoEnd: [.count]
        case .record:
            [.identifier, KnownArgument("time", .time), .text, .sender, .conference, .hidden]
        case .contentRecord:
            [
                .identifier, KnownArgument("time", .time), .type, .format, .data, .sender,
                .conference,
            ]
        case .content: [.identifier, .type, .format, .data, .sender, .conference]
        case .opened: [.conference, KnownArgument("scene", .text), KnownArgument("members", .text)]
        case .ended: [.conference, .reason]
        case .historyEnd: [.conference, .count]
        case .loggedOut: [.reason]
        case .didReceive: [.identifier, .text, .sender, .conference, .hidden]
        case .joined, .left: [.conference, .nickname]
        case .didReceivePrivate: [.identifier, .text, .sender]
        case .actionDone: [.conference, .sender, KnownArgument("action", .text)]
        case .goingDown: [KnownArgument("seconds", .int), .reason]
        }
    }
}

extension KnownArgument {
    static let identifier = KnownArgument("identifier", .int)
    static let nickname = KnownArgument("nickname", .text)
    static let reason = KnownArgument("reason", .text)
    static let count = KnownArgument("count", .int)
    static let text = KnownArgument("text", .text)
    static let sender = KnownArgument("sender", .text)
    static let conference = KnownArgument("conference", .int)
    static let hidden = KnownArgument("hidden", .bool)
    static let type = KnownArgument("type", .text)
    static let format = KnownArgument("format", .text, isNeeded: false)
    static let data = KnownArgument("data", .text)
}

extension ChatNotice {
    /// The livechat command that represents the notice; nil if there is none.
    var kind: NoticeKind? {
        switch self {
        case .loggedIn: .loggedIn
        case .refused: .refused
        case .pong: .pong
        case .listed: .listed
        case .whoEnd: .whoEnd
        case .record(let record, _): record.content == .text ? .record : .contentRecord
        case .historyEnd: .historyEnd
        case .loggedOut: .loggedOut
        case .message(let record, _): record.content == .text ? .didReceive : .content
        case .opened: .opened
        case .ended: .ended
        case .joined: .joined
        case .left: .left
        case .privateMessage: .didReceivePrivate
        case .operatorLoggedIn: .operatorLoggedIn
        case .operatorLoggedOut: .operatorLoggedOut
        case .visitorArrived: .visitorArrived
        case .visitorLeft: .visitorLeft
        case .actionDone: .actionDone
        case .goingDown: .goingDown
        case .topicChanged, .kicked, .invited, .changed, .renamed, .departed, .awayChanged,
            .realNameChanged, .accountChanged, .guestInvited,
            .keepalivePing:
            nil
        }
    }

    /// Returns the values of the notice, in the order of ``NoticeKind/arguments``.
    func values(_ vocabulary: ChatVocabulary) -> [ArgumentValue] {
        switch self {
        case .loggedIn(let identifier, let nickname),
            .operatorLoggedIn(let identifier, let nickname),
            .visitorArrived(let identifier, let nickname):
            [.int(identifier), .text(nickname)]
        case .operatorLoggedOut(let identifier, let nickname, let reason),
            .visitorLeft(let identifier, let nickname, let reason):
            [.int(identifier), .text(nickname), .text(reason)]
        case .refused(let command, let refusal):
            [
                .text(vocabulary.wireName(command)), .int(refusal.cause.livechatCode),
                .text(refusal.reason),
            ]
        case .pong(let token): [.text(token)]
        case .listed(let identifier, let nickname, let isVisitor):
            [.int(identifier), .text(nickname), .bool(isVisitor)]
        case .whoEnd(let count): [.int(Int64(count))]
        case .record(let record, let chat): record.values(chat.number, isTimed: true)
        case .historyEnd(let chat, let count): [.int(chat.number), .int(Int64(count))]
        case .loggedOut(let departure): [.text(departure.reasonBytes)]
        case .message(let record, let chat): record.values(chat.number, isTimed: false)
        case .opened(let chat, let scene, let members):
            [.int(chat.number), .text(scene), .list(members.map { .text($0) })]
        case .ended(let chat, let reason): [.int(chat.number), .text(reason)]
        case .joined(let chat, let person), .left(let chat, let person, _):
            [.int(chat.number), .text(person.nickname)]
        case .privateMessage(let identifier, let text, let sender, _, _):
            [.int(identifier), .text(text), .text(sender.nickname)]
        case .actionDone(let chat, let sender, let action):
            [.int(chat.number), .text(sender.nickname), .text(action)]
        case .goingDown(let seconds, let reason): [.int(seconds), .text(reason)]
        case .topicChanged, .kicked, .invited, .changed, .renamed, .departed, .awayChanged,
            .realNameChanged, .accountChanged, .guestInvited,
            .keepalivePing:
            []
        }
    }
}

extension ChatRecord {
    fileprivate func values(_ chat: Int64, isTimed: Bool) -> [ArgumentValue] {
        let start: [ArgumentValue] = isTimed ? [.int(identifier), .time(time)] : [.int(identifier)]
        if content == .text {
            return start + [.text(text), .text(sender.nickname), .int(chat), .bool(isHidden)]
        }
        return start + [
            .text(content.rawValue), .text(format), .bytes(text), .text(sender.nickname),
            .int(chat),
        ]
    }
}

extension ChatVocabulary {
    fileprivate func wireName(_ command: RefusedCommand) -> [UInt8] {
        switch command {
        case .verb(let verb): wireNames[verb] ?? []
        case .wire(let bytes): bytes
        case .connection: []
        }
    }
}

extension Refusal.Cause {
    /// The code sent in refusals. Codes are part of the protocol and must never change.
    package var livechatCode: Int64 {
        switch self {
        case .notUnderstood, .badRoomName: 400
        case .notLoggedIn: 401
        case .badName, .badPassword: 402
        case .notInRoom, .notAllowed, .needsRoomOperator, .roomIsLocked, .needsInvitation, .banned:
            403
        case .noSuchName, .noSuchRoom: 404
        case .tooLate: 408
        case .nameInUse, .alreadyLoggedIn, .inRoomAlready: 409
        case .tooLong: 413
        case .notCarried: 415
        case .tooMany, .tooManyRooms, .tooFast, .roomIsFull: 429
        }
    }
}
