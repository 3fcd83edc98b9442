package import LineProtocol

/// Finds the values of arguments that a dialect declares secret.
package struct SecretArguments {
    private let signatures: [CommandSignature]
    private let decoder: MessageDecoder
    private var message = Message()
    /// True if any command of the dialect has a secret argument.
    private let isNeeded: Bool
    private let json: JSONSyntax?

    package init(_ dialect: Dialect) {
        signatures = dialect.commands.signatures
        decoder = MessageDecoder(dialect)
        json = dialect.syntax.json
        isNeeded = signatures.contains { $0.arguments.contains(where: \.isSecret) }
    }

    /// The text that takes the place of a secret. It does not reveal the length of the secret.
    package static let stars = Array("***".utf8)

    /// Returns a line and its payload with the secrets masked. Calls `found` with each secret as
    /// written in the line.
    ///
    /// - Parameter line: the line without its terminator.
    package mutating func masked(
        _ line: [UInt8], payload: [UInt8]?, from direction: Direction,
        found: ([UInt8]) -> Void = { _ in }
    ) -> (line: [UInt8], payload: [UInt8]?) {
        guard isNeeded else { return (line, payload) }
        decoder.decode(line, from: direction, into: &message)
        guard let signature = message.command.map({ signatures[$0] }),
            signature.arguments.contains(where: \.isSecret)
        else { return (line, payload) }
        var (masked, maskedPayload) = (line, payload)
        if let payload,
            signature.arguments.contains(where: { $0.isSecret && $0.position == .payload })
        {
            found(payload)
            maskedPayload = Self.stars
        }
        for range in ranges(in: line, signature).reversed() where !range.isEmpty {
            found(Array(line[range]))
            masked.replaceSubrange(range, with: Self.stars)
        }
        return (masked, maskedPayload)
    }

    /// Returns the ranges of the secret values in the decoded line, which are still escaped. In a
    /// JSON argument, only the values whose keys suggest a secret are secret.
    private func ranges(in line: [UInt8], _ signature: CommandSignature) -> [Range<Int>] {
        if let json {
            return signature.arguments.filter(\.isSecret).flatMap { argument -> [Range<Int>] in
                guard let field = message.split.member(of: argument, json, in: line.span) else {
                    return []
                }
                return argument.type == .json
                    ? JSONSecrets.ranges(in: line, field.json) : [field.value]
            }.sorted { $0.lowerBound < $1.lowerBound }
        }
        let fields = message.split.fields
        let arguments = signature.arguments(of: fields, in: line.span)
        return fields.indices.flatMap { index -> [Range<Int>] in
            guard let argument = arguments[index], argument.isSecret else { return [] }
            var range = fields[index].value
            // Fields after the last declared argument are part of that argument.
            if arguments[(index + 1)...].allSatisfy({ $0 == nil }) {
                range = range.lowerBound..<fields[fields.count - 1].value.upperBound
            }
            return argument.type == .json ? JSONSecrets.ranges(in: line, range) : [range]
        }
    }
}
