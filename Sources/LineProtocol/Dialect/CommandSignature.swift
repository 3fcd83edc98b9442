/// One command: what it is called on the wire and in messages, and its typed arguments in order.
public struct CommandSignature: Sendable, Equatable {
    /// The name in messages, such as `didReceive`.
    public var name: String
    /// How it is recognised on the wire.
    public var wire: WireName
    /// Who sends it.
    public var direction: CommandDirection
    /// The arguments in order.
    public var arguments: [ArgumentSignature]
    /// Nil: the dialect's.
    public var tolerance: Tolerance?
    /// What the command is for, in a sentence.
    public var summary: String
    /// The id of the clause that defines it, or nil.
    public var clause: String?

    /// A value from its parts.
    public init(
        name: String, wire: WireName, direction: CommandDirection,
        arguments: [ArgumentSignature] = [], tolerance: Tolerance? = nil, summary: String = "",
        clause: String? = nil
    ) {
        self.name = name
        self.wire = wire
        self.direction = direction
        self.arguments = arguments
        self.tolerance = tolerance
        self.summary = summary
        self.clause = clause
    }

    /// How few fields the command can do with.
    public var requiredCount: Int {
        arguments.count { $0.isPositional && $0.isRequired }
    }

    /// The argument that is a counted payload or a block, if there is one.
    public var payloadArgument: Int? { arguments.firstIndex { $0.place == .payload } }
}

/// How a command is recognised.
public enum WireName: Sendable, Hashable {
    case exact([UInt8])
    /// A command of so many digits (IRC's numerics, MSNP's errors). The digits are its first argument.
    case digits(Int)
    /// Commands that start with these bytes (TeamSpeak's `notify…`). The whole is its first argument.
    case prefix([UInt8])
    /// Lines without a command.
    case none
}

/// One argument of a command.
public struct ArgumentSignature: Sendable, Equatable {
    /// What it is called.
    public var name: String
    /// What it is.
    public var type: ArgumentType
    /// Where it stands.
    public var place: Place
    /// Whether it may be left out.
    public var presence: Presence
    /// What it is where it is left out.
    public var defaultValue: ArgumentValue?
    /// Whether it is a password or the like, to be masked wherever people see it.
    public var isSecret: Bool

    /// A value from its parts.
    public init(
        _ name: String, _ type: ArgumentType, place: Place = .field, presence: Presence = .required,
        defaultValue: ArgumentValue? = nil, isSecret: Bool = false
    ) {
        self.name = name
        self.type = type
        self.place = place
        self.presence = presence
        self.defaultValue = defaultValue
        self.isSecret = isSecret
    }

    /// Whether it must be given.
    public var isRequired: Bool { presence == .required && defaultValue == nil }

    /// Where an argument stands.
    public enum Place: Sendable, Hashable {
        /// In order among the fields.
        case field
        /// A `key=value` field, or an option, of this name.
        case key([UInt8])
        /// The counted payload or the block after the line.
        case payload
        /// The payload's byte count: written by the codec, checked by the framer.
        case payloadLength
        /// The transaction id.
        case correlation
        /// The source before the command.
        case source
        /// A tag of this name.
        case tag([UInt8])
        /// An option without a value (`-name`), which is true where it stands.
        case option([UInt8])
        /// The command itself, where it is a class of commands.
        case verb
    }

    /// Whether an argument may be left out.
    public enum Presence: Sendable, Hashable {
        case required
        /// May be left out; the fields after it move up.
        case optional
        /// Takes as many fields as are left over, as a list.
        case variadic
    }
}

/// What happens when the number or the form of arguments is not the declared one.
public struct Tolerance: Sendable, Equatable {
    /// What happens when arguments are missing.
    public var tooFew: TooFew
    /// What happens when there are more.
    public var tooMany: TooMany
    /// What happens when a value is not of its type.
    public var mismatch: Mismatch

    /// The default is what the LiveChat clients did: an older peer sends fewer, a newer one more.
    public init(
        tooFew: TooFew = .fill, tooMany: TooMany = .ignore, mismatch: Mismatch = .zero
    ) {
        self.tooFew = tooFew
        self.tooMany = tooMany
        self.mismatch = mismatch
    }

    /// What happens when arguments are missing.
    public enum TooFew: Sendable, Hashable {
        /// What is missing becomes empty, 0 or false.
        case fill
        /// The command is refused.
        case reject
        /// Not said: to be measured.
        case open
    }

    /// What happens when there are more.
    public enum TooMany: Sendable, Hashable {
        /// The extra ones are ignored, with one warning a command.
        case ignore
        /// They belong to the last argument.
        case joinLast
        case reject
        case open
    }

    /// What happens when a value is not of its type.
    public enum Mismatch: Sendable, Hashable {
        /// A value that is not of its type becomes empty, 0 or false.
        case zero
        case reject
        case open
    }
}
