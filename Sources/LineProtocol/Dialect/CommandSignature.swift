/// A command: its names and its typed arguments.
public struct CommandSignature: Sendable, Equatable {
    /// The name in dialects and scenarios, such as `didReceive`.
    public var name: String
    /// The name on the wire.
    public var wire: WireName
    /// The side that sends the command.
    public var direction: CommandDirection
    /// The arguments in order.
    public var arguments: [ArgumentSignature]
    /// Rules for unexpected arguments; nil to use the rules of the dialect.
    public var tolerance: Tolerance?
    /// A one-sentence description.
    public var summary: String
    /// ID of the clause that defines the command, or nil.
    public var clause: String?

    /// Creates a signature.
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

    /// The minimum number of fields in a line with this command.
    public var requiredCount: Int {
        arguments.count { $0.isPositional && $0.isRequired }
    }

    /// Returns true if an argument has this key in lines with keys.
    package func declares(key: [UInt8]) -> Bool {
        arguments.contains { $0.position == .key(key) || key.elementsEqual($0.name.utf8) }
    }

    /// Index of the argument that holds the payload (counted or dot-terminated), or nil.
    public var payloadArgument: Int? { arguments.firstIndex { $0.position == .payload } }
}

/// The bytes or pattern that identify a command on the wire.
public enum WireName: Sendable, Hashable {
    case exact([UInt8])
    /// Any command that consists of this many digits (nil: any number of digits), such as an IRC
    /// numeric or an MSNP error. The argument at the `verb` position holds the digits.
    case digits(Int?)
    /// Any command that starts with these bytes, such as TeamSpeak's `notify…`. The argument at the
    /// `verb` position holds the whole command.
    case prefix([UInt8])
    /// A line without a command.
    case none
    /// The client's line after one of ``Framing/linePrompts``. The whole line is the payload.
    case prompted

    /// The value for the `verb` of a ``Framing/BlockRule``; nil if no block rule can refer to this
    /// kind of name.
    package var blockVerb: [UInt8]? {
        switch self {
        case .exact(let verb): verb
        case .none: []
        case .digits, .prefix, .prompted: nil
        }
    }
}

/// Declaration of a command's argument.
public struct ArgumentSignature: Sendable, Equatable {
    /// The name of the argument.
    public var name: String
    /// The type of the argument.
    public var type: ArgumentType
    /// The part of the line that holds the argument.
    public var position: Position
    /// The number of fields that the argument may take: required, optional or variadic.
    public var presence: Presence
    /// The value to use if the argument is omitted, or nil.
    public var defaultValue: ArgumentValue?
    /// True for passwords and similar values, which are masked in all output.
    public var isSecret: Bool
    /// Condition for masking a secret argument; nil if it is always masked.
    package var secretCondition: SecretCondition?

    /// Creates an argument declaration.
    public init(
        _ name: String, _ type: ArgumentType, position: Position = .field,
        presence: Presence = .required,
        defaultValue: ArgumentValue? = nil, isSecret: Bool = false
    ) {
        self.name = name
        self.type = type
        self.position = position
        self.presence = presence
        self.defaultValue = defaultValue
        self.isSecret = isSecret
    }

    /// True if the argument is intended for secrets. Other arguments declared secret hold ordinary
    /// text that rarely contains a secret.
    package var isCredential: Bool {
        isSecret && secretCondition?.isForServices != true
    }

    /// True if the argument must be present.
    public var isRequired: Bool { presence == .required && defaultValue == nil }

    /// The part of a line that holds an argument.
    public enum Position: Sendable, Hashable {
        /// The next field in sequence.
        case field
        /// A `key=value` field or an option with this name.
        case key([UInt8])
        /// The counted payload or the dot-terminated block after the line.
        case payload
        /// The size of the payload in bytes. The encoder fills it in.
        case payloadLength
        /// The transaction ID.
        case correlation
        /// The source before the command.
        case source
        /// A tag with this name.
        case tag([UInt8])
        /// An option without a value (`-name`); true if present.
        case option([UInt8])
        /// The command itself. Used for commands that are recognised by their digits or prefix.
        case verb
    }

