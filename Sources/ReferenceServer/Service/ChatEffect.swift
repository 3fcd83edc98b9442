import ChatModel

/// An action for the driver to carry out after an event, in order.
package enum ChatEffect: Sendable, Hashable {
    /// The answer to a connection's own request.
    case answer(ClientID, ChatNotice)
    /// A notice to several clients, encoded once. The array is shared with the service, not copied.
    case broadcast([ClientID], except: ClientID?, ChatNotice)
    /// An encoded line to one client, written by the protocol adapter.
    case line(ClientID, [UInt8])
    /// An encoded text to other clients, written by the protocol adapter.
    case relay([ClientID], [UInt8])
    /// The service has dropped the connection: flush its output, then close it.
    case close(ClientID)
    /// An event for logs and counters.
    case note(ChatNote)
}

/// A service event for logs and counters.
package enum ChatNote: Sendable, Hashable {
    case loggedIn(ClientID, identifier: Int64, nickname: [UInt8], isVisitor: Bool)
    case loggedOut(ClientID, identifier: Int64, nickname: [UInt8], DisconnectReason)
    case refused(ClientID, RefusedCommand, Refusal)
    /// A connection ended without a login.
    case leftWithoutLogin(ClientID, DisconnectReason)
}

extension ChatNote {
    static func loggedOut(
        _ id: ClientID, _ session: ChatSession, _ departure: DisconnectReason
    ) -> ChatNote {
        .loggedOut(
            id, identifier: session.identifier, nickname: session.nickname.bytes, departure)
    }
}
