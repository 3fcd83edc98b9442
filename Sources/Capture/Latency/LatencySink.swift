/// A kind of latency that is measured in a conversation.
package struct TimedMetric: Sendable, Equatable {
    /// Name of the metric: `connect`, `login`, `probe`, `relay`, `say`, or the name of another
    /// behaviour or of a command.
    package var name: String
    /// Commands of the request and the answer, such as `ping → ponged`; nil if the metric has
    /// none.
    package var command: String?
}

/// A receiver of latencies.
package protocol LatencySink {
    /// Reports the server of a connection when the connection's first line is captured.
    mutating func met(_ server: IPEndpoint)
    /// Reports that a request or message was sent. `time` is in nanoseconds since 1970.
    mutating func requestSent(at time: Int64)
    /// Reports a latency for the metric with this index. The operation was completed at `time`, in
    /// nanoseconds since 1970.
    mutating func took(_ nanoseconds: Int64, _ metric: Int, at time: Int64)
    /// Reports an answer that took at least ``SlowAnswers/nanosecondsMin``, after its latency.
    mutating func wasSlow(_ answer: TimedAnswer)
}

extension LatencySink {
    package mutating func wasSlow(_ answer: TimedAnswer) {}
}
