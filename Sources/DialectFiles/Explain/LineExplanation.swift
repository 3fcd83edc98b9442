public import LineProtocol

/// A line's contents as decoded by a dialect, and its violations of the dialect.
public struct LineExplanation: Sendable, Equatable {
    /// The line without its terminator.
    public var line: [UInt8]
    /// Terminator of the line; nil if there is none.
    public var terminator: Terminator?
    /// The side that sent the line, as given or inferred.
    public var direction: Direction
    /// True if the direction was given, false if it was inferred from the command.
    public var directionWasGiven: Bool
    /// Length of the line as the dialect counts it, in bytes.
    public var lineBytes: Int
    /// Maximum line length that the dialect allows in this direction, in bytes.
    public var lineBytesMax: Int
    /// The tags before the line, with their values decoded.
    public var tags: [Tag]
    /// The source before the command; nil if there is none.
    public var source: [UInt8]?
    /// The command as written; empty if the line has none.
    public var verb: [UInt8]
    /// Signature of the command; nil if the dialect does not define it.
    public var signature: CommandSignature?
    /// The arguments, or the raw fields of an unknown command.
    public var arguments: [Argument]
    /// Payload after the line; nil if there is none.
    public var payload: [UInt8]?
    /// Descriptions of the line's dialect violations.
    public var issues: [String]

    /// A tag with its decoded value.
    public struct Tag: Sendable, Equatable {
        /// Key as written.
        public var key: [UInt8]
        /// Decoded value.
        public var value: [UInt8]
    }

    /// An argument and its bytes on the wire.
    public struct Argument: Sendable, Equatable {
        /// Name of the argument; nil for surplus fields and for fields of an unknown command.
        public var name: String?
        /// Type of the argument; bytes for a surplus field or a field of an unknown command.
        public var type: ArgumentType
        /// Bytes on the wire, still escaped; nil if the argument is missing.
        public var raw: [UInt8]?
        /// Decoded value.
        public var value: ArgumentValue
        /// Position of the argument in the line, such as `payload`; empty for a plain field.
        public var position: String
        /// A note such as `missing, default used`; empty if there is none.
        public var note: String
    }
}
