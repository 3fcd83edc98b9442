import ChatModel

/// Read-only queries for protocol adapters.
extension ChatService {
    /// Number of open connections, whether logged in or not.
    package var connectionCount: Int { connections.count }
    package var sessionCount: Int { operators.count + visitors.count }
    package var chatCount: Int { chats.count }

    /// All logged-in connections, in no particular order.
    package var present: [ClientID] { visitors.isEmpty ? operators : operators + visitors }

    package var rooms: Dictionary<RoomName, ChatRoom>.Values { chats.values }

    package func session(_ id: ClientID) -> ChatSession? { connections[id] }

    package func isOpen(_ id: ClientID) -> Bool { connections.isOpen(id) }

    package func address(of id: ClientID) -> [UInt8] { connections.address(of: id) }

    package func room(_ name: RoomName) -> ChatRoom? { chats[name] }

    /// Returns the connection logged in under this name, or under one that the name rules treat as
    /// equal; nil if there is none.
    package func holder(of nickname: [UInt8]) -> ClientID? {
        if faults.isArmed(.namesExact), let holder = holders[Nickname(exactly: nickname)] {
            return holder
        }
        return holders.holder(of: nickname, rules.names)
    }

    /// Returns all other connections that share a room with the session, without duplicates.
    package func peers(of id: ClientID, _ session: ChatSession) -> [ClientID] {
        if session.chats.count == 1 {
            return chats[session.chats[0]]?.members.filter { $0 != id } ?? []
        }
        var seen: Set<ClientID> = [id]
        return session.chats.flatMap { chats[$0]?.members ?? [] }
            .filter { seen.insert($0).inserted }
    }

    package func sharesRoom(_ session: ChatSession, with other: ChatSession) -> Bool {
        session.chats.contains(where: other.chats.contains)
    }
}

extension Nickname {
    /// Creates a nickname that is equal only to the same bytes. Its key starts with a NUL, which no
    /// valid name contains, so it differs from the keys of all valid names.
    init(exactly bytes: [UInt8]) { self.init(unchecked: bytes, key: .bytes([0] + bytes)) }
}
