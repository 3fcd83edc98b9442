/// An operator's state between lines.
struct OperatorState: Sendable {
    /// Phase of an operator's life cycle.
    enum Phase: UInt8, Sendable {
        /// Not started.
        case waiting
        /// Connecting and logging in.
        case setup
        /// In its room and ready to act.
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
    /// Index of the operator's kind.
    var kind: UInt8 = 0
    /// True if the operator's next turn is scheduled (closed model only).
    var hasTurn = false
    /// Index of the operator's room within the worker.
    var room: Int32
    /// Index of the operator within its room.
    var member: Int32
    /// Index of the framer with the operator's unfinished line; -1 if there is none.
    var framer: Int32 = -1
    /// Number of the last room message's line in ``BroadcastLines``; 0 if there is none.
    var lastBroadcast: UInt32 = 0
    /// Number of actions performed.
    var actions: UInt32 = 0
    var probes = ProbeQueue()
    /// True if the operator has been in its room before.
    var hasBeenReady = false
}
