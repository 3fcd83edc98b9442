import ChatModel

/// What is to be done after an event, in order.
package enum ChatEffect: Sendable, Hashable {
    /// The answer to a connection's own request.
    case answer(ConnectionID, ChatNotice)
    /// One notice for many: it is encoded once. The array is shared with the service, not copied.
    case tell([ConnectionID], except: ConnectionID?, ChatNotice)
    /// A voice's own words to one client, encoded: an answer of its protocol.
    case line(ConnectionID, [UInt8])
    /// A text on its way to others in a voice's own words, encoded.
    case relay([ConnectionID], [UInt8])
    /// The service has forgotten the connection: what waits to be sent is sent, then it is closed.
    case close(ConnectionID)
    /// Something that an observer of the server wants to know.
    case note(ChatNote)
}

/// What happened, for logs and counters.
package enum ChatNote: Sendable, Hashable {
    case loggedIn(ConnectionID, identifier: Int64, nickname: [UInt8], isVisitor: Bool)
    case loggedOut(ConnectionID, identifier: Int64, nickname: [UInt8], DisconnectReason)
    case refused(ConnectionID, RefusedCommand, Refusal)
    /// A connection ended before it had logged in.
    case leftUnnamed(ConnectionID, DisconnectReason)
}

extension ChatNote {
    static func loggedOut(
        _ id: ConnectionID, _ session: ChatSession, _ departure: DisconnectReason
    ) -> ChatNote {
        .loggedOut(
            id, identifier: session.identifier, nickname: session.nickname.bytes, departure)
    }
}
