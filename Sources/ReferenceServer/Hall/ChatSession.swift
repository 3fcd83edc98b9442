/// Somebody who is logged in.
struct ChatSession: Sendable {
    /// Given once in the life of a hall, from 1.
    let identifier: Int64
    let nickname: Nickname
    let isVisitor: Bool
    /// The chats it is in.
    var chats: [Int64] = []
    /// Where it stands in the hall's list of operators or of visitors.
    var place: Int
}

/// Those who talk under one number, and what they said.
struct Chat: Sendable {
    var members: [ConnectionID] = []
    var history: ChatHistory
    /// How many messages there have been.
    var messageCount: Int64 = 0

    init(historyRecordsMax: Int) {
        history = ChatHistory(recordsMax: historyRecordsMax)
    }

    /// Makes the next record and keeps it.
    mutating func record(
        _ text: [UInt8], from sender: [UInt8], at time: Int64, isHidden: Bool
    ) -> ChatRecord {
        messageCount += 1
        let record = ChatRecord(
            identifier: messageCount, time: time, text: text, sender: sender, isHidden: isHidden)
        history.append(record)
        return record
    }

    /// Takes the member out; the last takes its place, because order means nothing here.
    mutating func remove(_ id: ConnectionID) {
        guard let place = members.firstIndex(of: id) else { return }
        members.swapAt(place, members.count - 1)
        members.removeLast()
    }
}
