/// Why a command was not carried out, as the peer is told it.
package struct Refusal: Sendable, Hashable {
    package var code: RefusalCode
    package var reason: String

    package init(_ code: RefusalCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// The numbers that refusals carry: part of the protocol, so never renumbered.
package enum RefusalCode: Int64, Sendable, Hashable, CaseIterable {
    case notUnderstood = 400
    case notLoggedIn = 401
    /// The nickname or the password is not acceptable.
    case badCredentials = 402
    case notAllowed = 403
    case notFound = 404
    case tooLate = 408
    /// The nickname is in use, or the connection is logged in already.
    case conflict = 409
    case tooLong = 413
    case tooMany = 429
}

/// Which command a refusal is about.
package enum RefusedCommand: Sendable, Hashable {
    case verb(ChatVerb)
    /// A command that the dialect does not have, as it came.
    case wire([UInt8])
    /// None: the connection itself is refused.
    case connection
}
