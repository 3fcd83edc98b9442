public import LineProtocol

/// A type of property that converts to and from an argument by itself.
public protocol CommandArgument: Codable, Sendable {
    /// Whether an argument of this type can be one.
    static func fits(_ type: ArgumentType) -> Bool
    /// What a missing argument is.
    static var empty: Self { get }
    /// The value that the argument is, or why it is none.
    init(argument: ArgumentValue) throws(ArgumentMismatch)
    /// The argument that the value is; `.absent` leaves it out.
    var argument: ArgumentValue { get }
}

/// Why an argument is no value of a property's type: what was expected, and what came.
public struct ArgumentMismatch: Error, Sendable, Hashable {
    /// `expected a time`.
    public var reason: String

    /// A reason.
    public init(_ reason: String) { self.reason = reason }
}

/// A point in time: nanoseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: CommandArgument, Hashable, Comparable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public var nanoseconds: Int64

    /// The time so many nanoseconds after 1970-01-01T00:00:00Z.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Whether `left` is earlier.
    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Any argument that is a time.
    public static func fits(_ type: ArgumentType) -> Bool {
        if case .time = type { true } else { false }
    }

    /// The start of 1970.
    public static var empty: Timestamp { Timestamp(nanoseconds: 0) }

    /// The time that the argument is.
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
    /// Decimals, and integers.
    public static func fits(_ type: ArgumentType) -> Bool { type == .decimal || type == .int }

    /// 0.
    public static var empty: Decimal64 { Decimal64(unscaled: 0, scale: 0) }

    /// The number that the argument is.
    public init(argument: ArgumentValue) throws(ArgumentMismatch) {
        switch argument {
        case .decimal(let number): self = number
        case .int(let number): self.init(unscaled: number, scale: 0)
        default: throw ArgumentMismatch("expected a number")
        }
    }

    /// The number as an argument.
    public var argument: ArgumentValue { .decimal(self) }

    /// The number as its digits and the place of the point.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        self.init(
            unscaled: try container.decode(Int64.self), scale: try container.decode(Int.self))
    }

    /// The number as its digits and the place of the point.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(unscaled)
        try container.encode(scale)
    }
}
