/// How a stream of bytes is cut into frames, for each direction.
public struct Framing: Sendable, Equatable {
    /// What a client sends, and what its server therefore has to take.
    public var fromClient: Side
    /// What a server sends.
    public var fromServer: Side
    /// What a frame is.
    public var unit: Unit
    /// What an empty line means.
    public var emptyLines: EmptyLines
    /// The commands that a counted payload follows.
    public var payloads: [PayloadRule]
    /// The commands that a dot-terminated block follows.
    public var blocks: [BlockRule]
    /// How the lines of one answer belong together.
    public var grouping: ReplyGrouping
    /// Whether telnet commands are taken out and IAC is doubled (RFC 854).
    public var telnet: Bool

    /// A value from its parts; the defaults are the plainest form.
    public init(
        fromClient: Side = Side(), fromServer: Side = Side(), unit: Unit = .line,
        emptyLines: EmptyLines = .ignore, payloads: [PayloadRule] = [], blocks: [BlockRule] = [],
        grouping: ReplyGrouping = .none, telnet: Bool = false
    ) {
        self.fromClient = fromClient
        self.fromServer = fromServer
        self.unit = unit
        self.emptyLines = emptyLines
        self.payloads = payloads
        self.blocks = blocks
        self.grouping = grouping
        self.telnet = telnet
    }

    /// The terminators and maxima of one direction.
    public func side(_ direction: Direction) -> Side {
        direction == .fromClient ? fromClient : fromServer
    }

    /// One direction's terminators and maxima.
    public struct Side: Sendable, Equatable {
        /// What this side ends its lines with.
        public var terminator: Terminator
        /// What its peer takes as the end of a line. Where one is the start of another (CR and
        /// CR LF) the shorter one ends the line, and the byte that would have completed the longer
        /// one is passed over.
        public var accepted: [Terminator]
        /// The maxima.
        public var limits: Limits
        /// What becomes of a line over its maximum.
        public var overflow: Overflow

        /// A value from its parts; the defaults are the plainest form.
        public init(
            terminator: Terminator = .lf, accepted: [Terminator]? = nil, limits: Limits = Limits(),
            overflow: Overflow = .open
        ) {
            self.terminator = terminator
            self.accepted = accepted ?? [terminator]
            self.limits = limits
            self.overflow = overflow
        }
    }

    /// Named maxima, in bytes.
    public struct Limits: Sendable, Equatable {
        /// The line without its tag section, with its terminator if `countsTerminator`.
        public var lineBytesMax: Int
        /// The tag section with its `@` and the blank after it; 0: it counts as part of the line.
        public var tagBytesMax: Int
        /// Whether the terminator counts as part of the line.
        public var countsTerminator: Bool
        /// A counted payload or a dot-terminated block.
        public var payloadBytesMax: Int

        /// A value from its parts; the defaults are the plainest form.
        public init(
            lineBytesMax: Int = 65_536, tagBytesMax: Int = 0, countsTerminator: Bool = true,
            payloadBytesMax: Int = 1_048_576
        ) {
            self.lineBytesMax = lineBytesMax
            self.tagBytesMax = tagBytesMax
            self.countsTerminator = countsTerminator
            self.payloadBytesMax = payloadBytesMax
        }
    }

    /// What a receiver does with a line over the maximum.
    public enum Overflow: Sendable, Hashable {
        /// The protocol does not say: to be measured. Our own receivers keep the line and flag it.
        case open
        /// The first bytes are the line, the rest up to the terminator is dropped.
        case truncate
        /// The line is dropped whole and an error is answered.
        case reject
        /// The line is dropped whole, without a word.
        case discard
        /// The connection is closed.
        case close
    }

    /// What a frame is.
    public enum Unit: Sendable, Equatable {
        /// A line up to a terminator.
        case line
        /// A length, then that many bytes (ICB).
        case lengthPrefix(LengthPrefix)
        /// A command line and header lines up to an empty line, then a body up to a NUL or of the
        /// length that a header names (STOMP 1.2).
        case headerFrame(lengthHeader: [UInt8])
    }

    /// A length before each frame.
    public struct LengthPrefix: Sendable, Equatable {
        /// How many bytes the length takes: 1, 2 or 4, most significant first.
        public var width: Int
        /// Whether the length counts itself.
        public var countsItself: Bool
        /// Whether a NUL at the frame's end is no part of its text (ICB).
        public var dropsFinalNUL: Bool

        /// A value from its parts; the defaults are the plainest form.
        public init(width: Int = 1, countsItself: Bool = false, dropsFinalNUL: Bool = false) {
            self.width = width
            self.countsItself = countsItself
            self.dropsFinalNUL = dropsFinalNUL
        }
    }

    /// What an empty line means.
    public enum EmptyLines: Sendable, Hashable {
        /// No message.
        case ignore
        /// A message with an empty text.
        case message
    }

    /// Which command is followed by how many raw bytes.
    public struct PayloadRule: Sendable, Equatable {
        /// The command.
        public var verb: [UInt8]
        /// Who sends it.
        public var direction: CommandDirection
        /// The field that counts the bytes.
        public var lengthField: LengthField
        /// Whether a terminator that is not counted follows the payload (NATS, memcached).
        public var terminated: Bool

        /// A value from its parts; the defaults are the plainest form.
        public init(
            verb: [UInt8], direction: CommandDirection, lengthField: LengthField = .last,
            terminated: Bool
        ) {
            self.verb = verb
            self.direction = direction
            self.lengthField = lengthField
            self.terminated = terminated
        }
    }

    /// Which field of the line counts the payload's bytes.
    public enum LengthField: Sendable, Hashable {
        case last
        /// The field at this place after the command, from 0.
        case at(Int)
    }

    /// Which command is followed by a block that ends with a line of one dot, dot-stuffed
    /// (RFC 5321 §4.5.2, RFC 3977 §3.1.1).
    public struct BlockRule: Sendable, Equatable {
        /// The command.
        public var verb: [UInt8]
        /// Who sends it.
        public var direction: CommandDirection

        /// A value from its parts; the defaults are the plainest form.
        public init(verb: [UInt8], direction: CommandDirection) {
            self.verb = verb
            self.direction = direction
        }
    }

    /// How several lines of an answer belong together.
    public enum ReplyGrouping: Sendable, Equatable {
        case none
        /// Data lines, then a status line with this command (TeamSpeak's `error`); lines whose command
        /// starts with `asynchronous` stand outside (its `notify…`).
        case closingStatus(verb: [UInt8], asynchronous: [UInt8])
        /// A mark right after the code of `codeBytes` bytes says that more lines follow (SMTP's `250-`).
        case mark(UInt8, codeBytes: Int)
    }
}
