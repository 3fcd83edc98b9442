/// An action of an ``OperatorPool`` for the driver to carry out.
package enum PoolOutput: Equatable, Sendable {
    case connect(Int)
    case send(Int, [UInt8])
    case close(Int)
    /// Starts an operator's misbehaviour after its setup.
    case settle(Int)
    /// Closes the connection gracefully, draining remaining data. If the flag is true, the sending
    /// side is closed first.
    case leave(Int, Bool)
    /// Resets the connection.
    case reset(Int)
}

/// The reason an operator did not reach its room.
package struct SetupFailure: Sendable, Equatable, Codable {
    package var story: String
    package var line: [UInt8]
}

/// A pool's counters for progress reports.
package struct PoolProgress: Sendable {
    package var ready: UInt64
    package var failed: UInt64
    package var sent: UInt64
    package var arrived: UInt64
    package var violations: UInt64
    package var open: Int
    package var disconnected: UInt64
}
