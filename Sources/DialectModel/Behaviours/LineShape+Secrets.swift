package import LineProtocol

extension LineShape {
    /// Returns the literals and variables in the arguments that the dialect declares secret.
    ///
    /// JSON arguments are left out, because only some of their values are secret.
    package func secretPieces(_ dialect: Dialect) -> [Piece] {
        let signature = dialect.commands.signatures[command]
        return signature.arguments.indices.flatMap { index -> [Piece] in
            let argument = signature.arguments[index]
            guard argument.isSecret, argument.type != .json,
                arguments.indices.contains(index), let pieces = arguments[index]
            else { return [] }
            guard let condition = argument.secretCondition else {
                return pieces.filter { $0 != .anything }
            }
            return secretPieces(condition, in: pieces, of: index, signature)
        }
    }

    private func secretPieces(
        _ condition: SecretCondition, in pieces: [Piece], of secret: Int,
        _ signature: CommandSignature
    ) -> [Piece] {
        let index =
            condition.argument.map { name in
                signature.arguments.firstIndex { $0.name == name }
            } ?? secret
        guard let index, arguments[index] != nil else { return [] }
        let known = pieces.filter { $0 != .anything }
        guard let tested = bytes(of: index, [:]) else {
            // A value that is not known yet counts as secret, except in messages to services, where
            // secrets are rare.
            return condition.isForServices ? [] : known
        }
        guard condition.isForServices, case .literal(let text)? = pieces.first else {
            return condition.start(in: tested.span, given: tested.span) == nil ? [] : known
        }
        // Whatever follows the literal belongs to the password.
        let marked = text + (pieces.count > 1 ? [UInt8(ascii: "x")] : [])
        guard let start = condition.start(in: marked.span, given: tested.span) else { return [] }
        let literal = text.dropFirst(start)
        return (literal.isEmpty ? [] : [.literal(Array(literal))])
            + pieces.dropFirst().filter { $0 != .anything }
    }
}

extension BoundDialect {
    /// Returns the variables that behaviours send in the dialect's secret arguments.
    static func secretVariables(
        _ behaviours: [String: BoundBehaviour], _ dialect: Dialect
    ) -> Set<String> {
        let lines = behaviours.values.flatMap { $0.sentLines + $0.replies }
        return Set(
            lines.flatMap { $0.secretPieces(dialect) }.compactMap { piece in
                if case .variable(let name) = piece { name } else { nil }
            })
    }
}
