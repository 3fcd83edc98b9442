/// A line split into its parts, as ranges into its buffer. Nothing is copied or unescaped.
///
/// Reuse the value: splitting another line reuses the memory of the fields.
public struct SplitLine: Sendable {
    var parts = LineParts()
    /// The fields after the command.
    public internal(set) var fields = ReusableArray<Field>()

    /// Creates an empty line.
    public init() {}

    /// The whole line without its terminator.
    public var line: Range<Int> { parts.line }

    /// The tags without their marker and the separator after them; nil if there are none.
    public var tags: Range<Int>? { parts.tags }

    /// The source without its marker; nil if there is none.
    public var source: Range<Int>? { parts.source }

    /// The command; empty if the line has none.
    public var verb: Range<Int> { parts.verb }

    /// True if a mark after the command shows that the answer continues in the next line.
    public var continues: Bool { parts.continues }

    /// Returns the first field with this key in `row`, or the last one if `firstWins` is false.
    public func field(
        key: [UInt8], row: Int = 0, in bytes: Span<UInt8>, firstWins: Bool = true
    ) -> Field? {
        var result: Field?
        for field in fields where Int(field.row) == row {
            guard let range = field.key, bytes.matches(range, key, ignoringCase: false) else {
                continue
            }
            if firstWins { return field }
            result = field
        }
        return result
    }

    /// The number of rows, at least 1.
    public var rowCount: Int { Int(fields.last?.row ?? 0) + 1 }

    mutating func removeAll() {
        parts = LineParts()
        fields.removeAll()
    }
}

/// The parts of a line other than its fields.
struct LineParts: Sendable {
    var line: Range<Int> = 0..<0
    var verb: Range<Int> = 0..<0
    var tags: Range<Int>?
    var source: Range<Int>?
    var continues = false
}
