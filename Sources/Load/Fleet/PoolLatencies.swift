import Results

/// Latencies of ordinary operators.
struct PoolLatencies: ~Copyable {
    private(set) var recorder = LatencyRecorder()
    /// Delays between the scheduled and the actual sends.
    private(set) var lateness = LatencyHistogram()

    // Latencies not yet added to the histograms; they are added once per second.
    private var probes = LatencyAccumulator()
    private var relays = LatencyAccumulator()
    private var deliveries = LatencyAccumulator()
    private var firsts = LatencyAccumulator()
    private var medians = LatencyAccumulator()
    private var lasts = LatencyAccumulator()
    private var spreads = BucketCounts()
    private var delays = BucketCounts()

    mutating func record(_ metric: LatencyMetric, _ time: Int64) { recorder.record(metric, time) }

    /// Records the delay with which a measured message was sent.
    mutating func sent(after time: Int64) { delays.record(time) }

    /// Records the complete answer to a probe.
    mutating func answered(_ entry: SentMessageLog.Entry, at now: Int64) {
        guard entry.isMeasured else { return }
        probes.record(intended: entry.intended, sent: entry.sent, over: now)
    }

    /// Records one delivery of a message.
    @inline(__always)
    mutating func delivered(_ message: SentMessageLog.DeliveredMessage, at now: Int64) {
        guard message.isMeasured else { return }
        if message.action == .relay {
            relays.record(intended: message.intended, sent: message.sent, over: now)
        } else {
            deliveries.record(intended: message.intended, sent: message.sent, over: now)
        }
    }

    /// Records that a message to a room has reached all of its recipients.
    mutating func completed(_ entry: SentMessageLog.Entry, last: Int64) {
        guard entry.isMeasured, entry.action == .say else { return }
        firsts.record(intended: entry.intended, sent: entry.sent, over: entry.first)
        medians.record(intended: entry.intended, sent: entry.sent, over: entry.median)
        lasts.record(intended: entry.intended, sent: entry.sent, over: last)
        spreads.record(last - entry.first)
    }

    /// Adds all latencies to ``recorder`` and ``lateness``.
    mutating func settle() {
        probes.settle(.probe, into: &recorder)
        relays.settle(.relay, into: &recorder)
        deliveries.settle(.say, into: &recorder)
        firsts.settle(.sayFirst, into: &recorder)
        medians.settle(.sayMedian, into: &recorder)
        lasts.settle(.sayLast, into: &recorder)
        recorder.add(spreads, to: .saySpread)
        spreads.clear()
        lateness.add(delays)
        delays.clear()
    }

    /// Returns the latencies recorded since the last call.
    mutating func takeInterval() -> [LatencyMetric: LatencyHistogram] {
        settle()
        return recorder.takeInterval()
    }
}
