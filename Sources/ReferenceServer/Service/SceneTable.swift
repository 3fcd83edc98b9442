import ChatModel

/// A chat opened with a scene, which limits its content types, members and idle time.
struct OpenScene: Sendable {
    var scene: Scene
    /// The members, if the scene allows only one chat per set of members; otherwise nil.
    var memberSet: Set<ClientID>?
    /// Time of the last message, on the service's clock.
    var activeAt: Int64

    /// Time at which the chat ends unless another message is sent; nil if it never ends.
    var idleDeadline: Int64? { scene.endsAfterIdle.map { activeAt + $0 } }
}

/// The chats that were opened with a scene.
struct SceneTable: Sendable {
    /// Lowest chat number assigned to chats opened with a scene. Lower numbers are for chats that
    /// clients choose to join.
    static let numberFirst: Int64 = 1_000_000_000
    /// Minimum time between searches for idle chats, in nanoseconds.
    static let idleCheckInterval: Int64 = 1_000_000_000

    private var scenes: [RoomName: OpenScene] = [:]
    /// Chats whose scenes allow only one chat per set of members, by that set.
    private var chatsByMembers: [Set<ClientID>: RoomName] = [:]
    private var numberLast = numberFirst - 1
    /// Earliest time at which an idle chat may have to be ended; `.max` if there is none.
    private(set) var idleDeadline = Int64.max

    /// Returns a number for a new chat.
    mutating func takeNumber(notIn chats: [RoomName: ChatRoom]) -> RoomName {
        repeat { numberLast += 1 } while chats[.number(numberLast)] != nil
        return .number(numberLast)
    }

    /// Returns the only chat that these members may have; nil if there is none.
    func chat(of memberSet: Set<ClientID>) -> RoomName? { chatsByMembers[memberSet] }

    mutating func add(_ opening: OpenScene, _ name: RoomName) {
        scenes[name] = opening
        if let memberSet = opening.memberSet { chatsByMembers[memberSet] = name }
        if let deadline = opening.idleDeadline { idleDeadline = min(idleDeadline, deadline) }
    }

    mutating func remove(_ name: RoomName) {
        guard !scenes.isEmpty else { return }
        releaseMemberSet(in: name)
        scenes[name] = nil
    }

    /// Allows another chat with the same members to be opened after a member has left this one.
    mutating func releaseMemberSet(in name: RoomName) {
        guard !scenes.isEmpty, let memberSet = scenes[name]?.memberSet else { return }
        chatsByMembers[memberSet] = nil
        scenes[name]?.memberSet = nil
    }

    /// Throws a refusal if the chat's scene does not allow the message. A chat without a scene
    /// allows every message.
    func check(_ message: ChatText, in name: RoomName) throws(Refusal) {
        guard !scenes.isEmpty, let opening = scenes[name] else { return }
        do {
            try opening.scene.check(message.content, byteCount: message.text.count)
        } catch {
            let isTooLarge = error.code == .contentTooLarge
            throw Refusal(isTooLarge ? .tooLong : .notCarried, error.description)
        }
    }

    /// Records the time of a message.
    mutating func keepOpen(_ name: RoomName, _ now: Int64) {
        if !scenes.isEmpty { scenes[name]?.activeAt = now }
    }

    /// Returns the maximum number of members that the chat's scene allows.
    func membersMax(of name: RoomName) -> Int { scenes[name]?.scene.membersMax ?? .max }

    /// Returns how long the chat's scene shows a message, in nanoseconds; nil if forever.
    func messageLifetime(in name: RoomName) -> Int64? { scenes[name]?.scene.messageLifetime }

    /// Returns the chats that have been idle for as long as their scenes allow. The next search is
    /// due at ``idleDeadline``.
    mutating func takeIdle(_ now: Int64) -> [RoomName] {
        guard idleDeadline <= now else { return [] }
        var next = Int64.max
        var idle: [RoomName] = []
        for (name, opening) in scenes {
            guard let deadline = opening.idleDeadline else { continue }
            if deadline <= now { idle.append(name) } else { next = min(next, deadline) }
        }
        idleDeadline = next == .max ? .max : max(next, now + Self.idleCheckInterval)
        return idle
    }
}
