/// The one or two bytes that end a line.
public struct Terminator: Sendable, Hashable {
    /// The first byte of a two-byte terminator, or nil.
    public let first: UInt8?
    /// The last byte of the terminator.
    public let last: UInt8

    /// Creates a terminator of one byte.
    public init(_ last: UInt8) {
        self.first = nil
        self.last = last
    }

    /// Creates a terminator of two bytes.
    public init(_ first: UInt8, _ last: UInt8) {
        self.first = first
        self.last = last
    }

    /// Creates a terminator; nil unless there are one or two bytes.
    public init?(bytes: [UInt8]) {
        switch bytes.count {
        case 1: self.init(bytes[0])
        case 2: self.init(bytes[0], bytes[1])
        default: return nil
        }
    }

    /// LF.
    public static let lf = Terminator(ASCII.lf)
    /// CR LF.
    public static let crlf = Terminator(ASCII.cr, ASCII.lf)
    /// CR.
    public static let cr = Terminator(ASCII.cr)
    /// NUL.
    public static let nul = Terminator(ASCII.nul)
    /// LF CR, used by TeamSpeak ServerQuery.
    public static let lfcr = Terminator(ASCII.lf, ASCII.cr)
    /// CR NUL, which represents a bare carriage return in telnet's network virtual terminal (RFC
    /// 854).
    public static let crnul = Terminator(ASCII.cr, ASCII.nul)

    /// The bytes as sent.
    public var bytes: [UInt8] { if let first { [first, last] } else { [last] } }

    /// The number of bytes.
    public var count: Int { first == nil ? 1 : 2 }

    /// The name used in dialect files, or the bytes in hexadecimal if the terminator has no name.
    public var name: String {
        switch self {
        case .lf: "LF"
        case .crlf: "CRLF"
        case .cr: "CR"
        case .nul: "NUL"
        case .lfcr: "LFCR"
        case .crnul: "CRNUL"
        default:
            bytes.map { byte in
                let digits = [ASCII.hexDigit(byte >> 4), ASCII.hexDigit(byte)]
                return "0x" + String(decoding: digits, as: UTF8.self)
            }.joined(separator: " ")
        }
    }
}
