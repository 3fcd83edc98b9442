/// A nickname that may be used.
///
/// Two spellings are the same nickname if they are canonically equivalent after Unicode's upper-casing and
/// then lower-casing, without regard to any language. Going over upper case also makes `ß` and `SS`, `ς`
/// and `σ` equal. It errs on the side of "taken".
public struct Nickname: Sendable, Hashable {
    /// How long a nickname is where nothing else is said.
    public static let bytesMaxByDefault = 64

    /// The nickname as it was given, in UTF-8.
    public let bytes: [UInt8]
    /// Equal for all spellings of the same nickname.
    public let key: String

    /// The nickname of these bytes.
    public init(_ bytes: [UInt8], bytesMax: Int = bytesMaxByDefault) throws(NicknameError) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= bytesMax else { throw .tooLong(bytesMax: bytesMax) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        guard !text.unicodeScalars.contains(where: Self.isForbidden) else {
            throw .controlCharacter
        }
        guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace
        else { throw .blankAtEnd }
        self.bytes = bytes
        key = Self.key(text)
    }

    /// The nickname of this text.
    public init(_ text: String, bytesMax: Int = bytesMaxByDefault) throws(NicknameError) {
        try self.init(Array(text.utf8), bytesMax: bytesMax)
    }

    /// The nickname as it was given.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The key of whatever spelling; nil if it cannot be a nickname.
    public static func key(of bytes: [UInt8], bytesMax: Int = bytesMaxByDefault) -> String? {
        guard bytes.count <= bytesMax else { return nil }
        return String(validating: bytes, as: UTF8.self).map(key)
    }

    private static func key(_ text: String) -> String { text.uppercased().lowercased() }

    /// Controls, and what is invisible: names that look the same must be the same.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Whether they are spellings of the same nickname.
    public static func == (one: Nickname, other: Nickname) -> Bool { one.key == other.key }

    /// Equal for all spellings.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// Why something cannot be a nickname.
public enum NicknameError: Error, Sendable, Hashable, CustomStringConvertible {
    case empty
    case tooLong(bytesMax: Int)
    case notUTF8
    case controlCharacter
    case blankAtEnd
    /// Somebody has it, maybe in another case.
    case inUse

    /// The reason, for people.
    public var description: String {
        switch self {
        case .empty: "the nickname is empty"
        case .tooLong(let bytesMax): "the nickname is longer than \(bytesMax) bytes"
        case .notUTF8: "the nickname is not UTF-8"
        case .controlCharacter: "the nickname has a control character"
        case .blankAtEnd: "the nickname starts or ends with a blank"
        case .inUse: "the nickname is in use"
        }
    }
}
