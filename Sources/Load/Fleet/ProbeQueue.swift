/// The unanswered probes of an operator, as numbers of their entries in the log.
struct ProbeQueue: Sendable {
    /// Number of the oldest probe; 0 if there is none.
    private(set) var oldest: UInt64 = 0
    private var newest: UInt64 = 0
    /// Index of the next expected line in the answer to the oldest probe.
    private var answerStep: UInt8 = 0

    /// Adds a sent probe.
    mutating func append(_ number: UInt64, in log: inout SentMessageLog) {
        if newest != 0, log.contains(newest) { log[newest].following = number }
        newest = number
        guard oldest == 0 else { return }
        oldest = number
        answerStep = 0
    }

    /// Handles a line of the answer to a probe.
    ///
    /// - Parameters:
    ///   - step: Index of the line within the answer.
    ///   - steps: Number of lines in an answer.
    /// - Returns: Whether the line was expected, and whether it completes the answer.
    mutating func takeAnswer(
        to number: UInt64, step: Int, of steps: Int, in log: SentMessageLog
    ) -> (isExpected: Bool, isComplete: Bool) {
        // Only the last line of an answer to another probe counts.
        guard number == oldest else { return (true, step == steps - 1) }
        guard step == Int(answerStep) else { return (false, false) }
        answerStep += 1
        guard Int(answerStep) == steps else { return (true, false) }
        answerStep = 0
        oldest = log.contains(number) ? log[number].following : 0
        if oldest == 0 { newest = 0 }
        return (true, true)
    }
}
