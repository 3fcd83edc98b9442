/// The reason a request was refused.
package struct Refusal: Error, Sendable, Hashable {
    package var cause: Cause
    /// Explanation, for protocols that do not define their own.
    package var reason: String

    package init(_ cause: Cause, _ reason: String) {
        self.cause = cause
        self.reason = reason
    }

    /// The cause of a refusal. Each protocol maps it to its own text, code or number.
    package enum Cause: Sendable, Hashable, CaseIterable {
        case notUnderstood, notLoggedIn
        case badName, badPassword, nameInUse, alreadyLoggedIn
        case noSuchName, noSuchRoom, notInRoom, inRoomAlready, badRoomName
        case notAllowed, notCarried, needsRoomOperator, roomIsFull, roomIsLocked, needsInvitation
        case banned
        case tooLate, tooLong, tooMany, tooManyRooms, tooFast
    }
}

/// The command that a refusal refers to.
package enum RefusedCommand: Sendable, Hashable {
    case verb(ChatVerb)
    /// A command that is not in the dialect, as received.
    case wire([UInt8])
    /// No command: the connection itself is refused.
    case connection
}
