import Synchronization

extension Multicast {
    /// Returns a sequence of all subsequent events, for use in `for await` loops.
    ///
    /// The sequence ends when the multicast finishes. The listener is removed when the loop ends or
    /// its task is cancelled.
    ///
    /// - Parameters:
    ///   - name: the name used in reports.
    ///   - queue: the buffer of the sequence. If the loop is too slow, events are lost according to
    ///     the overflow policy, and the loss is reported; with `removesListener`, the sequence ends
    ///     instead.
    /// - Throws: ``MulticastError`` if there are too many listeners or the multicast has finished.
    public func events(
        named name: String, queue: ListenerQueue = ListenerQueue()
    ) throws(MulticastError) -> AsyncStream<Event> {
        let policy: AsyncStream<Event>.Continuation.BufferingPolicy =
            queue.overflow == .dropsOldest
            ? .bufferingNewest(queue.eventsMax) : .bufferingOldest(queue.eventsMax)
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: policy)
        let gap = StreamGap<Event>(named: name, queue, report)
        var listener = Listener<Event>(named: name, on: .queue { $0() }, queue: queue) { event in
            gap.note(continuation.yield(event), continuation)
        }
        listener.ends = { continuation.finish() }
        let id = try add(listener)
        continuation.onTermination = { [weak self] _ in self?.remove(id) }
        return stream
    }
}

private final class StreamGap<Event: Sendable>: Sendable {
    private let name: String
    private let queue: ListenerQueue
    private let report: @Sendable (MulticastReport) -> Void
    private let missed = Mutex(0)

    init(
        named name: String, _ queue: ListenerQueue,
        _ report: @escaping @Sendable (MulticastReport) -> Void
    ) {
        self.name = name
        self.queue = queue
        self.report = report
    }

    func note(
        _ result: AsyncStream<Event>.Continuation.YieldResult,
        _ continuation: AsyncStream<Event>.Continuation
    ) {
        guard case .dropped = result else { return endGap() }
        if queue.overflow == .removesListener {
            report(.removedForOverflow(listener: name, queue))
            return continuation.finish()
        }
        let isFirst = missed.withLock { missed in
            missed += 1
            return missed == 1
        }
        if isFirst { report(.overflowBegan(listener: name, queue)) }
    }

    private func endGap() {
        let missed = missed.withLock { missed in
            defer { missed = 0 }
            return missed
        }
        if missed > 0 { report(.overflowEnded(listener: name, missed: missed)) }
    }
}
