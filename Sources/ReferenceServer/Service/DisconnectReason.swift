/// Why a connection ended.
package enum DisconnectReason: Sendable, Hashable {
    case loggedOut
    /// It logged out and said why.
    case quit([UInt8])
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
    /// It sent more lines than it may.
    case tooFast
    /// Another login took its name over.
    case replaced
    /// A line was not of the protocol, where that ends the connection.
    case protocolViolated
    case serverEnds

    /// The reason as peers and logs are told it.
    package var reason: String {
        switch self {
        case .loggedOut: "logged out"
        case .quit(let reason): String(decoding: reason, as: UTF8.self)
        case .disconnected: "disconnected"
        case .expired: "expired: no ping"
        case .loginTooLate: "no login in time"
        case .readsTooSlowly: "reads too slowly"
        case .lineTooLong: "line too long"
        case .tooFast: "sends too fast"
        case .replaced: "logged in elsewhere"
        case .protocolViolated: "protocol violated"
        case .serverEnds: "the server ends"
        }
    }

    /// The reason as bytes, for what was given as bytes.
    package var reasonBytes: [UInt8] {
        if case .quit(let reason) = self { reason } else { Array(reason.utf8) }
    }

    /// What somebody who is not logged in is refused with as the last line.
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
