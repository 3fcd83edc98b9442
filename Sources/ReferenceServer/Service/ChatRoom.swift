import ChatModel

/// Those who talk under one name, and what they said.
package struct ChatRoom: Sendable {
    /// As it was spelled when it came to be.
    package let name: RoomName
    /// In nanoseconds since 1970.
    package let since: Int64
    package internal(set) var members: [ConnectionID] = []
    package internal(set) var topic: Topic?
    package internal(set) var flags: RoomFlags
    /// What one has to know to enter.
    package internal(set) var key: [UInt8] = []
    /// How many may be in it; 0: as many as like.
    package internal(set) var membersMax = 0
    /// Of members that are more than members.
    package internal(set) var ranks: [ConnectionID: RoomRank] = [:]
    var invited: Set<ConnectionID> = []
    var history: ChatHistory
    /// How many messages there have been.
    var messageCount: Int64 = 0

    init(
        _ name: RoomName, _ rules: ChatRules, at time: Int64, historyRecordsMax: Int? = nil
    ) {
        self.name = name
        since = time
        flags = rules.roomFlags
        history = ChatHistory(recordsMax: historyRecordsMax ?? rules.historyRecordsMax)
    }

    package func rank(of id: ConnectionID) -> RoomRank { ranks[id] ?? [] }

    /// Makes the next record and keeps it, if messages of its type are kept.
    mutating func record(
        _ said: ChatText, from sender: Person, at time: Int64
    ) -> ChatRecord {
        messageCount += 1
        let record = ChatRecord(
            identifier: messageCount, time: time, text: said.text, sender: sender,
            isHidden: said.isHidden, kind: said.kind, content: said.content, format: said.format)
        if said.content.isKept { history.append(record) }
        return record
    }

    /// Takes the member out; the last takes its place, because order means nothing here.
    mutating func remove(_ id: ConnectionID) {
        guard let place = members.firstIndex(of: id) else { return }
        members.swapAt(place, members.count - 1)
        members.removeLast()
        if !ranks.isEmpty { ranks[id] = nil }
    }

    package struct Topic: Sendable, Hashable {
        package var text: [UInt8]
        package var setter: Person
        /// In nanoseconds since 1970.
        package var time: Int64
    }
}

/// What a member may beside talk.
package struct RoomRank: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let roomOperator = RoomRank(rawValue: 1)
    /// May talk where only those may who were given it.
    package static let voiced = RoomRank(rawValue: 2)
}

/// How a room is set.
package struct RoomFlags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Who is not in it cannot talk in it.
    package static let membersOnly = RoomFlags(rawValue: 1)
    /// Only its operators change the topic.
    package static let topicLocked = RoomFlags(rawValue: 2)
    package static let inviteOnly = RoomFlags(rawValue: 4)
    package static let moderated = RoomFlags(rawValue: 8)
    /// Who is not in it is not shown it.
    package static let secret = RoomFlags(rawValue: 16)
}

/// One change of how a room is set.
package enum RoomChange: Sendable, Hashable {
    case flag(RoomFlags, Bool)
    case rank(RoomRank, nickname: [UInt8], Bool)
    /// Empty: none.
    case key([UInt8])
    /// 0: none.
    case limit(Int)
}
