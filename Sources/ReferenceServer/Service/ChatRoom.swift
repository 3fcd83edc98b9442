import ChatModel

/// A chat room: its members, settings and history.
package struct ChatRoom: Sendable {
    /// Name of the room, as spelled when it was created.
    package let name: RoomName
    /// Time of its creation, in nanoseconds since 1970.
    package let since: Int64
    package internal(set) var members: [ClientID] = []
    package internal(set) var topic: Topic?
    package internal(set) var flags: RoomFlags
    /// Key that is required to join; empty if none is.
    package internal(set) var key: [UInt8] = []
    /// Maximum number of members; 0 for no limit.
    package internal(set) var membersMax = 0
    /// Ranks of those members that have one.
    package internal(set) var ranks: [ClientID: RoomRank] = [:]
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

    /// Creates the next record. Keeps it if records of its content type are kept.
    mutating func record(
        _ message: ChatText, from sender: ChatUser, at time: Int64
    ) -> ChatRecord {
        messageCount += 1
        let record = ChatRecord(
            identifier: messageCount, time: time, text: message.text, sender: sender,
            isHidden: message.isHidden, kind: message.kind, content: message.content,
            format: message.format)
        if message.content.isKept { history.append(record) }
        return record
    }

    /// Removes a member. The order of members does not matter, so the last one takes its index.
    mutating func remove(_ id: ClientID) {
        guard let index = members.firstIndex(of: id) else { return }
        members.swapAt(index, members.count - 1)
        members.removeLast()
        if !ranks.isEmpty { ranks[id] = nil }
    }

    package struct Topic: Sendable, Hashable {
        package var text: [UInt8]
        package var setter: ChatUser
        /// Time in nanoseconds since 1970.
        package var time: Int64
    }
}

/// The privileges of a room member.
package struct RoomRank: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let roomOperator = RoomRank(rawValue: 1)
    /// The member may talk in a moderated room.
    package static let voiced = RoomRank(rawValue: 2)
}

package struct RoomFlags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Only members may talk.
    package static let membersOnly = RoomFlags(rawValue: 1)
    /// Only room operators may change the topic.
    package static let topicLocked = RoomFlags(rawValue: 2)
    package static let inviteOnly = RoomFlags(rawValue: 4)
    package static let moderated = RoomFlags(rawValue: 8)
    /// The room is hidden from clients that are not members.
    package static let secret = RoomFlags(rawValue: 16)
}

package enum RoomChange: Sendable, Hashable {
    case flag(RoomFlags, Bool)
    case rank(RoomRank, nickname: [UInt8], Bool)
    /// A new key. An empty one removes the key.
    case key([UInt8])
    /// A new limit on members. 0 removes the limit.
    case limit(Int)
}
