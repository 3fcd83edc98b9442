/// What is timed in a conversation.
package struct TimedMeasure: Sendable, Equatable {
    /// `connect`, `login`, `probe`, `relay`, `say`, what else a behaviour of the dialect is called, or
    /// a command's name.
    package var name: String
    /// The commands on the wire, such as `ping → ponged`.
    package var command: String?
}

/// Where times go.
package protocol LatencySink {
    /// A connection to this server said something.
    mutating func met(_ server: Endpoint)
    /// Something that will be answered was asked or said.
    mutating func asked(at time: Int64)
    /// What the measure at this place took, over at `time`.
    mutating func took(_ nanoseconds: Int64, _ measure: Int, at time: Int64)
}
