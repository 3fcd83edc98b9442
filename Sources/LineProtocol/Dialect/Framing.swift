/// Rules for dividing a byte stream into frames, in each direction.
public struct Framing: Sendable, Equatable {
    /// Rules for lines that a client sends and the server must accept.
    public var fromClient: Side
    /// Rules for lines that a server sends.
    public var fromServer: Side
    /// The kind of frame.
    public var unit: Unit
    /// The meaning of an empty line.
    public var emptyLines: EmptyLines
    /// Commands followed by a counted payload.
    public var payloads: [PayloadRule]
    /// Commands followed by a dot-terminated block.
    public var blocks: [BlockRule]
    /// Lines from the server after which the client's next line has no command, such as the
    /// challenges of a SASL exchange.
    public var linePrompts: [BlockTrigger]
    /// The rule for grouping lines into answers.
    public var grouping: ReplyGrouping
    /// True if the server sends a line as soon as a client connects, before any request.
    public var greeting: Bool
    /// True if telnet commands are removed from received data, and IAC bytes are doubled in sent
    /// data (RFC 854).
    public var telnet: Bool

    /// Creates framing rules. The defaults describe a plain line protocol.
    public init(
        fromClient: Side = Side(), fromServer: Side = Side(), unit: Unit = .line,
        emptyLines: EmptyLines = .ignore, payloads: [PayloadRule] = [], blocks: [BlockRule] = [],
        linePrompts: [BlockTrigger] = [], grouping: ReplyGrouping = .none, greeting: Bool = false,
        telnet: Bool = false
    ) {
        self.fromClient = fromClient
        self.fromServer = fromServer
        self.unit = unit
        self.emptyLines = emptyLines
        self.payloads = payloads
        self.blocks = blocks
        self.linePrompts = linePrompts
        self.grouping = grouping
        self.greeting = greeting
        self.telnet = telnet
    }

    /// Maximum number of blocks that depend on the other side.
    package static let conditionalBlocksMax = 64

    /// True if some blocks depend on what the other side sent.
    public var hasConditionalBlocks: Bool { blocks.contains { $0.after != nil } }

    /// Returns the rules for the blocks of a direction that depend on what the other side sent.
    package func conditionalBlocks(_ direction: Direction) -> [BlockRule] {
        blocks.filter { $0.after != nil && $0.direction.allows(direction) }
    }

    /// Returns the terminators and limits of one direction.
    public func side(_ direction: Direction) -> Side {
        direction == .fromClient ? fromClient : fromServer
    }

    /// Terminators and limits of one direction.
    public struct Side: Sendable, Equatable {
        /// The terminator that the sender uses.
        public var terminator: Terminator
        /// The terminators that the receiver accepts. If one is a prefix of another (CR and CR LF),
        /// the shorter one ends the line, and the remaining byte of the longer one is skipped.
        public var accepted: [Terminator]
        /// The size limits.
        public var limits: Limits
        /// The receiver's reaction to a line that exceeds the limit.
        public var overflow: Overflow

        /// Creates the settings of one direction.
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

    /// Size limits in bytes.
    public struct Limits: Sendable, Equatable {
        /// Limit for a line without its tags. Includes the terminator if `countsTerminator` is
        /// true.
        public var lineBytesMax: Int
        /// Limit for the tags, including the `@` before them and the space after them; 0 if tags
        /// count as part of the line.
        public var tagBytesMax: Int
        /// True if the terminator counts towards the limit of the line.
        public var countsTerminator: Bool
        /// Limit for a counted payload or a dot-terminated block.
        public var payloadBytesMax: Int

        /// Creates limits.
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

    /// The receiver's reaction to a line that exceeds the limit.
    public enum Overflow: Sendable, Hashable {
        /// Unspecified: checks report what the server does. Linejudge itself keeps the line and
        /// flags it.
        case open
        /// The line is cut at the limit; everything after that, up to the terminator, is dropped.
        case truncate
        /// The line is dropped and an error is returned.
        case reject
        /// The line is dropped silently.
        case discard
        /// The connection is closed.
        case close
    }

