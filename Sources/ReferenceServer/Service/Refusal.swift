/// Why a request was not carried out.
package struct Refusal: Error, Sendable, Hashable {
    package var cause: Cause
    /// The reason as it is told where a protocol has no words of its own.
    package var reason: String

    package init(_ cause: Cause, _ reason: String) {
        self.cause = cause
        self.reason = reason
    }

    /// Each protocol has its own words, codes or numbers for these.
    package enum Cause: Sendable, Hashable, CaseIterable {
        case notUnderstood, notLoggedIn
        case badName, badPassword, nameInUse, alreadyLoggedIn
        case noSuchName, noSuchRoom, notInRoom, inRoomAlready, badRoomName
        case notAllowed, notCarried, needsRoomOperator, roomIsFull, roomIsLocked, needsInvitation
        case tooLate, tooLong, tooMany, tooManyRooms, tooFast
    }
}

/// Which command a refusal is about.
package enum RefusedCommand: Sendable, Hashable {
    case verb(ChatVerb)
    /// A command that the dialect does not have, as it came.
    case wire([UInt8])
    /// None: the connection itself is refused.
    case connection
}
