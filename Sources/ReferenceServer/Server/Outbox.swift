import NIOCore

/// One client's output queue. All of its state is in a single value, so that adding a line accesses
/// the handler's storage only once.
struct Outbox {
    /// The result of adding a line to the outbox.
    enum Outcome {
        /// The line was queued. `isFirst` is true if the outbox was not yet marked for flushing.
        case added(isFirst: Bool)
        /// The line was not added. The queue must be flushed first.
        case sendFirst
        /// The queue is full; the line was not added.
        case full
        /// The outbox is closed; the line was discarded.
        case closed
    }

    /// Maximum buffer capacity that an empty queue keeps for the next turn, in bytes.
    static let bytesKeptMax = 1_024

    /// Queue size above which the queue is flushed in the middle of a turn, in bytes.
    let bytesEarly: Int
    /// Maximum queued bytes, not counting answers to the client's own requests.
    let bytesMax: Int
    private(set) var queue = ByteBuffer()
    /// Queued bytes of answers to the client's own requests.
    private var answerBytes = 0
    /// True if the outbox will be flushed at the end of the turn.
    var isMarked = false
    /// True if the final lines have been passed to the channel.
    var isClosed = false

    init(bytesEarly: Int, bytesMax: Int) {
        self.bytesEarly = bytesEarly
        self.bytesMax = bytesMax
    }

    var count: Int { queue.readableBytes }

    /// Adds complete lines.
    ///
    /// - Parameter isPatient: True to add the lines even if the queue then exceeds `bytesEarly`,
    ///   instead of requesting a flush.
    mutating func add(_ bytes: [UInt8], isAnswer: Bool, isPatient: Bool) -> Outcome {
        if isClosed { return .closed }
        let count = queue.readableBytes + bytes.count
        if count > bytesEarly, !isPatient { return .sendFirst }
        if isAnswer {
            answerBytes += bytes.count
        } else if count > bytesMax + answerBytes {
            return .full
        }
        queue.writeBytes(bytes)
        defer { isMarked = true }
        return .added(isFirst: !isMarked)
    }

    mutating func drop() {
        queue.clear()
        answerBytes = 0
    }

    /// Removes and returns the queued bytes.
    mutating func take() -> ByteBuffer {
        let bytes = queue
        queue = ByteBuffer()
        answerBytes = 0
        return bytes
    }

    /// Reuses the buffer of output that has been sent.
    mutating func reuse(_ sent: consuming ByteBuffer) {
        guard queue.capacity == 0, sent.capacity <= Self.bytesKeptMax else { return }
        queue = sent
        queue.clear()
    }
}
