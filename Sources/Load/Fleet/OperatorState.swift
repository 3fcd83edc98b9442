/// State of one operator between lines.
struct OperatorState: Sendable {
    /// Phase of its life.
    enum Phase: UInt8, Sendable {
        /// Not started.
        case waiting
        /// Connecting and logging in.
        case setup
        /// In its room.
        case ready
        /// Setup failed.
        case failed
        /// Disconnected or logged out.
        case gone
        /// Disconnected on purpose; will return.
        case away
    }

    var phase = Phase.waiting
    var role = OperatorBehaviour.Role.ordinary
    /// Index of its kind.
    var kind: UInt8 = 0
    /// Closed model: whether its next turn is scheduled.
    var hasTurn = false
    /// Index of its room in the worker.
    var room: Int32
    /// Index in its room.
    var member: Int32
    /// Index of the framer that holds its unfinished line; -1 if none.
    var framer: Int32 = -1
    /// Its oldest and newest unanswered probes; 0 if none.
    var oldestProbe: UInt64 = 0
    var newestProbe: UInt64 = 0
    /// Index of the next expected line of the oldest probe's answer.
    var answerStep: UInt8 = 0
    /// Whether it has been in its room before.
    var hasBeenReady = false
    /// Number of actions performed.
    var actions: UInt32 = 0
}
