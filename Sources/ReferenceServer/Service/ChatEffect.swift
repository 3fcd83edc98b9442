import ChatModel

/// An action for the driver to carry out after an event, in order.
package enum ChatEffect: Sendable, Hashable {
    /// The answer to a connection's own request.
    case answer(ConnectionID, ChatNotice)
    /// A notice to several clients, encoded once. The array is shared with the service, not copied.
    case broadcast([ConnectionID], except: ConnectionID?, ChatNotice)
    /// An encoded line to one client, written by the protocol adapter.
    case line(ConnectionID, [UInt8])
    /// An encoded text to other clients, written by the protocol adapter.
    case relay([ConnectionID], [UInt8])
    /// The service has dropped the connection: flush its output, then close it.
    case close(ConnectionID)
    /// An event for logs and counters.
    case note(ChatNote)
}

/// A service event for logs and counters.
package enum ChatNote: Sendable, Hashable {
    case loggedIn(ConnectionID, identifier: Int64, nickname: [UInt8], isVisitor: Bool)
    case loggedOut(ConnectionID, identifier: Int64, nickname: [UInt8], DisconnectReason)
    case refused(ConnectionID, RefusedCommand, Refusal)
    /// A connection ended without a login.
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
