/// What is to be done after an event, in order.
package enum ChatEffect: Sendable, Hashable {
    /// The answer to a connection's own request.
    case answer(ConnectionID, ChatNotice)
    /// One notice for many: it is encoded once. The array is shared with the hall, not copied.
    case tell([ConnectionID], except: ConnectionID?, ChatNotice)
    /// The hall has forgotten the connection: what waits to be sent is sent, then it is closed.
    case close(ConnectionID)
    /// Something that an observer of the server wants to know.
    case note(ChatNote)
}

/// What happened, for logs and counters.
package enum ChatNote: Sendable, Hashable {
    case loggedIn(ConnectionID, identifier: Int64, nickname: [UInt8], isVisitor: Bool)
    case loggedOut(ConnectionID, identifier: Int64, nickname: [UInt8], Departure)
    case refused(ConnectionID, RefusedCommand, Refusal)
    /// A connection ended before it had logged in.
    case leftUnnamed(ConnectionID, Departure)
}

/// Why a connection ended.
package enum Departure: Sendable, Hashable {
    case loggedOut
    /// The peer closed.
    case disconnected
    /// No ping came in time.
    case expired
    /// No login came in time.
    case loginTooLate
    /// It did not read what it was sent.
    case readsTooSlowly
    /// A line was over its maximum, where the dialect closes for that.
    case lineTooLong
    case serverEnds

    /// The reason as peers and logs are told it.
    package var reason: String {
        switch self {
        case .loggedOut: "logged out"
        case .disconnected: "disconnected"
        case .expired: "expired: no ping"
        case .loginTooLate: "no login in time"
        case .readsTooSlowly: "reads too slowly"
        case .lineTooLong: "line too long"
        case .serverEnds: "the server ends"
        }
    }

    /// What somebody who is not logged in is refused with as the last line.
    var refusal: (RefusedCommand, RefusalCode) {
        switch self {
        case .loginTooLate: (.verb(.login), .tooLate)
        case .lineTooLong: (.connection, .tooLong)
        default: (.connection, .tooMany)
        }
    }
}
