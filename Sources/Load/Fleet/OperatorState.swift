/// What one operator remembers between two lines.
struct OperatorState: Sendable {
    /// How far it is.
    enum Phase: UInt8, Sendable {
        /// It has not begun.
        case waiting
        /// It connects and logs in.
        case setup
        /// It is in its room.
        case ready
        /// It has never been in its room.
        case failed
        /// It was, and has lost its connection or logged out.
        case gone
        /// It was, has left, and will come back.
        case away
    }

    var phase = Phase.waiting
    /// How it behaves.
    var role = Persona.Role.ordinary
    /// Its kind's number.
    var kind: UInt8 = 0
    /// Of the closed model: whether its next turn has a time.
    var hasTurn = false
    /// Its room, counted from the worker's first.
    var room: Int32
    /// Its place in the room.
    var member: Int32
    /// The framer that holds the start of a line for it; -1 if there is none.
    var framer: Int32 = -1
    /// Its oldest unanswered probe, and the newest; 0 if there is none.
    var oldestProbe: UInt64 = 0
    var newestProbe: UInt64 = 0
    /// Which line of the oldest probe's answers comes next.
    var answerStep: UInt8 = 0
    /// Whether it has been in its room before.
    var hasBeenReady = false
    /// How often it has done something.
    var actions: UInt32 = 0
}
