import NIOCore

/// The lines queued for one client. It is a single value, so that adding a line is a single access.
struct Outbox {
    /// The result of adding a line.
    enum Outcome {
        /// The line was queued. `isFirst` is true if nothing else was marked for sending in this
        /// turn.
        case added(isFirst: Bool)
        /// The line was not added. The queue should be flushed first.
        case sendFirst
        /// The queue is full; the line was not added.
        case full
        /// The outbox is closed; the line was discarded.
        case closed
    }

    /// Maximum buffer capacity, in bytes, that an empty queue keeps for the next turn.
    static let bytesKeptMax = 4_096

    /// Queue size that triggers a flush in the middle of a turn.
    let bytesEarly: Int
    /// Maximum number of bytes that may be queued, not counting answers to the client's own
    /// requests.
    let bytesMax: Int
    private(set) var queue = ByteBuffer()
    /// Number of queued bytes that answer the client's own requests.
    private var answerBytes = 0
    /// True if the outbox will be flushed at the end of the turn.
    var isMarked = false
    /// True if the last lines have been passed to the channel.
    var isClosed = false

    init(bytesEarly: Int, bytesMax: Int) {
        self.bytesEarly = bytesEarly
        self.bytesMax = bytesMax
    }

    var count: Int { queue.readableBytes }

    /// Adds whole lines.
    ///
    /// - Parameter isPatient: Whether to queue more than `bytesEarly` bytes instead of requesting a
    ///   flush.
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

    /// Reuses the buffer of bytes that have been sent, for the next turn.
    mutating func reuse(_ sent: consuming ByteBuffer) {
        guard queue.capacity == 0, sent.capacity <= Self.bytesKeptMax else { return }
        queue = sent
        queue.clear()
    }
}
