package import DialectModel
import LineProtocol

/// Finds the values of arguments that are declared secret, so that they can be kept out of
/// scenarios.
package struct DialectSecrets: Sendable {
    /// The maximum number of secrets.
    package static let countMax = 100
    /// The minimum length of a secret. Shorter values are symbols such as `+` or `*`.
    private static let bytesMin = 2

    private let dialect: Dialect
    private let names: LoginNames

    package init(_ dialect: BoundDialect) {
        self.dialect = dialect.dialect
        names = LoginNames(dialect)
    }

    /// Returns the distinct values of secret arguments, with names derived from the arguments.
    ///
    /// - Parameter known: the secrets that already have a name.
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
            let index = dialect.commands.command(named: command, line.direction)
        else { return [] }
        return dialect.commands.signatures[index].arguments.filter(\.isSecret).flatMap { argument in
            let name = VariableName.from(Array(argument.name.utf8)) ?? "secret"
            let values =
                argument.position == .payload
                ? [line.payload ?? []]
                : line.fields.filter { $0.argument == argument.name }.map { line.value($0) }
            return values.flatMap { value -> [(name: String, value: [UInt8])] in
                argument.type == .json ? Self.jsonSecrets(value) : [(name, value)]
            }
        }
    }

    /// Returns the secrets in a JSON value with names derived from their keys.
    private static func jsonSecrets(_ json: [UInt8]) -> [(name: String, value: [UInt8])] {
        JSONSecrets.values(in: json, json.indices).map { key, value in
            (VariableName.from(key) ?? "secret", Array(json[value]))
        }
    }
}
