package import LineProtocol

/// Statistics about a conversation: line counts and response times by command.
package struct ConversationStatistics: ConversationSink {
    /// Maximum number of pending requests. When it is exceeded, all pending requests are dropped.
    static let waitingMax = 65_536
    /// Maximum number of response times kept per command. When it is exceeded, every second one is
    /// dropped.
    static let timesMax = 8_192

    /// Number of lines, by command index.
    package private(set) var lines: [Int]
    /// Number of lines that violate the command table, by command index.
    package private(set) var broken: [Int]
    /// Number of lines with unknown commands, plus the number of partial lines.
    package private(set) var otherLines = 0
    /// Time of the first line, in nanoseconds since 1970; nil if there were no lines.
    package private(set) var first: Int64?
    /// Time of the last line, in nanoseconds since 1970; nil if there were no lines.
    package private(set) var last: Int64?
    private var answers: [AnswerTimes]
    private var waiting: [Request: (command: Int, time: Int64)] = [:]
    private let correlations: [Int?]

    /// A pending request, identified by its correlation id.
    private struct Request: Hashable {
        var connection: Int
        var id: [UInt8]
    }

    /// Response times of one command, in nanoseconds.
    struct AnswerTimes {
        var count = 0
        var times: [Int64] = []
        /// Sampling interval: one of every `stride` response times is kept.
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

    /// Response-time statistics for a command.
    package struct Latency: Sendable, Equatable {
        /// Number of answered requests.
        package var count: Int
        /// The 50th percentile.
        package var medianNanoseconds: Int64
        /// The 99th percentile.
        package var p99Nanoseconds: Int64
        /// The maximum.
        package var nanosecondsMax: Int64
    }

    package init(_ dialect: Dialect) {
        let signatures = dialect.commands.signatures
        lines = Array(repeating: 0, count: signatures.count)
        broken = lines
        answers = Array(repeating: AnswerTimes(), count: signatures.count)
        correlations = signatures.map { $0.arguments.firstIndex { $0.position == .correlation } }
    }

    package var hasLines: Bool { otherLines > 0 || lines.contains { $0 > 0 } }

    /// Returns response-time statistics for the command with this index; nil if there are none.
    /// Answers are matched to requests by the dialect's correlation id.
    package func latency(_ command: Int) -> Latency? {
        let times = answers[command].times.sorted()
        guard let most = times.last else { return nil }
        func quantile(_ share: Double) -> Int64 {
            times[min(times.count - 1, Int(Double(times.count) * share))]
        }
        return Latency(
            count: answers[command].count, medianNanoseconds: quantile(0.5),
            p99Nanoseconds: quantile(0.99), nanosecondsMax: most)
    }

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
        guard let index = correlations[command], index < message.arguments.count else { return }
        let id = message.bytes(message.arguments[index], in: bytes)
        let request = Request(connection: line.connection.number, id: id)
        if line.direction == .fromClient {
            if waiting.count >= Self.waitingMax { waiting.removeAll(keepingCapacity: true) }
            waiting[request] = (command, line.packet.time)
        } else if let sent = waiting.removeValue(forKey: request) {
            answers[sent.command].add(line.packet.time &- sent.time)
        }
    }
}
