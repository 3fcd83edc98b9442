import Diagnostics
package import LineProtocol

/// A filter that finds and masks the argument values that a dialect declares secret.
package struct SecretArguments: Sendable {
    private let signatures: [CommandSignature]
    private let decoder: MessageDecoder
    private var message = Message()
    /// True if any command of the dialect has a secret argument.
    private let isNeeded: Bool
    /// For each command, true if it has a secret argument.
    private let hasSecret: [Bool]
    private let json: PerDirection<JSONSyntax?>

    /// - Parameter decoder: the dialect's decoder; nil to create it.
    package init(_ dialect: Dialect, decoder: MessageDecoder? = nil) {
        signatures = dialect.commands.signatures
        self.decoder = decoder ?? MessageDecoder(dialect)
        json = PerDirection(
            fromClient: dialect.syntax.fromClient.json, fromServer: dialect.syntax.fromServer.json)
        hasSecret = signatures.map { $0.arguments.contains(where: \.isSecret) }
        isNeeded = hasSecret.contains(true)
    }

    /// Returns false if a decoded message cannot contain a secret.
    package func mayOccur(in message: Message) -> Bool {
        isNeeded && (message.command.map { hasSecret[$0] } ?? true)
    }

    /// Returns a line and its payload with the secrets masked. Calls `found` with each secret as
    /// written in the line.
    ///
    /// - Parameter line: the line without its terminator.
    package mutating func masked(
        _ line: [UInt8], payload: [UInt8]?, from direction: Direction,
        found: ([UInt8]) -> Void = { _ in }
    ) -> (line: [UInt8], payload: [UInt8]?) {
        var (masked, maskedPayload) = (line, payload)
        for secret in secrets(in: line, payload: payload, from: direction).reversed() {
            found(secret.value)
            if let range = secret.range {
                masked.replaceSubrange(range, with: SecretMask.stars)
            } else {
                maskedPayload = SecretMask.stars
            }
        }
        return (masked, maskedPayload)
    }

    /// A secret argument value in a line.
    package struct Secret {
        /// The name of the argument or, in JSON, the key.
        package var name: [UInt8]
        /// The value as written in the line, or the payload.
        package var value: [UInt8]
        /// The position in the line; nil for the payload.
        var range: Range<Int>?
    }

    /// Returns the secrets in a line and its payload, in order. A line that is not a command in its
    /// direction is parsed as one in the other direction, because the wrong side may have sent it.
    package mutating func secrets(
        in line: [UInt8], payload: [UInt8]?, from direction: Direction
    ) -> [Secret] {
        guard isNeeded, let signature = decode(line, payload, from: direction),
            signature.arguments.contains(where: \.isSecret)
        else { return [] }
        var secrets = ranges(in: line, signature).filter { !$0.range.isEmpty }.map {
            Secret(name: $0.name, value: Array(line[$0.range]), range: $0.range)
        }
        let block = signature.arguments.first { $0.isSecret && $0.position == .payload }
        if let payload, let block {
            secrets.append(Secret(name: Array(block.name.utf8), value: payload))
        }
        return secrets
    }

    private mutating func decode(
        _ line: [UInt8], _ payload: [UInt8]?, from direction: Direction
    ) -> CommandSignature? {
        for side in [direction, direction.opposite] {
            if line.isEmpty, let payload {
                decoder.decode(
                    payload.span, Frame(line: line, payload: payload), from: side, into: &message)
            } else {
                decoder.decode(line, from: side, into: &message)
            }
            if let command = message.command { return signatures[command] }
        }
        return nil
    }

    /// Returns the ranges of the secret values, still escaped, in the decoded line. In a JSON
    /// argument, only values whose keys suggest a secret are included.
    private func ranges(
        in line: [UInt8], _ signature: CommandSignature
    ) -> [(name: [UInt8], range: Range<Int>)] {
        if let json = json[message.direction] { return members(in: line, signature, json) }
        let fields = message.split.fields
        let arguments = signature.arguments(of: fields, in: line.span)
        func start(_ condition: SecretCondition, in range: Range<Int>) -> Int? {
            var tested = range
            if let name = condition.argument {
                guard let other = arguments.firstIndex(where: { $0?.name == name }) else {
                    return nil
                }
                // A variadic argument extends to the next declared one.
                let next = arguments[(other + 1)...].firstIndex { $0 != nil } ?? fields.count
                tested = fields[other].value.lowerBound..<fields[next - 1].value.upperBound
            }
            return condition.start(
                in: line.span.extracting(range), given: line.span.extracting(tested))
        }
        return fields.indices.flatMap { index -> [(name: [UInt8], range: Range<Int>)] in
            guard let argument = arguments[index], argument.isSecret else { return [] }
            var range = fields[index].value
            // Fields after the last declared argument are part of that argument.
            let next = arguments[(index + 1)...].firstIndex { $0 != nil } ?? fields.count
            if next == fields.count || argument.presence == .variadic {
                range = range.lowerBound..<fields[next - 1].value.upperBound
            }
            if let condition = argument.secretCondition {
                guard let start = start(condition, in: range) else { return [] }
                range = (range.lowerBound + start)..<range.upperBound
            }
            guard argument.type == .json else { return [(Array(argument.name.utf8), range)] }
            return JSONSecrets.values(in: line, range).map { ($0.key, $0.value) }
        }
    }

    /// Returns the ranges of the secret values in the decoded JSON line.
    private func members(
        in line: [UInt8], _ signature: CommandSignature, _ json: JSONSyntax
    ) -> [(name: [UInt8], range: Range<Int>)] {
        func start(_ condition: SecretCondition, of secret: ArgumentSignature) -> Int? {
            let name = condition.argument ?? secret.name
            guard let other = signature.arguments.first(where: { $0.name == name }),
                let tested = message.split.member(of: other, json, in: line.span),
                let value = message.split.member(of: secret, json, in: line.span)
            else { return nil }
            return condition.start(
                in: line.span.extracting(value.value), given: line.span.extracting(tested.value))
        }
        return signature.arguments.flatMap { argument -> [(name: [UInt8], range: Range<Int>)] in
            let condition = argument.secretCondition
            guard argument.isSecret,
                let start = condition.map({ start($0, of: argument) }) ?? 0,
                let field = message.split.member(of: argument, json, in: line.span)
            else { return [] }
            guard argument.type == .json else {
                let value = (field.value.lowerBound + start)..<field.value.upperBound
                return [(Array(argument.name.utf8), value)]
            }
            return JSONSecrets.values(in: line, field.json).map { ($0.key, $0.value) }
        }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
}
