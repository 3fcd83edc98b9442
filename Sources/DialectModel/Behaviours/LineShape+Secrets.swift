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
                arguments.indices.contains(index), let pieces = arguments[index],
                argument.secretCondition.map({ isMet($0, of: index, signature) }) ?? true
            else { return [] }
            return pieces.filter { $0 != .anything }
        }
    }

    private func isMet(
        _ condition: SecretCondition, of secret: Int, _ signature: CommandSignature
    ) -> Bool {
        let index =
            condition.argument.map { name in
                signature.arguments.firstIndex { $0.name == name }
            } ?? secret
        // If the value of the condition's argument is not yet known, treat this argument as secret.
        guard let index else { return false }
        return bytes(of: index, [:]).map { condition.isMet(by: $0) } ?? (arguments[index] != nil)
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
