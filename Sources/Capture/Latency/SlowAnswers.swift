/// An answer to a request, and what it waited for.
package struct TimedAnswer: Sendable, Equatable {
    /// Index of the metric.
    package var metric: Int
    package var connection: Int
    /// The packets of the request and the answer.
    package var request: PacketInfo
    package var answer: PacketInfo
    /// Time for which the client's receive window was closed, in nanoseconds.
    package var window: Int64
    /// Time for the way to the server and back, and until lost data had been sent again, in
    /// nanoseconds.
    package var network: Int64

    package var nanoseconds: Int64 { answer.time &- request.time }
    /// Time that is left for the server, in nanoseconds.
    package var server: Int64 { nanoseconds &- window &- network }

    /// Divides the time between a request and its answer.
    ///
    /// - Parameters:
    ///   - closed: Time for which the client's receive window had been closed before the request.
    init(
        _ metric: Int, _ connection: CapturedConnection, request: PacketInfo, answer: PacketInfo,
        closedBefore closed: Int64
    ) {
        self.metric = metric
        self.connection = connection.number
        self.request = request
        self.answer = answer
        let total = max(0, answer.time &- request.time)
        window = min(total, max(0, connection.closedWindow(until: answer.time) &- closed))
        let repair = connection.figures.lastRepair
        let lost = repair > request.time ? min(repair, answer.time) &- request.time : 0
        // The window may have been closed in the meantime.
        network = max(0, min(total, lost) &- window)
        // The time from the SYN to the SYN-ACK is spent between the capture point and the server.
        network += min(
            max(0, connection.connectNanoseconds ?? 0), total &- window &- network)
    }
}

/// The slowest answers in a capture, slowest first.
package struct SlowAnswers: Sendable {
    /// Minimum time, in nanoseconds, for which an answer counts as slow.
    static let nanosecondsMin: Int64 = 100_000_000
    /// Maximum number of answers to keep.
    static let answersMax = 10

    package private(set) var answers: [TimedAnswer] = []
    /// Number of slow answers.
    package private(set) var count = 0

    mutating func add(_ answer: TimedAnswer) {
        let nanoseconds = answer.nanoseconds
        guard nanoseconds >= Self.nanosecondsMin else { return }
        count += 1
        if answers.count == Self.answersMax {
            guard let last = answers.last, nanoseconds > last.nanoseconds else { return }
            answers.removeLast()
        }
        let index = answers.firstIndex { $0.nanoseconds < nanoseconds } ?? answers.endIndex
        answers.insert(answer, at: index)
    }
}
