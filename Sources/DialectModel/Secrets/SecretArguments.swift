import Diagnostics
package import LineProtocol

/// A filter that finds and masks the argument values that a dialect declares secret.
package struct SecretArguments: Sendable {
    private let signatures: [CommandSignature]
    private let decoder: MessageDecoder
    private var message = Message()
    /// True if any command of the dialect has a secret argument, or if lines are JSON, whose keys may
    /// suggest one.
    private let isNeeded: Bool
    /// For each command, true if it has a secret argument.
    private let hasSecret: [Bool]
    private let json: PerDirection<JSONSyntax?>
    private let hasLines: Bool

    /// - Parameter decoder: the dialect's decoder; nil to create it.
    package init(_ dialect: Dialect, decoder: MessageDecoder? = nil) {
        signatures = dialect.commands.signatures
        self.decoder = decoder ?? MessageDecoder(dialect)
        json = PerDirection(
            fromClient: dialect.syntax.fromClient.json, fromServer: dialect.syntax.fromServer.json)
        hasLines = dialect.framing.unit == .line
        hasSecret = signatures.map { $0.arguments.contains(where: \.isSecret) }
        isNeeded = hasSecret.contains(true) || json.fromClient != nil || json.fromServer != nil
    }

    /// Returns false if a decoded message cannot contain a secret.
    package func mayOccur(in message: Message) -> Bool {
        isNeeded
            && (json[message.direction] != nil || message.command.map { hasSecret[$0] } ?? true)
    }

    /// Returns a line and its payload with the secrets masked. Calls `found` with each secret as
    /// written in the line.
    ///
    /// - Parameter line: the line without its terminator, or several lines that were sent at once.
    package mutating func masked(
        _ line: [UInt8], payload: [UInt8]?, from direction: Direction,
        found: ([UInt8]) -> Void = { _ in }
    ) -> (line: [UInt8], payload: [UInt8]?) {
        guard payload == nil, hasLines, line.contains(ASCII.lf) else {
            return maskedLine(line, payload: payload, from: direction, found: found)
        }
        var masked: [UInt8] = []
        for line in line.split(separator: ASCII.lf, omittingEmptySubsequences: false) {
            let text = Array(line.last == ASCII.cr ? line.dropLast() : line)
            masked += maskedLine(text, payload: nil, from: direction, found: found).line
            masked += line[(line.startIndex + text.count)...] + [ASCII.lf]
        }
        return (masked.dropLast(), nil)
    }

    private mutating func maskedLine(
        _ line: [UInt8], payload: [UInt8]?, from direction: Direction, found: ([UInt8]) -> Void
    ) -> (line: [UInt8], payload: [UInt8]?) {
        var (masked, maskedPayload) = (line, payload)
        for secret in secrets(in: line, payload: payload, from: direction).reversed() {
            for value in secret.values { found(value) }
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
        /// The part of the value that is a password by itself, such as the last word of `IDENTIFY al
        /// hunter2`; nil if there is none.
        fileprivate var password: [UInt8]?
        /// The values to mask wherever they occur.
        package var values: [[UInt8]] { [value] + (password.map { [$0] } ?? []) }
        /// The position in the line; nil for the payload.
        var range: Range<Int>?
    }

    /// Returns the secrets in a line and its payload, in order. A line that is not a command in its
    /// direction is parsed as one in the other direction, because the wrong side may have sent it.
    package mutating func secrets(
        in line: [UInt8], payload: [UInt8]?, from direction: Direction
    ) -> [Secret] {
        guard isNeeded else { return [] }
        let hasKey = json[direction] != nil && JSONSecrets.mayOccur(in: line.span)
        let signature = decode(line, payload, from: direction)
        let isDeclared = signature?.arguments.contains(where: \.isSecret) ?? false
        guard isDeclared || hasKey else { return [] }
        var found: [(name: [UInt8], range: Range<Int>)] = []
        if let signature, isDeclared { found = ranges(in: line, signature) }
        if hasKey {
            let declared = found
            found += JSONSecrets.undeclaredValues(in: line, of: signature, signatures)
                .filter { other in !declared.contains { $0.range.overlaps(other.value) } }
                .map { ($0.key, $0.value) }
            found.sort { $0.range.lowerBound < $1.range.lowerBound }
        }
        var secrets = found.filter { !$0.range.isEmpty }.map {
            let value = Array(line[$0.range])
            return Secret(
                name: $0.name, value: value,
                password: signature?.password(in: value, of: $0.name), range: $0.range)
        }
        guard let signature else { return secrets }
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
        // If an argument is missing, the secret may be in the place of another one.
        if signature.mayMisplaceSecret(in: message) {
            return fields.indices.map {
                (arguments[$0].map { Array($0.name.utf8) } ?? [], fields[$0].value)
            }
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

extension CommandSignature {
    /// Returns the password in the parameters of a command for services: the last word, or the first
    /// one if a mail address follows, as in `REGISTER`. Returns nil for other arguments.
    fileprivate func password(in value: [UInt8], of name: [UInt8]) -> [UInt8]? {
        let argument = arguments.first { name.elementsEqual($0.name.utf8) }
        guard let argument, argument.presence == .variadic || !argument.isCredential else {
            return nil
        }
        let words = value.split(separator: ASCII.space)
        guard words.count > 1, let first = words.first, let last = words.last else { return nil }
        return Array(last.contains(ASCII.at) ? first : last)
    }
}

extension CommandSignature {
    /// Returns true if a message lacks an argument and another one is always secret, so that the
    /// secret may be in the place of any argument.
    package func mayMisplaceSecret(in message: Message) -> Bool {
        arguments.contains { $0.isSecret && $0.secretCondition == nil }
            && message.issues.contains(where: \.isTooFew)
    }
}
