/// A line divided into its parts, as ranges in the buffer it stands in. Nothing is copied or unescaped.
///
/// The value is made to be reused: splitting another line keeps the room that the fields took.
public struct SplitLine: Sendable {
    /// The whole line without its terminator.
    public internal(set) var line: Range<Int> = 0..<0
    /// The tag section between its marker and the separator after it.
    public internal(set) var tags: Range<Int>?
    /// The source without its marker.
    public internal(set) var source: Range<Int>?
    /// The command; empty where the line has none.
    public internal(set) var verb: Range<Int> = 0..<0
    /// The fields after the command.
    public internal(set) var fields = ReusableArray<Field>()
    /// Whether a mark after the command says that the answer goes on in the next line.
    public internal(set) var continues = false

    public init() {}

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
        line = 0..<0
        tags = nil
        source = nil
        verb = 0..<0
        continues = false
        fields.removeAll()
    }
}
