/// The type of an argument, which determines how it is converted.
public indirect enum ArgumentType: Sendable, Equatable {
    /// A decimal integer that fits into 64 bits.
    case int
    case bool(BoolSpelling)
    /// A decimal number with exact precision.
    case decimal
    /// UTF-8 text, not validated during decoding.
    case text
    /// Bytes in no particular encoding.
    case bytes
    /// A list of values of one type, separated by a byte.
    case list(of: ArgumentType, separator: UInt8)
    case time(TimeFormat)
    /// One word from a list.
    case choice([String])
    /// JSON text, passed through unchanged.
    case json
    /// XML text, passed through unchanged.
    case xml

    /// The name used in dialect files and messages.
    public var name: String {
        switch self {
        case .int: "int"
        case .bool: "bool"
        case .decimal: "decimal"
        case .text: "text"
        case .bytes: "bytes"
        case .list(let element, _): "list of \(element.name)"
        case .time: "time"
        case .choice: "choice"
        case .json: "json"
        case .xml: "xml"
        }
    }
}

/// The accepted words for a Boolean. The first word for each value is used when sending.
public struct BoolSpelling: Sendable, Equatable {
    /// The accepted words for true.
    public var yes: [[UInt8]]
    /// The accepted words for false.
    public var no: [[UInt8]]

    /// Creates a spelling from the accepted words.
    public init(yes: [String], no: [String]) {
        self.yes = yes.map { Array($0.utf8) }
        self.no = no.map { Array($0.utf8) }
    }

    /// `1` and `0`, as in the `livechat` dialect.
    public static let digits = BoolSpelling(yes: ["1"], no: ["0"])

    /// `true` and `false`, as in JSON.
    public static let json = BoolSpelling(yes: ["true"], no: ["false"])
}

/// The format of a point in time.
public enum TimeFormat: Sendable, Hashable {
    /// Seconds since 1970-01-01T00:00:00Z. Fractions are accepted, but times are sent as whole
    /// seconds, rounded down.
    case unixSeconds
    /// Milliseconds since 1970-01-01T00:00:00Z. Fractions are accepted, but times are sent as whole
    /// milliseconds, rounded down.
    case unixMilliseconds
    /// RFC 3339, such as `2012-06-30T23:59:60.419Z`. Times are sent in UTC, with the `Z` suffix
    /// (IRCv3 `server-time`).
    case rfc3339
}
