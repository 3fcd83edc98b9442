package import LineProtocol

/// Finds the values of arguments that a dialect declares secret.
package struct SecretArguments {
    private let signatures: [CommandSignature]
    private let decoder: MessageDecoder
    private var message = Message()
    /// True if any command of the dialect has a secret argument.
    private let isNeeded: Bool

    package init(_ dialect: Dialect) {
        signatures = dialect.commands.signatures
        decoder = MessageDecoder(dialect)
        isNeeded = signatures.contains { $0.arguments.contains(where: \.isSecret) }
    }

    /// The text that replaces a secret, whatever its length.
    package static let stars = Array("***".utf8)

    /// Returns a line and its payload with each secret replaced, and calls `found` with the secrets as
    /// they were spelled.
    ///
    /// - Parameter line: the line without its terminator.
    package mutating func masked(
        _ line: [UInt8], payload: [UInt8]?, from direction: Direction,
        found: ([UInt8]) -> Void = { _ in }
    ) -> (line: [UInt8], payload: [UInt8]?) {
        guard isNeeded else { return (line, payload) }
        var (masked, maskedPayload) = (line, payload)
        if let payload, isPayloadSecret(line, from: direction) {
            found(payload)
            maskedPayload = Self.stars
        }
        for range in ranges(in: line, from: direction).reversed() where !range.isEmpty {
            found(Array(line[range]))
            masked.replaceSubrange(range, with: Self.stars)
        }
        return (masked, maskedPayload)
    }

    /// Returns the ranges of the secret values in a line, which are still escaped. In a JSON value,
    /// only the strings and numbers under the keys of secrets are secret.
    ///
    /// - Parameter line: the line without its terminator.
    private mutating func ranges(in line: [UInt8], from direction: Direction) -> [Range<Int>] {
        guard isNeeded else { return [] }
        decoder.decode(line, from: direction, into: &message)
        guard let signature = message.command.map({ signatures[$0] }),
            signature.arguments.contains(where: \.isSecret)
        else { return [] }
        let fields = message.split.fields
        let arguments = signature.arguments(of: fields, in: line.span)
        return fields.indices.flatMap { index -> [Range<Int>] in
            guard let argument = arguments[index], argument.isSecret else { return [] }
            var range = fields[index].value
            // Fields beyond the last declared argument continue it.
            if arguments[(index + 1)...].allSatisfy({ $0 == nil }) {
                range = range.lowerBound..<fields[fields.count - 1].value.upperBound
            }
            return argument.type == .json ? JSONSecrets.ranges(in: line, range) : [range]
        }
    }

    /// Returns true if the payload of a line is secret.
    private mutating func isPayloadSecret(_ line: [UInt8], from direction: Direction) -> Bool {
        guard isNeeded else { return false }
        decoder.decode(line, from: direction, into: &message)
        return message.command.map { signatures[$0] }?.arguments
            .contains { $0.isSecret && $0.position == .payload } ?? false
    }
}
