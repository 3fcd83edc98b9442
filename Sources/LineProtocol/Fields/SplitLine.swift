/// A line split into its parts, which are stored as ranges in the line's buffer. Nothing is copied
/// or unescaped.
///
/// Reuse the value to split the next line without allocating memory for its fields.
public struct SplitLine: Sendable {
    var parts = LineParts()
    /// The parts that only JSON objects have.
    var json = JSONParts()
    /// The fields after the command. In JSON, the members of the body.
    public internal(set) var fields = ReusableArray<Field>()

    /// Creates an empty line.
    public init() {}

    /// The whole line without its terminator.
    public var line: Range<Int> { parts.line }

    /// The tags, without the marker before them and the separator after them; nil if there are
    /// none.
    public var tags: Range<Int>? { parts.tags }

    /// The source without its marker; nil if there is none.
    public var source: Range<Int>? { parts.source }

    /// The command; empty if the line has none.
    public var verb: Range<Int> { parts.verb }

    /// True if a marker after the command shows that the answer continues on the next line.
    public var continues: Bool { parts.continues }

    /// Returns the first field with this key in `row`, or the last one if `firstWins` is false; nil
    /// if there is none.
    public func field(
        key: [UInt8], row: Int = 0, in bytes: Span<UInt8>, firstWins: Bool = true
    ) -> Field? {
        var result: Field?
        for field in fields where Int(field.row) == row {
            guard field.hasKey(key, in: bytes) else { continue }
            if firstWins { return field }
            result = field
        }
        return result
    }

    /// The number of rows, at least 1.
    public var rowCount: Int { Int(fields.last?.row ?? 0) + 1 }

    /// The error in a line that should be a JSON object; nil if there is none.
    public var jsonError: JSONError? { json.error }

    mutating func removeAll() {
        parts = LineParts()
        json = JSONParts()
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

/// The parts of a line that is a JSON object.
struct JSONParts: Sendable {
    var error: JSONError?
    /// True if the command is written with escape sequences.
    var verbHasEscape = false
    /// The value whose members are the fields; nil if there is none.
    var body: Field?
    /// The `id` member of a JSON-RPC message; nil if there is none.
    var id: Field?
}

extension Field {
    /// Returns true if the field's key, once unescaped, equals `wanted`.
    func hasKey(_ wanted: [UInt8], in bytes: Span<UInt8>) -> Bool {
        guard let key else { return false }
        guard keyHasEscape else { return bytes.matches(key, wanted, ignoringCase: false) }
        return (try? EscapeRule.json.decode(bytes.array(key))) == wanted
    }
}
