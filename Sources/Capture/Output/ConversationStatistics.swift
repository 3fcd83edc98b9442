package import LineProtocol

/// Counts what a conversation is made of: lines by command, and how long answers take.
package struct ConversationStatistics: ConversationSink {
    /// The most requests that wait for their answer at once.
    static let waitingMax = 65_536
    /// The most answer times of one command that are kept; of more, every other one is dropped.
    static let timesMax = 8_192

    /// Lines of each command, by its place in the dialect.
    package private(set) var lines: [Int]
    /// Lines of each command that break the dialect.
    package private(set) var broken: [Int]
    /// Lines of unknown commands and parts of lines.
    package private(set) var otherLines = 0
    /// When the first packet of a line came, and the last.
    package private(set) var first: Int64?
    /// When the last line came.
    package private(set) var last: Int64?
    private var answers: [AnswerTimes]
    private var waiting: [Request: (command: Int, time: Int64)] = [:]
    private let correlations: [Int?]

    /// A request that an answer names.
    private struct Request: Hashable {
        var connection: Int
        var id: [UInt8]
    }

    /// How long the answers to one command took, in nanoseconds.
    struct AnswerTimes {
        var count = 0
        var times: [Int64] = []
        /// Every so many-th is kept.
        var stride = 1

        mutating func add(_ time: Int64) {
            count += 1
            guard count % stride == 0 else { return }
            times.append(time)
            guard times.count > ConversationStatistics.timesMax else { return }
            times = times.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            stride *= 2
        }
    }

    /// What answers to a command took.
    package struct Latency: Sendable, Equatable {
        /// How many requests were answered.
        package var count: Int
        /// Half of the answers took at most so many nanoseconds.
        package var medianNanoseconds: Int64
        /// Of a hundred answers, 99 took at most so many nanoseconds.
        package var p99Nanoseconds: Int64
        /// The slowest answer took so many nanoseconds.
        package var nanosecondsMax: Int64
    }

    /// Figures of the dialect's conversations.
    package init(_ dialect: Dialect) {
        let signatures = dialect.commands.signatures
        lines = Array(repeating: 0, count: signatures.count)
        broken = lines
        answers = Array(repeating: AnswerTimes(), count: signatures.count)
        correlations = signatures.map { $0.arguments.firstIndex { $0.place == .correlation } }
    }

    /// Whether there is anything to tell.
    package var hasLines: Bool { otherLines > 0 || lines.contains { $0 > 0 } }

    /// How long the answers to the command at `place` took; nil where none is known. Answers are found by
    /// the dialect's correlation id.
    package func latency(_ place: Int) -> Latency? {
        let times = answers[place].times.sorted()
        guard let most = times.last else { return nil }
        func quantile(_ share: Double) -> Int64 {
            times[min(times.count - 1, Int(Double(times.count) * share))]
        }
        return Latency(
            count: answers[place].count, medianNanoseconds: quantile(0.5),
            p99Nanoseconds: quantile(0.99), nanosecondsMax: most)
    }

    /// A line, decoded.
    package mutating func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        if line.packet.time != CaptureRecord.timeUnknown {
            first = min(first ?? line.packet.time, line.packet.time)
            last = max(last ?? line.packet.time, line.packet.time)
        }
        guard let command = message.command, !line.marks.contains(.headMissing) else {
            otherLines += 1
            return
        }
        lines[command] += 1
        if line.breaksDialect { broken[command] += 1 }
        guard let place = correlations[command], place < message.arguments.count else { return }
        let id = message.bytes(message.arguments[place], in: bytes)
        let request = Request(connection: line.connection.number, id: id)
        if line.direction == .fromClient {
            if waiting.count >= Self.waitingMax { waiting.removeAll(keepingCapacity: true) }
            waiting[request] = (command, line.packet.time)
        } else if let asked = waiting.removeValue(forKey: request) {
            answers[asked.command].add(line.packet.time &- asked.time)
        }
    }

    /// A connection was seen for the first time.
    package mutating func opened(_ connection: Connection, _ packet: PacketInfo) {}

    /// Something else has happened.
    package mutating func note(
        _ note: ConversationNote, _ connection: Connection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {}

    /// A connection is over.
    package mutating func ended(
        _ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {}

    /// The capture is over.
    package mutating func finish() {}
}
