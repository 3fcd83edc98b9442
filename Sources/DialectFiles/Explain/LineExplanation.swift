public import LineProtocol

/// One line taken apart by a dialect.
public struct LineExplanation: Sendable, Equatable {
    /// The line without its terminator.
    public var line: [UInt8]
    /// What ended it; nil if nothing did.
    public var terminator: Terminator?
    /// Whose line it was taken for.
    public var direction: Direction
    /// Whether the direction was told, or found out by the command.
    public var directionWasGiven: Bool
    /// How long the line is as the dialect counts it, and the most that it may have.
    public var lineBytes: Int
    /// The most bytes that such a line may have.
    public var lineBytesMax: Int
    /// The tags before the line, decoded.
    public var tags: [Tag]
    /// The source before the command, or nil.
    public var source: [UInt8]?
    /// The command as it stands; empty where the line has none.
    public var verb: [UInt8]
    /// The signature that it was read by; nil if the dialect does not know the command.
    public var signature: CommandSignature?
    /// What the arguments are; of an unknown command, its fields.
    public var arguments: [Argument]
    /// The payload after the line, or nil.
    public var payload: [UInt8]?
    /// What is not as declared, in words.
    public var issues: [String]

    /// A tag with its decoded value.
    public struct Tag: Sendable, Equatable {
        /// The key as it stands.
        public var key: [UInt8]
        /// The value, decoded.
        public var value: [UInt8]
    }

    /// An argument with what stands for it on the wire.
    public struct Argument: Sendable, Equatable {
        /// Its name; nil for a field of an unknown command or one too many.
        public var name: String?
        /// Its type.
        public var type: ArgumentType
        /// The bytes as they stand, still escaped; nil if it is missing.
        public var raw: [UInt8]?
        /// What they mean.
        public var value: ArgumentValue
        /// Where it stands, in a word; empty for a field.
        public var place: String
        /// `missing, so the default`, or the like; empty if there is nothing to say.
        public var remark: String
    }
}
