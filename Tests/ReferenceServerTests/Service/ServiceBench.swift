import ReferenceServer

/// A service with a manual clock and a mailbox per connection.
final class ServiceBench {
    static let second: Int64 = 1_000_000_000

    var service: ChatService
    var now: Int64 = 0
    private var boxes: [ClientID: [ChatNotice]] = [:]
    private(set) var closed: [ClientID] = []
    private(set) var notes: [ChatNote] = []

    init(faults: FaultInjector = .none, _ change: (inout ChatRules) -> Void = { _ in }) {
        var rules = ChatRules()
        rules.expiresAfter = 30 * Self.second
        rules.loginWithin = 30 * Self.second
        change(&rules)
        service = ChatService(rules: rules, faults: faults)
    }

    // Test macros cannot inspect noncopyable values.
    var connectionCount: Int { service.connectionCount }
    var sessionCount: Int { service.sessionCount }
    var chatCount: Int { service.chatCount }
    var nextDeadline: Int64? { service.nextDeadline }
    func holder(of nickname: String) -> ClientID? { service.holder(of: nickname.bytes) }
    func tryToConnect(from address: String = "") -> ClientID? {
        service.connect(at: now, from: address.bytes)
    }
    func admitsLine(from id: ClientID) -> Bool { service.admitLine(from: id, at: now) }

    /// Returns a connection that has not logged in. The service must not be full.
    func connect() throws -> ClientID {
        guard let id = service.connect(at: now) else { throw NoRoom() }
        return id
    }

    struct NoRoom: Error {}

    /// Returns a connection that has logged in and read its answer.
    func logIn(_ nickname: String, visitor: Bool = false) throws -> ClientID {
        let id = try connect()
        send(.logIn(nickname, visitor: visitor), from: id)
        boxes[id] = []
        return id
    }

    /// Returns operators that are in chat 1 and have read all notices.
    func inChat(_ nicknames: String...) throws -> [ClientID] {
        let ids = try nicknames.map { try logIn($0) }
        for id in ids { send(.join(chat: 1), from: id) }
        clear()
        return ids
    }

    func send(_ request: ChatRequest, from id: ClientID) {
        var effects: [ChatEffect] = []
        service.receive(request, from: id, at: now, &effects)
        carryOut(effects)
    }

    /// Sends a request and returns the answers to it.
    func ask(_ request: ChatRequest, from id: ClientID) -> [ChatNotice] {
        _ = read(id)
        send(request, from: id)
        return read(id)
    }

    /// Sends a request and returns the cause of its refusal; nil if it was accepted.
    func refusal(of request: ChatRequest, from id: ClientID) -> Refusal.Cause? {
        for case .refused(_, let refusal) in ask(request, from: id) { return refusal.cause }
        return nil
    }

    func disconnect(_ id: ClientID) {
        var effects: [ChatEffect] = []
        service.disconnect(id, &effects)
        carryOut(effects)
    }

    func end(_ id: ClientID, _ departure: DisconnectReason) {
        var effects: [ChatEffect] = []
        service.end(id, departure, &effects)
        carryOut(effects)
    }

    func closeService() {
        var effects: [ChatEffect] = []
        service.close(&effects)
        carryOut(effects)
    }

    /// Advances the clock, in nanoseconds.
    func pass(_ time: Int64) {
        now += time
        var effects: [ChatEffect] = []
        service.passTime(to: now, &effects)
        carryOut(effects)
    }

    /// Returns the notices sent to a connection since the last read.
    func read(_ id: ClientID) -> [ChatNotice] {
        boxes.removeValue(forKey: id) ?? []
    }

    /// Discards all unread notices.
    func clear() { boxes = [:] }

    private func carryOut(_ effects: [ChatEffect]) {
        for effect in effects {
            switch effect {
            case .answer(let id, let notice):
                boxes[id, default: []].append(notice)
            case .broadcast(let audience, let sender, let notice):
                for id in audience where id != sender { boxes[id, default: []].append(notice) }
            case .line, .relay:
                break
            case .close(let id):
                closed.append(id)
            case .note(let note):
                notes.append(note)
            }
        }
    }
}

extension ChatRequest {
    static func logIn(_ nickname: String, visitor: Bool = false) -> ChatRequest {
        .login(nickname: nickname.bytes, password: [], isVisitor: visitor)
    }

    static func say(_ text: String, chat: RoomName = 1, from: Int64 = 0) -> ChatRequest {
        .say(from: from, chat: chat, text: text.bytes, isHidden: false)
    }

    static func sayHidden(_ text: String, chat: RoomName = 1) -> ChatRequest {
        .say(from: 0, chat: chat, text: text.bytes, isHidden: true)
    }

    static func whisper(_ text: String, to nickname: String) -> ChatRequest {
        .sayPrivately(to: nickname.bytes, text: text.bytes)
    }
}

extension ChatNotice {
    /// The text of a chat message.
    var text: String? {
        switch self {
        case .message(let record, _), .record(let record, _):
            String(decoding: record.text, as: UTF8.self)
        default: nil
        }
    }
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}
