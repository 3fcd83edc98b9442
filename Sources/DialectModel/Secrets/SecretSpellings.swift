package import LineProtocol

extension Dialect {
    /// Returns each secret as is and in the escaped forms that the dialect's lines may contain.
    package func spellings(of secrets: [[UInt8]]) -> [[UInt8]] {
        let sides =
            escaping.isUniform
            ? [escaping.fromClient] : [escaping.fromClient, escaping.fromServer]
        let rules = sides.flatMap { [$0.field, $0.trailing, $0.value, $0.tagValue] }
        return secrets.flatMap { secret in
            [secret] + rules.compactMap { try? $0.encode(secret) }
        }
    }
}
