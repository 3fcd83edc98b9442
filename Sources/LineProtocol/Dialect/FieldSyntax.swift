/// How a line is divided into source, tags, command and fields.
public struct FieldSyntax: Sendable, Equatable {
    /// The bytes that divide fields; the first is the one that is sent.
    public var separators: [UInt8]
    /// Whether several separators in a row count as one (IRC, NATS) instead of holding empty fields
    /// between them (LiveChat).
    public var separatorRuns: Bool
    /// Where the command stands.
    public var verb: VerbPosition
    /// Whether the case of a command counts.
    public var verbCase: VerbCase
    /// The byte that opens a source before the command (IRC's `:`), or nil.
    public var sourceMarker: UInt8?
    /// How tags before the line are written, or nil.
    public var tags: TagSyntax?
    /// The byte that opens a last field which takes the rest (IRC's `:`), or nil.
    public var trailingMarker: UInt8?
    /// How fields carry their own names, or nil.
    public var keyValue: KeyValueSyntax?
    /// The field that ties an answer to its request, or nil.
    public var correlation: Correlation?
    /// At most this many fields, of which the last takes the rest of the line: in IRC without a trailing
    /// marker too (RFC 2812 §2.3.1), in SMTP as a text. Fields with keys are as many as there are.
    public var fieldsMax: Int
    /// Whether a field may be written in double quotes with `\xHH` inside (Redis inline commands).
    public var quotes: Bool

    /// A value from its parts.
    public init(
        separators: [UInt8] = [ASCII.blank], separatorRuns: Bool = false,
        verb: VerbPosition = .first,
        verbCase: VerbCase = .exact, sourceMarker: UInt8? = nil, tags: TagSyntax? = nil,
        trailingMarker: UInt8? = nil, keyValue: KeyValueSyntax? = nil,
        correlation: Correlation? = nil, fieldsMax: Int = 1_000, quotes: Bool = false
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
    }

    /// Where the command stands.
    public enum VerbPosition: Sendable, Hashable {
        /// The first field, after an optional source and tags.
        case first
        /// The first field unless it is `key=value` (TeamSpeak's answers have no command).
        case firstUnlessKeyValue
        /// So many bytes at the line's start, with the first field right behind them (ICB).
        case bytes(Int)
        /// There is none: the whole line is one field.
        case none
    }

    /// Whether the case of a command counts.
    public enum VerbCase: Sendable, Hashable {
        case exact
        /// ASCII letters of either case are the same command.
        case insensitive
    }

    /// IRCv3 message tags: `@key=value;key2 `.
    public struct TagSyntax: Sendable, Hashable {
        /// The byte that opens the tags.
        public var marker: UInt8
        /// The byte between two tags.
        public var separator: UInt8
        /// The byte between a name and its value.
        public var assignment: UInt8

        /// A value from its parts.
        public init(
            marker: UInt8 = ASCII.at, separator: UInt8 = ASCII.semicolon,
            assignment: UInt8 = ASCII.equals
        ) {
            self.marker = marker
            self.separator = separator
            self.assignment = assignment
        }
    }

    /// Fields that carry their own names.
    public struct KeyValueSyntax: Sendable, Hashable {
        /// The byte between a name and its value.
        public var assignment: UInt8
        /// The byte that opens an option without a value (TeamSpeak's `-uid`), or nil.
        public var optionMarker: UInt8?
        /// The byte between rows (TeamSpeak's `|`), or nil.
        public var rowSeparator: UInt8?
        /// Whether the first of several equal keys counts (STOMP 1.2) instead of the last.
        public var firstWins: Bool

        /// A value from its parts.
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

    /// The field that ties an answer to its request (MSNP's transaction id).
    public struct Correlation: Sendable, Equatable {
        /// Its place after the command, from 0.
        public var field: Int
        /// Commands that carry none in the given direction.
        public var exempt: [Exemption]

        /// A value from its parts.
        public init(field: Int = 0, exempt: [Exemption] = []) {
            self.field = field
            self.exempt = exempt
        }

        /// A command that carries no transaction id.
        public struct Exemption: Sendable, Hashable {
            /// Where the command stands.
            public var verb: [UInt8]
            /// Who sends it.
            public var direction: CommandDirection

            /// A value from its parts.
            public init(verb: [UInt8], direction: CommandDirection) {
                self.verb = verb
                self.direction = direction
            }
        }
    }
}
