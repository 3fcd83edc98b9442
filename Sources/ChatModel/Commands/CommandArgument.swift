public import LineProtocol

/// A property type with its own conversion to and from arguments.
public protocol CommandArgument: Codable, Sendable {
    /// Returns whether this type can represent arguments of `type`.
    static func fits(_ type: ArgumentType) -> Bool
    /// The value used for a missing argument.
    static var empty: Self { get }
    /// Converts an argument to a value.
    ///
    /// - Throws: ``ArgumentMismatch`` if the argument is not a valid value.
    init(argument: ArgumentValue) throws(ArgumentMismatch)
    /// The value as an argument; `.absent` omits the argument.
    var argument: ArgumentValue { get }
}

/// The reason an argument cannot be converted to a property's type.
public struct ArgumentMismatch: Error, Sendable, Hashable {
    /// A description of what was expected, such as `expected a time`.
    public var reason: String

    /// Creates a mismatch with a reason.
    public init(_ reason: String) { self.reason = reason }
}

/// A point in time, in nanoseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: CommandArgument, Hashable, Comparable {
    /// Nanoseconds since 1970-01-01T00:00:00Z; negative for earlier times.
    public var nanoseconds: Int64

    /// Creates a time from nanoseconds since 1970-01-01T00:00:00Z.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Returns whether `left` is earlier than `right`.
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Returns true for time arguments.
    public static func fits(_ type: ArgumentType) -> Bool {
        if case .time = type { true } else { false }
    }

    /// 1970-01-01T00:00:00Z.
    public static var empty: Timestamp { Timestamp(nanoseconds: 0) }

    /// Converts a time argument.
    ///
    /// - Throws: ``ArgumentMismatch`` for other arguments.
    public init(argument: ArgumentValue) throws(ArgumentMismatch) {
        guard case .time(let nanoseconds) = argument else {
            throw ArgumentMismatch("expected a time")
        }
        self.nanoseconds = nanoseconds
    }

    /// The time as an argument.
    public var argument: ArgumentValue { .time(nanoseconds) }
}

extension Decimal64: CommandArgument {
    /// Returns true for decimal and integer arguments.
    public static func fits(_ type: ArgumentType) -> Bool { type == .decimal || type == .int }

    /// Zero.
    public static var empty: Decimal64 { Decimal64(unscaled: 0, scale: 0) }

    /// Converts a decimal or integer argument.
    ///
    /// - Throws: ``ArgumentMismatch`` for other arguments.
    public init(argument: ArgumentValue) throws(ArgumentMismatch) {
        switch argument {
        case .decimal(let number): self = number
        case .int(let number): self.init(unscaled: number, scale: 0)
        default: throw ArgumentMismatch("expected a number")
        }
    }

    /// The number as an argument.
    public var argument: ArgumentValue { .decimal(self) }

    /// Decodes the unscaled digits and the scale.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        self.init(
            unscaled: try container.decode(Int64.self), scale: try container.decode(Int.self))
    }

    /// Encodes the unscaled digits and the scale.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(unscaled)
        try container.encode(scale)
    }
}
