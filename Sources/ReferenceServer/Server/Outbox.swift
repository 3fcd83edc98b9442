import NIOCore

/// The lines queued for one client. A single value, so that adding a line is one access.
struct Outbox {
    /// Result of adding a line.
    enum Outcome {
        /// Queued. `isFirst` is true if nothing else was marked for sending this turn.
        case added(isFirst: Bool)
        /// The queue should be flushed before the line is added.
        case sendFirst
        /// The queue is full; the line was not added.
        case full
        /// The outbox is closed; the line was discarded.
        case closed
    }

    /// Largest buffer capacity that an empty queue keeps for the next turn, in bytes.
    static let bytesKeptMax = 4_096

    /// Queue size that triggers a flush in the middle of a turn.
    let bytesEarly: Int
    /// Most bytes that may be queued, not counting answers to the client's own requests.
    let bytesMax: Int
    private(set) var queue = ByteBuffer()
    /// Queued bytes that answer the client's own requests.
    private var answerBytes = 0
    /// True if the outbox will be flushed at the end of the turn.
    var isMarked = false
    /// True if the last lines have been handed to the channel.
    var isClosed = false

    init(bytesEarly: Int, bytesMax: Int) {
        self.bytesEarly = bytesEarly
        self.bytesMax = bytesMax
    }

    var count: Int { queue.readableBytes }

    /// Adds whole lines.
    ///
    /// - Parameter isPatient: whether to queue beyond `bytesEarly` instead of asking for a flush.
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

    /// Reuses the buffer of sent bytes for the next turn.
    mutating func reuse(_ sent: consuming ByteBuffer) {
        guard queue.capacity == 0, sent.capacity <= Self.bytesKeptMax else { return }
        queue = sent
        queue.clear()
    }
}
