/// A place in a text, as an editor names it.
public struct SourcePosition: Sendable, Hashable {
    /// The line, from 1.
    public var line: Int
    /// The column in characters, from 1.
    public var column: Int
    /// The byte offset in the text, from 0.
    public var offset: Int

    /// A place by all three counts.
    public init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }
}

/// A piece of a text by byte offsets: from `start` up to, without, `end`.
public struct SourceRange: Sendable, Hashable {
    /// The offset of the first byte.
    public var start: Int
    /// The offset after the last byte.
    public var end: Int

    /// A range; one that would end before it starts is empty.
    public init(start: Int, end: Int) {
        self.start = start
        self.end = max(start, end)
    }

    /// The number of bytes.
    public var count: Int { end - start }

    /// The smallest range that holds both.
    public func joined(with other: SourceRange) -> SourceRange {
        SourceRange(start: min(start, other.start), end: max(end, other.end))
    }

    /// Whether an offset lies inside.
    public func contains(_ offset: Int) -> Bool { offset >= start && offset < end }
}
