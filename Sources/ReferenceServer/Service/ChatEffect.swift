import ChatModel

/// An action for the driver to execute after an event. Actions are executed in order.
package enum ChatEffect: Sendable, Hashable {
    /// Sends a connection the answer to its own request.
    case answer(ClientID, ChatNotice)
    /// Sends a notice to several clients. It is encoded only once, and the array is shared with the
    /// service rather than copied.
    case broadcast([ClientID], except: ClientID?, ChatNotice)
    /// Sends one client a line that the protocol adapter has encoded.
    case line(ClientID, [UInt8])
    /// Sends other clients a message that the protocol adapter has encoded.
    case relay([ClientID], [UInt8])
    /// Closes a connection that the service has dropped, after flushing its output.
    case close(ClientID)
    /// Reports an event for logs and counters.
    case note(ChatNote)
}

/// A service event, for logs and counters.
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
