/// An operator's state between lines.
struct OperatorState: Sendable {
    /// Phase of an operator's life cycle.
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
        /// Disconnected on purpose, and going to return.
        case away
    }

    var phase = Phase.waiting
    var role = OperatorBehaviour.Role.ordinary
    /// Index of the operator's kind.
    var kind: UInt8 = 0
    /// In the closed model, whether its next turn is scheduled.
    var hasTurn = false
    /// Index of its room within the worker.
    var room: Int32
    /// Index of the operator within its room.
    var member: Int32
    /// Index of the framer that holds its unfinished line; -1 if there is none.
    var framer: Int32 = -1
    /// Its oldest and newest unanswered probes; 0 if there are none.
    var oldestProbe: UInt64 = 0
    var newestProbe: UInt64 = 0
    /// Index of the next line expected in the answer to the oldest probe.
    var answerStep: UInt8 = 0
    /// Whether it has been in its room before.
    var hasBeenReady = false
    /// Number of actions performed.
    var actions: UInt32 = 0
}
