import ChatModel

/// An action that the driver carries out after an event. Actions are carried out in order.
package enum ChatEffect: Sendable, Hashable {
    /// The answer to a connection's own request.
    case answer(ClientID, ChatNotice)
    /// A notice to several clients, which is encoded only once. The array is shared with the
    /// service rather than copied.
    case broadcast([ClientID], except: ClientID?, ChatNotice)
    /// A line to one client that the protocol adapter has encoded.
    case line(ClientID, [UInt8])
    /// A message to other clients that the protocol adapter has encoded.
    case relay([ClientID], [UInt8])
    /// The service has dropped the connection. Flush its output, and then close it.
    case close(ClientID)
    /// An event for logs and counters.
    case note(ChatNote)
}

/// A service event for logs and counters.
package enum ChatNote: Sendable, Hashable {
    case loggedIn(ClientID, identifier: Int64, nickname: [UInt8], isVisitor: Bool)
    case loggedOut(ClientID, identifier: Int64, nickname: [UInt8], DisconnectReason)
    case refused(ClientID, RefusedCommand, Refusal)
    /// A connection ended before it logged in.
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
