import LineProtocol

/// A CHATHISTORY query (IRCv3 chathistory).
struct HistoryQuery {
    /// A CHATHISTORY subcommand, which selects messages relative to a point.
    enum Selection: String {
        case latest = "LATEST"
        case before = "BEFORE"
        case after = "AFTER"
        case around = "AROUND"
        case between = "BETWEEN"
    }

    /// A position in a room's history.
    enum Point {
        case message(id: [UInt8])
        /// A time in nanoseconds since 1970, rounded down to milliseconds.
        case time(Int64)
        /// The end of the history.
        case end
    }

    /// A reason for refusing a query. The raw value is the refusal's code.
    enum Failure: String, Error {
        case needsMore = "NEED_MORE_PARAMS"
        case invalid = "INVALID_PARAMS"
        case noSuchMessage = "MESSAGE_ERROR"
    }

    let selection: Selection
    let points: [Point]
    let limit: Int

    /// - Parameter parameters: The arguments after the target.
    init(_ selection: Selection, _ parameters: [[UInt8]], limitMax: Int) throws(Failure) {
        let count = selection == .between ? 2 : 1
        guard parameters.count > count else { throw .needsMore }
        var points: [Point] = []
        for parameter in parameters[..<count] {
            guard let point = Point(parameter, allowsEnd: selection == .latest) else {
                throw .invalid
            }
            points.append(point)
        }
        guard let limit = Int(String(decoding: parameters[count], as: UTF8.self)), limit > 0 else {
            throw .invalid
        }
        self.selection = selection
        self.points = points
        self.limit = min(limit, limitMax)
    }

    /// Returns the index range of the requested messages.
    ///
    /// - Parameters:
    ///   - times: Times of all messages in ascending order, in nanoseconds since 1970, rounded down
    ///     to milliseconds.
    ///   - find: Returns the index of the message with the given ID; nil if there is none.
    func range(_ times: [Int64], find: ([UInt8]) -> Int?) throws(Failure) -> Range<Int> {
        let first = try position(of: points[0], times, find)
        switch selection {
        case .latest:
            let start = if case .end = points[0] { 0 } else { first.upperBound }
            return Self.last(limit, of: start..<times.count)
        case .before: return Self.last(limit, of: 0..<first.lowerBound)
        case .after: return Self.first(limit, of: first.upperBound..<times.count)
        case .around:
            let start = max(0, first.lowerBound - limit / 2)
            return Self.first(limit, of: start..<times.count)
        case .between:
            let second = try position(of: points[1], times, find)
            return first.lowerBound <= second.lowerBound
                ? Self.first(limit, of: first.upperBound..<max(first.upperBound, second.lowerBound))
                : Self.last(limit, of: second.upperBound..<max(second.upperBound, first.lowerBound))
        }
    }

    /// Returns the index range of the messages at a point. If there are none, the range is empty.
    private func position(
        of point: Point, _ times: [Int64], _ find: ([UInt8]) -> Int?
    ) throws(Failure) -> Range<Int> {
        switch point {
        case .end: return times.count..<times.count
        case .message(let id):
            guard let index = find(id) else { throw .noSuchMessage }
            return index..<index + 1
        case .time(let time):
            let start = times.firstIndex { $0 >= time } ?? times.count
            return start..<(times[start...].firstIndex { $0 > time } ?? times.count)
        }
    }

    private static func first(_ count: Int, of range: Range<Int>) -> Range<Int> {
        range.lowerBound..<min(range.upperBound, range.lowerBound + count)
    }

    private static func last(_ count: Int, of range: Range<Int>) -> Range<Int> {
        max(range.lowerBound, range.upperBound - count)..<range.upperBound
    }
}

extension HistoryQuery.Point {
    private static let messagePrefix = Array("msgid=".utf8)
    private static let timePrefix = Array("timestamp=".utf8)

    fileprivate init?(_ text: [UInt8], allowsEnd: Bool) {
        if text == [UInt8(ascii: "*")] {
            guard allowsEnd else { return nil }
            self = .end
        } else if text.starts(with: Self.messagePrefix) {
            self = .message(id: Array(text.dropFirst(Self.messagePrefix.count)))
        } else if text.starts(with: Self.timePrefix),
            case .time(let time) = ValueConversion.value(
                Array(text.dropFirst(Self.timePrefix.count)), .time(.rfc3339))
        {
            self = .time(time / 1_000_000 * 1_000_000)
        } else {
            return nil
        }
    }
}
