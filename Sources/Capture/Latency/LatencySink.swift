/// A latency measure in a conversation.
package struct TimedMeasure: Sendable, Equatable {
    /// Name of the measure: `connect`, `login`, `probe`, `relay`, `say`, or the name of another
    /// behaviour or of a command.
    package var name: String
    /// The commands of the request and the answer, such as `ping → ponged`.
    package var command: String?
}

/// A receiver of latencies.
package protocol LatencySink {
    /// Reports the server of a connection that has traffic.
    mutating func met(_ server: Endpoint)
    /// Reports a request or a sent message.
    mutating func asked(at time: Int64)
    /// Reports a latency of the measure with this index. The operation was completed at `time`.
    mutating func took(_ nanoseconds: Int64, _ measure: Int, at time: Int64)
}
