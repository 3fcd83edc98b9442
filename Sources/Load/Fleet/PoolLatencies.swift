import Results

/// Latencies of ordinary operators.
struct PoolLatencies: ~Copyable {
    private(set) var recorder = LatencyRecorder()
    /// Delays between the scheduled and the actual sends.
    private(set) var lateness = LatencyHistogram()
    /// Latencies not yet added to ``recorder``; they are added once per second.
    private var probeTimes = LatencyAccumulator()
    private var relayTimes = LatencyAccumulator()
    private var sayTimes = LatencyAccumulator()

    mutating func record(_ metric: LatencyMetric, _ time: Int64) { recorder.record(metric, time) }

    /// Records the delay with which a measured message was sent.
    mutating func sent(after time: Int64) { lateness.record(time) }

    /// Records the complete answer to a probe.
    mutating func answered(_ entry: SentMessageLog.Entry, at now: Int64) {
        guard entry.isMeasured else { return }
        probeTimes.record(intended: entry.intended, sent: entry.sent, over: now)
    }

    /// Records one delivery of a message.
    mutating func delivered(_ entry: SentMessageLog.Entry, at now: Int64) {
        guard entry.isMeasured else { return }
        if entry.action == .relay {
            relayTimes.record(intended: entry.intended, sent: entry.sent, over: now)
        } else {
            sayTimes.record(intended: entry.intended, sent: entry.sent, over: now)
        }
    }

    /// Records that a message to a room has reached all of its recipients.
    mutating func completed(_ entry: SentMessageLog.Entry, last: Int64) {
        guard entry.isMeasured, entry.action == .say else { return }
        recorder.record(.sayFirst, intended: entry.intended, sent: entry.sent, over: entry.first)
        recorder.record(.sayMedian, intended: entry.intended, sent: entry.sent, over: entry.median)
        recorder.record(.sayLast, intended: entry.intended, sent: entry.sent, over: last)
        recorder.record(.saySpread, last - entry.first)
    }

    /// Adds all latencies to ``recorder``.
    mutating func settle() {
        probeTimes.settle(.probe, into: &recorder)
        relayTimes.settle(.relay, into: &recorder)
        sayTimes.settle(.say, into: &recorder)
    }

    /// Returns the latencies recorded since the last call.
    mutating func takeInterval() -> [LatencyMetric: LatencyHistogram] {
        settle()
        return recorder.takeInterval()
    }
}
