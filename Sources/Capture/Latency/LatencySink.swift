/// Latency measure of a conversation.
package struct TimedMeasure: Sendable, Equatable {
    /// `connect`, `login`, `probe`, `relay`, `say`, or the name of another behaviour or of a command.
    package var name: String
    /// The commands on the wire, such as `ping → ponged`.
    package var command: String?
}

/// Receiver of latencies.
package protocol LatencySink {
    /// Reports the server of a connection with traffic.
    mutating func met(_ server: Endpoint)
    /// Reports a request or a sent message.
    mutating func asked(at time: Int64)
    /// Reports a latency of the measure with this index, completed at `time`.
    mutating func took(_ nanoseconds: Int64, _ measure: Int, at time: Int64)
}
