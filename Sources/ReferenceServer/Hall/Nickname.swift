/// A nickname that may be used.
///
/// Two spellings are the same nickname if they are canonically equivalent after Unicode's upper-casing and
/// then lower-casing, without regard to any language. Going over upper case also makes `ß` and `SS`, `ς`
/// and `σ` equal. It errs on the side of "taken".
package struct Nickname: Sendable, Hashable {
    /// The nickname as it was given, in UTF-8.
    package let bytes: [UInt8]
    /// Equal for all spellings of the same nickname.
    package let key: String

    /// - Throws: the refusal, if the nickname is empty, too long, no UTF-8, has control characters, or
    ///   starts or ends with white space.
    package init(_ bytes: [UInt8], bytesMax: Int) throws(Refusal) {
        guard !bytes.isEmpty else { throw Refusal(.badCredentials, "the nickname is empty") }
        guard bytes.count <= bytesMax else {
            throw Refusal(.badCredentials, "the nickname is longer than \(bytesMax) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Refusal(.badCredentials, "the nickname is not UTF-8")
        }
        guard !text.unicodeScalars.contains(where: Self.isForbidden) else {
            throw Refusal(.badCredentials, "the nickname has a control character")
        }
        guard let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace
        else { throw Refusal(.badCredentials, "the nickname starts or ends with a blank") }
        self.bytes = bytes
        key = Self.key(text)
    }

    /// The key of whatever spelling; nil if it cannot be a nickname.
    package static func key(of bytes: [UInt8], bytesMax: Int) -> String? {
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
}

extension Refusal: Error {}
