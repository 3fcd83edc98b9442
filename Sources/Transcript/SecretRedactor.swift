import Scenario

/// Puts `{{name}}` in the place of each secret, wherever it stands in what was said.
struct SecretRedactor: Sendable {
    /// A shorter secret is covered only where it stands by itself: it occurs in words by chance.
    private static let embeddedBytesMin = 4

    private let secrets: [(name: String, value: [UInt8])]

    /// - Parameter secrets: the values by the names that stand for them; an empty value is none.
    init(_ secrets: [String: [UInt8]]) {
        // The longest first, so that one that contains another is covered whole.
        self.secrets = secrets.filter { !$0.value.isEmpty }
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            .map { (name: $0.key, value: $0.value) }
    }

    /// The names among those whose placeholders stand in a text.
    func names(in texts: [String]) -> [String] {
        secrets.map(\.name).filter { name in texts.contains { $0.contains("{{\(name)}}") } }
            .sorted()
    }

    /// The pieces as wire text.
    func wireText(_ pieces: [ScenarioSpelling.Piece]) -> String {
        ScenarioSpelling.wireText(covered(pieces))
    }

    /// The bytes as a quoted string.
    func string(_ bytes: [UInt8]) -> String {
        let parts = covered([.bytes(bytes)]).map { piece in
            switch piece {
            case .bytes(let bytes): String(ScenarioSpelling.string(bytes).dropFirst().dropLast())
            case .placeholder(let placeholder): placeholder
            }
        }
        return "\"\(parts.joined())\""
    }

    private func covered(_ pieces: [ScenarioSpelling.Piece]) -> [ScenarioSpelling.Piece] {
        secrets.isEmpty ? pieces : FieldVariants.joined(pieces).flatMap(covered)
    }

    private func covered(_ piece: ScenarioSpelling.Piece) -> [ScenarioSpelling.Piece] {
        guard case .bytes(let bytes) = piece else { return [piece] }
        var result: [ScenarioSpelling.Piece] = []
        var start = 0
        var place = 0
        while place < bytes.count {
            let secret = secrets.first { isThere($0.value, bytes, place) }
            guard let secret else {
                place += 1
                continue
            }
            result += [.bytes(Array(bytes[start..<place])), .placeholder("{{\(secret.name)}}")]
            place += secret.value.count
            start = place
        }
        return result + [.bytes(Array(bytes[start...]))]
    }

    private func isThere(_ secret: [UInt8], _ bytes: [UInt8], _ place: Int) -> Bool {
        guard bytes[place...].starts(with: secret) else { return false }
        if secret.count >= Self.embeddedBytesMin { return true }
        let end = place + secret.count
        return (place == 0 || !isWordByte(bytes[place - 1]))
            && (end == bytes.count || !isWordByte(bytes[end]))
    }
}
