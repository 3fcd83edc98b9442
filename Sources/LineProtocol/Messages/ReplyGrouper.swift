/// Tells which lines belong together to one answer, by the dialect's ``Framing/ReplyGrouping``.
///
/// One value for each connection; it is shown every line that the server sends, in order.
public struct ReplyGrouper: Sendable {
    private let grouping: Framing.ReplyGrouping
    private let ignoringCase: Bool
    private var isOpen = false

    /// What a line is to an answer.
    public enum Position: Sendable, Hashable {
        /// The whole answer.
        case single
        /// More lines of the answer follow.
        case part
        /// The last of several.
        case last
        /// No part of any answer.
        case asynchronous
    }

    /// A grouper for one connection.
    public init(_ dialect: Dialect) {
        grouping = dialect.framing.grouping
        ignoringCase = dialect.syntax.verbCase == .insensitive
    }

    /// Whether an answer has begun and not ended.
    public var isInAnswer: Bool { isOpen }

    /// What the line that `split` divides, which stands in `bytes`, is to its answer.
    public mutating func position(of split: SplitLine, in bytes: Span<UInt8>) -> Position {
        switch grouping {
        case .none:
            return .single
        case .mark:
            return close(unless: split.continues)
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

    private mutating func close(unless goesOn: Bool) -> Position {
        defer { isOpen = goesOn }
        if goesOn { return .part }
        return isOpen ? .last : .single
    }
}