    /// The number of fields that an argument may take.
    public enum Presence: Sendable, Hashable {
        case required
        /// May be omitted; the fields after it then move up by one.
        case optional
        /// Takes all remaining fields as a list.
        case variadic
    }
}

/// Rules for missing, extra and invalid arguments.
public struct Tolerance: Sendable, Equatable {
    /// Rule for missing arguments.
    public var tooFew: TooFew
    /// Rule for extra arguments.
    public var tooMany: TooMany
    /// Rule for values that do not have the declared type.
    public var mismatch: Mismatch

    /// Creates tolerance rules. The defaults accept lines from older software, which sends fewer
    /// arguments, and from newer software, which sends more.
    public init(
        tooFew: TooFew = .fill, tooMany: TooMany = .ignore, mismatch: Mismatch = .zero
    ) {
        self.tooFew = tooFew
        self.tooMany = tooMany
        self.mismatch = mismatch
    }

    /// Rule for missing arguments.
    public enum TooFew: Sendable, Hashable {
        /// Missing arguments are set to empty, 0 or false.
        case fill
        /// The command is refused.
        case reject
        /// Unspecified; checks report what the server does.
        case open
    }

    /// Rule for extra arguments.
    public enum TooMany: Sendable, Hashable {
        /// Extra arguments are ignored, with one warning per command.
        case ignore
        /// Extra fields become part of the last argument.
        case joinLast
        case reject
        case open
    }

    /// Rule for values that do not have the declared type.
    public enum Mismatch: Sendable, Hashable {
        /// The value is replaced with empty, 0 or false.
        case zero
        case reject
        case open
    }
}

/// A condition for masking a secret argument.
package enum SecretCondition: Sendable, Equatable {
    /// Another argument of the command contains certain bytes, such as the `k` in IRC's `MODE #room
    /// +k key`.
    case contains([UInt8], argument: String)
    /// The value is neither the name of a SASL mechanism nor a symbol of a SASL exchange.
    case isSASLData
    /// Another argument names an IRC service, and the value is a command with a password, such as
    /// `IDENTIFY hunter2`. Alternatively, the other argument is such a command, and the value holds
    /// its parameters.
    case isForServices(argument: String)
    /// The value is a command for IRC services with a password, such as `IDENTIFY hunter2`.
    case isServicesMessage

    /// True if the secret is part of a message to IRC services.
    package var isForServices: Bool {
        switch self {
        case .isForServices, .isServicesMessage: true
        case .contains, .isSASLData: false
        }
    }

    /// Name of the argument whose value is tested; nil for the secret argument itself.
    package var argument: String? {
        switch self {
        case .contains(_, let argument), .isForServices(let argument): argument
        case .isSASLData, .isServicesMessage: nil
        }
    }

    /// Returns the offset of the secret in the value of the secret argument; nil if the value is
    /// not secret.
    ///
    /// - Parameter tested: the value of the argument that the condition tests.
    package func start(in value: Span<UInt8>, given tested: Span<UInt8>) -> Int? {
        switch self {
        case .contains(let bytes, _):
            let last = tested.count - bytes.count
            // A single letter is a mode or a flag, whose case matters.
            let ignoresCase = bytes.count > 1
            let isMet = (0..<max(0, last + 1)).contains { start in
                tested.matches(
                    start..<(start + bytes.count), bytes, ignoringCase: ignoresCase)
            }
            return isMet ? 0 : nil
        case .isSASLData: return SASLWords.contains(tested.array(0..<tested.count)) ? nil : 0
        case .isForServices:
            return ServicesMessage.isService(tested)
                ? ServicesMessage.password(in: value)
                : ServicesMessage.password(of: tested, in: value)
        case .isServicesMessage: return ServicesMessage.password(in: value)
        }
    }
}
