import ChatModel

/// What a voice may ask of the service without changing anything.
extension ChatService {
    /// How many connections there are, logged in or not.
    package var connectionCount: Int { connections.count }
    /// How many are logged in.
    package var sessionCount: Int { operators.count + visitors.count }
    package var operatorCount: Int { operators.count }
    package var visitorCount: Int { visitors.count }
    package var chatCount: Int { chats.count }

    /// Everybody who is logged in, in no particular order.
    package var present: [ConnectionID] { visitors.isEmpty ? operators : operators + visitors }

    package var rooms: Dictionary<RoomName, ChatRoom>.Values { chats.values }

    package func session(_ id: ConnectionID) -> ChatSession? { connections[id] }

    package func isOpen(_ id: ConnectionID) -> Bool { connections.isOpen(id) }

    package func address(of id: ConnectionID) -> [UInt8] { connections.address(of: id) }

    package func room(_ name: RoomName) -> ChatRoom? { chats[name] }

    /// Who is logged in under the name, in whatever spelling.
    package func holder(of nickname: [UInt8]) -> ConnectionID? {
        holders.holder(of: nickname, rules.names)
    }

    /// Everybody else who is in a room with the session, once.
    package func peers(of id: ConnectionID, _ session: ChatSession) -> [ConnectionID] {
        if session.chats.count == 1 {
            return chats[session.chats[0]]?.members.filter { $0 != id } ?? []
        }
        var seen: Set<ConnectionID> = [id]
        return session.chats.flatMap { chats[$0]?.members ?? [] }
            .filter { seen.insert($0).inserted }
    }

    /// Whether two sessions share a room.
    package func sharesRoom(_ session: ChatSession, with other: ChatSession) -> Bool {
        session.chats.contains(where: other.chats.contains)
    }
}
