import ChatModel

/// A chat room: its members, settings and history.
package struct ChatRoom: Sendable {
    /// Name of the room, as written when it was created.
    package let name: RoomName
    /// Creation time, in nanoseconds since 1970.
    package let since: Int64
    package internal(set) var members: [ClientID] = []
    package internal(set) var topic: Topic?
    package internal(set) var flags: RoomFlags
    /// Key required to join; empty if there is none.
    package internal(set) var key: [UInt8] = []
    /// Maximum number of members; 0 for no limit.
    package internal(set) var membersMax = 0
    /// Ranks of the members. Members without privileges have no entry.
    package internal(set) var ranks: [ClientID: RoomRank] = [:]
    /// Entries of each list of masks, oldest first.
    var masks: [MaskList: [ListedMask]] = [:]
    var invited: Set<ClientID> = []
    var history: ChatHistory
    var messageCount: Int64 = 0

    init(
        _ name: RoomName, _ rules: ChatRules, at time: Int64, historyRecordsMax: Int? = nil
    ) {
        self.name = name
        since = time
        flags = rules.roomFlags
        history = ChatHistory(recordsMax: historyRecordsMax ?? rules.historyRecordsMax)
    }

    package func rank(of id: ClientID) -> RoomRank { ranks[id] ?? [] }

    /// Creates a message's record, and adds it to the history if messages of its type are kept.
    mutating func record(
        _ message: ChatText, from sender: ChatUser, at time: Int64
    ) -> ChatRecord {
        messageCount += 1
        let record = ChatRecord(
            identifier: messageCount, time: time, text: message.text, sender: sender,
            isHidden: message.isHidden, kind: message.kind, content: message.content,
            format: message.format, tags: message.tags)
        if message.content.isKept { history.append(record) }
        return record
    }

    /// Removes a member. The order of members does not matter, so the last member moves to the
    /// index of the removed one.
    mutating func remove(_ id: ClientID) {
        guard let index = members.firstIndex(of: id) else { return }
        members.swapAt(index, members.count - 1)
        members.removeLast()
        if !ranks.isEmpty { ranks[id] = nil }
    }

    /// Returns the entries of a list, oldest first.
    func masks(_ list: MaskList) -> [ListedMask] { masks[list] ?? [] }

    /// Returns whether a list contains a mask that matches the user.
    func lists(_ person: ChatUser, in list: MaskList, _ names: NameRules) -> Bool {
        !masks.isEmpty && masks(list).contains { UserMask($0.mask).matches(person, names) }
    }

    /// A list of masks that a room's operators maintain.
    package enum MaskList: Sendable, Hashable, CaseIterable {
        case bans, banExceptions, inviteExceptions
    }

    /// An entry in one of a room's lists of masks.
    package struct ListedMask: Sendable, Hashable {
        package var mask: [UInt8]
        package var setter: [UInt8]
        /// Time when the mask was added, in nanoseconds since 1970.
        package var time: Int64
    }

    /// A room's topic, with its author and time.
    package struct Topic: Sendable, Hashable {
        package var text: [UInt8]
        package var setter: ChatUser
        /// Time when the topic was set, in nanoseconds since 1970.
        package var time: Int64
    }
}

/// Privileges of a room member.
package struct RoomRank: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let roomOperator = RoomRank(rawValue: 1)
    /// The member may send messages in a moderated room.
    package static let voiced = RoomRank(rawValue: 2)
}

/// On/off settings of a room.
package struct RoomFlags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Only members may send messages.
    package static let membersOnly = RoomFlags(rawValue: 1)
    /// Only room operators may change the topic.
    package static let topicLocked = RoomFlags(rawValue: 2)
    package static let inviteOnly = RoomFlags(rawValue: 4)
    package static let moderated = RoomFlags(rawValue: 8)
    /// The room is hidden from clients that are not members.
    package static let secret = RoomFlags(rawValue: 16)
}

/// A change to a room's settings.
package enum RoomChange: Sendable, Hashable {
    case flag(RoomFlags, Bool)
    case rank(RoomRank, nickname: [UInt8], Bool)
    /// Sets the key; an empty key removes it.
    case key([UInt8])
    /// Sets the limit on members; 0 removes it.
    case limit(Int)
    /// Adds a mask to a list, or removes it.
    case mask(ChatRoom.MaskList, [UInt8], Bool)
}
