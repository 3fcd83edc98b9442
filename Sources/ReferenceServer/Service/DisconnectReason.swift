/// Reason a connection ended.
package enum DisconnectReason: Sendable, Hashable {
    case loggedOut
    /// It logged out and gave a reason.
    case quit([UInt8])
    /// The peer closed.
    case disconnected
    /// It did not ping in time.
    case expired
    /// It did not log in in time.
    case loginTooLate
    /// It read its output too slowly.
    case readsTooSlowly
    /// It sent a line over the limit, and the dialect closes for that.
    case lineTooLong
    /// It exceeded the rate limit.
    case tooFast
    /// Another login took over its name.
    case replaced
    /// It sent a line that violates the protocol, and the dialect closes for that.
    case protocolViolated
    case serverEnds

    /// The reason as shown to peers and in logs.
    package var reason: String {
        switch self {
        case .loggedOut: "logged out"
        case .quit(let reason): String(decoding: reason, as: UTF8.self)
        case .disconnected: "disconnected"
        case .expired: "expired: no ping received"
        case .loginTooLate: "no login in time"
        case .readsTooSlowly: "reads too slowly"
        case .lineTooLong: "line too long"
        case .tooFast: "sends too fast"
        case .replaced: "logged in elsewhere"
        case .protocolViolated: "protocol violated"
        case .serverEnds: "the server is shutting down"
        }
    }

    /// The reason as bytes, exactly as a client gave it.
    package var reasonBytes: [UInt8] {
        if case .quit(let reason) = self { reason } else { Array(reason.utf8) }
    }

    /// The refusal sent as the last line to a client that is not logged in.
    var refusal: (RefusedCommand, Refusal.Cause) {
        switch self {
        case .loginTooLate: (.verb(.login), .tooLate)
        case .lineTooLong: (.connection, .tooLong)
        case .tooFast: (.connection, .tooFast)
        case .protocolViolated: (.connection, .notUnderstood)
        default: (.connection, .tooMany)
        }
    }
}
