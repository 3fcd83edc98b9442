import NIOCore

/// The whole lines that wait for a client: one value, so that adding to it is one access.
struct Outbox {
    /// What became of a line.
    enum Outcome {
        /// It waits; `isFirst`, if nothing was to be sent at the end of this turn before.
        case added(isFirst: Bool)
        /// So much waits that it is better sent before the line is added.
        case sendFirst
        /// Too much waits: the line was not added.
        case full
        /// Nothing is sent any more.
        case closed
    }

    /// The most room that an empty queue keeps for the next turn.
    static let bytesKeptMax = 4_096

    /// With how many bytes it is sent in the midst of a turn.
    let bytesEarly: Int
    /// How many bytes may wait beside answers.
    let bytesMax: Int
    private(set) var queue = ByteBuffer()
    /// How many of the queue's bytes are answers to the client's own requests.
    private var answerBytes = 0
    /// Whether it is sent at the end of the turn.
    var isMarked = false
    /// Whether the last lines are on their way.
    var isClosed = false

    init(bytesEarly: Int, bytesMax: Int) {
        self.bytesEarly = bytesEarly
        self.bytesMax = bytesMax
    }

    /// How many bytes wait.
    var count: Int { queue.readableBytes }

    /// Adds whole lines.
    ///
    /// - Parameter isPatient: whether lines are added however much waits, up to the maximum.
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

    /// Forgets what waits.
    mutating func drop() {
        queue.clear()
        answerBytes = 0
    }

    /// Hands over what waits.
    mutating func take() -> ByteBuffer {
        let bytes = queue
        queue = ByteBuffer()
        answerBytes = 0
        return bytes
    }

    /// Gets back the room of what was sent, for the next turn.
    mutating func reuse(_ sent: consuming ByteBuffer) {
        guard queue.capacity == 0, sent.capacity <= Self.bytesKeptMax else { return }
        queue = sent
        queue.clear()
    }
}
