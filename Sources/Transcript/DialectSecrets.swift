package import DialectModel
import LineProtocol

/// A finder for the values of arguments that a dialect declares secret, so that these values do not
/// appear in scenarios.
package struct DialectSecrets: Sendable {
    /// Maximum number of secrets.
    package static let countMax = 100
    /// JSON values that are never secret, regardless of their key.
    private static let jsonWords = ["true", "false", "null"].map { Array($0.utf8) }

    private let dialect: Dialect
    private let names: LoginNames

    package init(_ dialect: BoundDialect) {
        self.dialect = dialect.dialect
        names = LoginNames(dialect)
    }

    /// Returns the values of secret arguments, without duplicates, each with a name derived from
    /// the argument.
    ///
    /// - Parameter known: Secrets that already have a name. They are not returned.
    package func find(
        in conversation: Conversation, besides known: [String: [UInt8]] = [:]
    ) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        var values = Set(known.values)
        var taken = Set(known.keys)
        var arguments = SecretArguments(dialect)
        for event in conversation.events {
            guard case .line(let line) = event.kind else { continue }
            if line.direction == .fromClient, let name = names.name(inLine: line.bytes) {
                values.insert(name)
            }
            let secrets = arguments.secrets(
                in: line.bytes, payload: line.payload, from: line.direction)
            for secret in secrets {
                for value in secret.values
                where Self.isSecret(value) && found.count < Self.countMax
                    && values.insert(value).inserted
                {
                    let name = VariableName.from(secret.name) ?? "secret"
                    found[VariableName.unique(name, &taken)] = value
                }
            }
        }
        return found
    }

    /// Returns false for values that are symbols, such as `+` or `*`, or JSON keywords.
    private static func isSecret(_ value: [UInt8]) -> Bool {
        (value.count > 1 || value.contains(where: isWordByte)) && !jsonWords.contains(value)
    }
}
