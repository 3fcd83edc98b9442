/// Rules for dividing a line into tags, source, command and fields.
public struct FieldSyntax: Sendable, Equatable {
    /// The bytes that separate fields; the first one is used when sending.
    public var separators: [UInt8]
    /// True if several separators in a row count as one (IRC, NATS); false if they enclose empty
    /// fields (LiveChat).
    public var separatorRuns: Bool
    /// The RESP syntax. Inline commands consist of words, which may be quoted.
    public static let resp = FieldSyntax(
        separators: [ASCII.space, ASCII.tab], separatorRuns: true, quotes: true, resp: true)

    /// The position of the command in a line.
    public var verb: VerbPosition
    /// Case sensitivity of commands.
    public var verbCase: VerbCase

    /// True if commands that differ only in ASCII case are the same.
    package var ignoresVerbCase: Bool { verbCase == .insensitive }

    /// The byte before a source prefix (IRC's `:`), or nil.
    public var sourceMarker: UInt8?
    /// The syntax of tags, or nil.
    public var tags: TagSyntax?
    /// The byte before a trailing field (IRC's `:`), or nil. A trailing field extends to the end of
    /// the line.
    public var trailingMarker: UInt8?
    /// The syntax of `key=value` fields, or nil.
    public var keyValue: KeyValueSyntax?
    /// The field that links an answer to its request, or nil.
    public var correlation: Correlation?
    /// The maximum number of fields. The last one extends to the end of the line, even without a
    /// trailing marker (RFC 2812 §2.3.1; also the text of an SMTP line). The number of `key=value`
    /// fields is not limited.
    public var fieldsMax: Int
    /// True if a field may be written in double quotes with `\xHH` escapes (Redis inline commands).
    public var quotes: Bool
    /// The syntax of lines that are JSON objects, or nil. Most other settings do not apply to JSON
    /// lines.
    public var json: JSONSyntax?

    /// True if messages are values in RESP, the Redis protocol. Most other settings then apply only
    /// to inline commands.
    public var resp: Bool

    /// Creates a field syntax.
    public init(
        separators: [UInt8] = [ASCII.space], separatorRuns: Bool = false,
        verb: VerbPosition = .first,
        verbCase: VerbCase = .exact, sourceMarker: UInt8? = nil, tags: TagSyntax? = nil,
        trailingMarker: UInt8? = nil, keyValue: KeyValueSyntax? = nil,
        correlation: Correlation? = nil, fieldsMax: Int = 1_000, quotes: Bool = false,
        json: JSONSyntax? = nil, resp: Bool = false
    ) {
        self.separators = separators
        self.separatorRuns = separatorRuns
        self.verb = verb
        self.verbCase = verbCase
        self.sourceMarker = sourceMarker
        self.tags = tags
        self.trailingMarker = trailingMarker
        self.keyValue = keyValue
        self.correlation = correlation
        self.fieldsMax = fieldsMax
        self.quotes = quotes
        self.json = json
        self.resp = resp
    }

    /// The position of the command in a line.
    public enum VerbPosition: Sendable, Hashable {
        /// The first field, after optional tags and source.
        case first
        /// The first field, unless it has the form `key=value` (TeamSpeak's answers have no
        /// command).
        case firstUnlessKeyValue
        /// A fixed number of bytes at the start of the line. The first field follows without a
        /// separator (ICB).
        case bytes(Int)
        /// There is no command; the whole line is one field.
        case none
    }

    /// Case sensitivity of commands.
    public enum VerbCase: Sendable, Hashable {
        case exact
        /// Commands that differ only in ASCII case are the same.
        case insensitive
    }

    /// The syntax of IRCv3 message tags: `@key=value;key2 `.
    public struct TagSyntax: Sendable, Hashable {
        /// The byte before the tags.
        public var marker: UInt8
        /// The byte between tags.
        public var separator: UInt8
        /// The byte between a key and its value.
        public var assignment: UInt8

        /// Creates a tag syntax.
        public init(
            marker: UInt8 = ASCII.at, separator: UInt8 = ASCII.semicolon,
            assignment: UInt8 = ASCII.equals
        ) {
            self.marker = marker
            self.separator = separator
            self.assignment = assignment
        }
    }

    /// The syntax of `key=value` fields.
    public struct KeyValueSyntax: Sendable, Hashable {
        /// The byte between a key and its value.
        public var assignment: UInt8
        /// The byte before an option without a value (TeamSpeak's `-uid`), or nil.
        public var optionMarker: UInt8?
        /// The byte between rows (TeamSpeak's `|`), or nil.
        public var rowSeparator: UInt8?
        /// True if the first of several fields with the same key counts (STOMP 1.2), false if the
        /// last one does.
        public var firstWins: Bool

        /// Creates a key-value syntax.
        public init(
            assignment: UInt8 = ASCII.equals, optionMarker: UInt8? = nil,
            rowSeparator: UInt8? = nil,
            firstWins: Bool = true
        ) {
            self.assignment = assignment
            self.optionMarker = optionMarker
            self.rowSeparator = rowSeparator
            self.firstWins = firstWins
        }
    }

    /// The field that links an answer to its request (MSNP's transaction ID).
    public struct Correlation: Sendable, Equatable {
        /// Index of the field, counted from 0 after the command.
        public var field: Int
        /// The commands without a transaction ID, by direction.
        public var exempt: [Exemption]

        /// Creates a correlation rule.
        public init(field: Int = 0, exempt: [Exemption] = []) {
            self.field = field
            self.exempt = exempt
        }

        /// A command without a transaction ID.
        public struct Exemption: Sendable, Hashable {
            /// The command's bytes on the wire.
            public var verb: [UInt8]
            /// The side that sends the command.
            public var direction: CommandDirection

            /// Creates an exemption.
            public init(verb: [UInt8], direction: CommandDirection) {
                self.verb = verb
                self.direction = direction
            }
        }
    }
}
