/// A position in source text: line, column and byte offset.
public struct SourcePosition: Sendable, Hashable {
    /// Line number, from 1.
    public var line: Int
    /// Column in characters, from 1.
    public var column: Int
    /// Byte offset in the text, from 0.
    public var offset: Int

    /// Creates a position.
    public init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }
}

/// A half-open range of byte offsets in source text.
public struct SourceRange: Sendable, Hashable {
    /// Offset of the first byte.
    public var start: Int
    /// Offset just after the last byte.
    public var end: Int

    /// Creates a range; it is empty if `end` is before `start`.
    public init(start: Int, end: Int) {
        self.start = start
        self.end = max(start, end)
    }

    /// Number of bytes.
    public var count: Int { end - start }

    /// Returns the smallest range that contains both ranges.
    public func joined(with other: SourceRange) -> SourceRange {
        SourceRange(start: min(start, other.start), end: max(end, other.end))
    }
}
