import Diagnostics
import Scenario

/// A redactor that replaces secrets in text with `{{name}}`.
struct SecretRedactor: Sendable {
    /// Minimum length of a secret that is replaced even inside a word, in bytes. Shorter secrets
    /// are replaced only as whole words, because they may be part of other words by chance.
    private static let embeddedBytesMin = SecretMask.outputBytesMin
    /// Minimum length of a secret that is replaced next to any punctuation, in bytes. Shorter
    /// secrets are replaced only between spaces, commas and quotes, as in JSON.
    private static let wordBytesMin = 4
    private static let separators = Set(" \t,;:|=\"'{}[]<>\r\n".utf8)

    private let secrets: [(name: String, value: [UInt8])]

    /// Creates a redactor.
    ///
    /// - Parameter secrets: Values of the secrets, by name. Empty values are ignored.
    init(_ secrets: [String: [UInt8]]) {
        // Longest first, because one secret may contain another.
        self.secrets = secrets.filter { !$0.value.isEmpty }
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            .map { (name: $0.key, value: $0.value) }
    }

    /// Returns the names of the secrets whose placeholders occur in any of the strings.
    func names(in texts: [String]) -> [String] {
        secrets.map(\.name).filter { name in texts.contains { $0.contains("{{\(name)}}") } }
            .sorted()
    }

    /// Returns the text with placeholders for the secrets in it; nil if there are none.
    func pieces(of bytes: [UInt8]) -> [ScenarioSpelling.Piece]? {
        let pieces = redacted(.bytes(bytes))
        return pieces.count > 1 ? FieldVariants.joined(pieces) : nil
    }

    func wireText(_ pieces: [ScenarioSpelling.Piece]) -> String {
        ScenarioSpelling.wireText(redacted(pieces))
    }

    func string(_ bytes: [UInt8]) -> String { string([.bytes(bytes)]) }

    func string(_ pieces: [ScenarioSpelling.Piece]) -> String {
        let parts = (secrets.isEmpty ? pieces : redacted(pieces)).map { piece in
            switch piece {
            case .bytes(let bytes): String(ScenarioSpelling.string(bytes).dropFirst().dropLast())
            case .placeholder(let placeholder): placeholder
            }
        }
        return "\"\(parts.joined())\""
    }

    private func redacted(_ pieces: [ScenarioSpelling.Piece]) -> [ScenarioSpelling.Piece] {
        secrets.isEmpty ? pieces : FieldVariants.joined(pieces).flatMap(redacted)
    }

    private func redacted(_ piece: ScenarioSpelling.Piece) -> [ScenarioSpelling.Piece] {
        guard case .bytes(let bytes) = piece else { return [piece] }
        var result: [ScenarioSpelling.Piece] = []
        var start = 0
        var offset = 0
        while offset < bytes.count {
            let secret = secrets.first { matches($0.value, bytes, offset) }
            guard let secret else {
                offset += 1
                continue
            }
            result += [.bytes(Array(bytes[start..<offset])), .placeholder("{{\(secret.name)}}")]
            offset += secret.value.count
            start = offset
        }
        return result + [.bytes(Array(bytes[start...]))]
    }

    private func matches(_ secret: [UInt8], _ bytes: [UInt8], _ offset: Int) -> Bool {
        guard bytes[offset...].starts(with: secret) else { return false }
        if secret.count >= Self.embeddedBytesMin { return true }
        let end = offset + secret.count
        func isBoundary(_ byte: UInt8) -> Bool {
            secret.count < Self.wordBytesMin ? Self.separators.contains(byte) : !isWordByte(byte)
        }
        return (offset == 0 || isBoundary(bytes[offset - 1]))
            && (end == bytes.count || isBoundary(bytes[end]))
    }
}
