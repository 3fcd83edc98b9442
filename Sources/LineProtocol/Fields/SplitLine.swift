/// A line divided into its parts, as ranges in the buffer it stands in. Nothing is copied or unescaped.
///
/// The value is made to be reused: splitting another line keeps the room that the fields took.
public struct SplitLine: Sendable {
    var parts = LineParts()
    /// The fields after the command.
    public internal(set) var fields = ReusableArray<Field>()

    /// A line of nothing.
    public init() {}

    /// The whole line without its terminator.
    public var line: Range<Int> { parts.line }

    /// The tag section between its marker and the separator after it.
    public var tags: Range<Int>? { parts.tags }

    /// The source without its marker.
    public var source: Range<Int>? { parts.source }

    /// The command; empty where the line has none.
    public var verb: Range<Int> { parts.verb }

    /// Whether a mark after the command says that the answer goes on in the next line.
    public var continues: Bool { parts.continues }

    /// The first field with this key in `row`, or the last where the dialect says so.
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

    /// How many rows the fields make: at least 1.
    public var rowCount: Int { Int(fields.last?.row ?? 0) + 1 }

    mutating func removeAll() {
        parts = LineParts()
        fields.removeAll()
    }
}

/// What a line has beside fields.
struct LineParts: Sendable {
    var line: Range<Int> = 0..<0
    var verb: Range<Int> = 0..<0
    var tags: Range<Int>?
    var source: Range<Int>?
    var continues = false
}
