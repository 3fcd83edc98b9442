/// What an argument is, which decides how it is converted.
public indirect enum ArgumentType: Sendable, Equatable {
    /// A whole number that fits 64 bits, in decimal.
    case int
    case bool(BoolSpelling)
    /// A decimal number, kept exactly.
    case decimal
    /// Text: UTF-8 that is not checked on the hot path.
    case text
    /// Bytes with no encoding.
    case bytes
    /// Values of one type with a separator between them.
    case list(of: ArgumentType, separator: UInt8)
    case time(TimeFormat)
    /// One of these words.
    case choice([String])
    /// A JSON text, to be decoded by a library.
    case json
    /// An XML text, to be decoded by a library.
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

/// How truth is written. The first spelling of each is the one that is sent.
public struct BoolSpelling: Sendable, Equatable {
    /// What is true.
    public var yes: [[UInt8]]
    /// What is false.
    public var no: [[UInt8]]

    /// A value from its parts.
    public init(yes: [String], no: [String]) {
        self.yes = yes.map { Array($0.utf8) }
        self.no = no.map { Array($0.utf8) }
    }

    /// `1` and `0`, as the LiveChat clients write them.
    public static let digits = BoolSpelling(yes: ["1"], no: ["0"])
}

/// How a point in time is written.
public enum TimeFormat: Sendable, Hashable {
    /// Seconds since 1970-01-01T00:00:00Z: read with an optional fraction, sent as the whole seconds that
    /// have passed.
    case unixSeconds
    /// Milliseconds since then, in the same way.
    case unixMilliseconds
    /// `2012-06-30T23:59:60.419Z`: RFC 3339, with the offset `Z` when sent (IRCv3 `server-time`).
    case rfc3339
}
