package import DialectModel
import LineProtocol

/// Finds the values that a dialect declares secret, so that they do not stand in a scenario.
package struct DialectSecrets: Sendable {
    /// The most that are found.
    package static let countMax = 100
    /// A shorter value protects nothing; it is a sign such as `+` or `*`.
    private static let bytesMin = 2
    /// What the names of secret values in JSON contain.
    private static let jsonWords = [
        "pass", "token", "jwt", "nkey", "sig", "secret", "auth", "cred",
    ]

    private let dialect: Dialect
    private let names: LoginNames

    package init(_ dialect: BoundDialect) {
        self.dialect = dialect.dialect
        names = LoginNames(dialect)
    }

    /// The different values of secret arguments, each by a name that is made of the argument's.
    ///
    /// - Parameter known: secrets that have a name already.
    package func find(
        in conversation: Conversation, besides known: [String: [UInt8]] = [:]
    ) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        var values = Set(known.values)
        var taken = Set(known.keys)
        for event in conversation.events {
            guard case .line(let line) = event.kind else { continue }
            if line.direction == .fromClient, let name = names.name(inLine: line.bytes) {
                values.insert(name)
            }
            for (name, value) in secrets(in: line)
            where value.count >= Self.bytesMin && found.count < Self.countMax
                && values.insert(value).inserted
            {
                found[VariableName.unique(name, &taken)] = value
            }
        }
        return found
    }

    private func secrets(in line: RecordedLine) -> [(name: String, value: [UInt8])] {
        guard let command = line.command,
            let place = dialect.commands.command(named: command, line.direction)
        else { return [] }
        return dialect.commands.signatures[place].arguments.filter(\.isSecret).flatMap { argument in
            let name = VariableName.from(Array(argument.name.utf8)) ?? "secret"
            let values =
                argument.place == .payload
                ? [line.payload ?? []]
                : line.fields.filter { $0.argument == argument.name }.map { line.value($0) }
            return values.flatMap { value -> [(name: String, value: [UInt8])] in
                argument.type == .json ? Self.jsonSecrets(value) : [(name, value)]
            }
        }
    }

    /// The secret texts in a JSON object, by their keys: the rest of it is worth reading.
    private static func jsonSecrets(_ json: [UInt8]) -> [(name: String, value: [UInt8])] {
        var found: [(name: String, value: [UInt8])] = []
        var key: [UInt8]?
        var place = 0
        while place < json.count {
            guard json[place] == UInt8(ascii: "\"") else {
                if json[place] == UInt8(ascii: ",") || json[place] == UInt8(ascii: "{") {
                    key = nil
                }
                place += 1
                continue
            }
            let start = place + 1
            place = start
            while place < json.count, json[place] != UInt8(ascii: "\"") {
                place += json[place] == UInt8(ascii: "\\") ? 2 : 1
            }
            let text = Array(json[min(start, json.count)..<min(place, json.count)])
            place += 1
            if let known = key {
                let word = String(decoding: known, as: UTF8.self).lowercased()
                if jsonWords.contains(where: word.contains) {
                    found.append((VariableName.from(known) ?? "secret", text))
                }
                key = nil
            } else {
                key = text
            }
        }
        return found
    }
}