    /// The kind of frame.
    public enum Unit: Sendable, Equatable {
        /// A line that ends with a terminator.
        case line
        /// A length, followed by that number of bytes (ICB).
        case lengthPrefix(LengthPrefix)
        /// A command line and headers, which end with an empty line, then a body. A header gives
        /// the body length, or the body ends with a NUL (STOMP 1.2).
        case headerFrame(lengthHeader: [UInt8])
        /// A value in RESP, the Redis protocol, or an inline command, which is a line.
        case resp
    }

    /// The length field before each frame.
    public struct LengthPrefix: Sendable, Equatable {
        /// Width of the length field in bytes: 1, 2 or 4, most significant byte first.
        public var width: Int
        /// True if the length includes the length field.
        public var countsItself: Bool
        /// True if a NUL at the end of the frame is not part of its text (ICB).
        public var dropsFinalNUL: Bool

        /// Creates a length prefix.
        public init(width: Int = 1, countsItself: Bool = false, dropsFinalNUL: Bool = false) {
            self.width = width
            self.countsItself = countsItself
            self.dropsFinalNUL = dropsFinalNUL
        }
    }

    /// The meaning of an empty line.
    public enum EmptyLines: Sendable, Hashable {
        /// The line is ignored.
        case ignore
        /// The line is a message with empty text.
        case message
    }

    /// A command followed by a counted payload.
    public struct PayloadRule: Sendable, Equatable {
        /// The command's bytes on the wire.
        public var verb: [UInt8]
        /// The side that sends the command.
        public var direction: CommandDirection
        /// The field that gives the size of the payload in bytes.
        public var lengthField: LengthField
        /// True if the payload is followed by a terminator that the length does not include (NATS,
        /// memcached).
        public var terminated: Bool

        /// Creates a payload rule.
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

    /// The field that gives the size of the payload in bytes.
    public enum LengthField: Sendable, Hashable {
        case last
        /// The field at this index, counted from 0 after the command.
        case at(Int)
    }

    /// A command followed by a dot-stuffed block. The block ends with a line that consists of a
    /// single dot (RFC 5321 §4.5.2, RFC 3977 §3.1.1).
    public struct BlockRule: Sendable, Equatable {
        /// The command's bytes on the wire; empty for a message that consists only of a block.
        public var verb: [UInt8]
        /// The side that sends the command.
        public var direction: CommandDirection
        /// Lines from the other side that trigger the block; nil if the block always follows. For a
        /// server's command, these are the requests that it may answer. For a client's message,
        /// these are the answers that request it.
        public var after: [BlockTrigger]?

        /// Creates a block rule.
        public init(
            verb: [UInt8], direction: CommandDirection, after: [BlockTrigger]? = nil
        ) {
            self.verb = verb
            self.direction = direction
            self.after = after
        }
    }

    /// A line from the other side that triggers a block.
    public struct BlockTrigger: Sendable, Equatable {
        /// The command's bytes on the wire.
        public var verb: [UInt8]
        /// True if the command must have no arguments.
        public var withoutArguments: Bool

        /// Creates a trigger.
        public init(verb: [UInt8], withoutArguments: Bool = false) {
            self.verb = verb
            self.withoutArguments = withoutArguments
        }
    }

    /// A rule for grouping lines into answers.
    public enum ReplyGrouping: Sendable, Equatable {
        case none
        /// Data lines followed by a status line with the command `verb` (TeamSpeak's `error`).
        /// Lines whose command starts with `asynchronous` (`notify…`) are not part of an answer.
        case closingStatus(verb: [UInt8], asynchronous: [UInt8])
        /// A marker after a code of `codeBytes` bytes shows that the answer continues (SMTP's
        /// `250-`).
        case mark(UInt8, codeBytes: Int)
    }
}
