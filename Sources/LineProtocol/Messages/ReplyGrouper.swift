/// Classifier that labels each server line as a whole answer, part of an answer, or neither, using
/// the dialect's ``Framing/ReplyGrouping``.
///
/// Use one grouper per connection, and pass it every line from the server, in order.
public struct ReplyGrouper: Sendable {
    private let grouping: Framing.ReplyGrouping
    private let ignoringCase: Bool
    private var isOpen = false

    /// The position of a line in an answer.
    public enum Position: Sendable, Hashable {
        /// The line is a complete answer.
        case single
        /// More lines of the answer follow.
        case part
        /// The line is the last one of a multi-line answer.
        case last
        /// The line is not part of an answer.
        case asynchronous
    }

    /// Creates a grouper for one connection.
    public init(_ dialect: Dialect) {
        grouping = dialect.framing.grouping
        ignoringCase = dialect.syntax[.fromServer].ignoresVerbCase
    }

    /// True between the first and the last line of an answer.
    public var isInAnswer: Bool { isOpen }

    /// Returns a line's position within its answer. The ranges in `split` refer to `bytes`.
    public mutating func position(of split: SplitLine, in bytes: Span<UInt8>) -> Position {
        switch grouping {
        // If a marker shows that answers continue, the framer returns each answer as one frame.
        case .none, .mark:
            return .single
        case .closingStatus(let status, let asynchronous):
            if bytes.matches(split.verb, status, ignoringCase: ignoringCase) {
                return close(unless: false)
            }
            let start = split.verb.lowerBound
            let prefix = start..<min(start + asynchronous.count, split.verb.upperBound)
            if !asynchronous.isEmpty,
                bytes.matches(prefix, asynchronous, ignoringCase: ignoringCase)
            {
                return .asynchronous
            }
            return close(unless: true)
        }
    }

    private mutating func close(unless continues: Bool) -> Position {
        defer { isOpen = continues }
        if continues { return .part }
        return isOpen ? .last : .single
    }
}
