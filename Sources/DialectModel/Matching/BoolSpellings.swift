package import LineProtocol

extension Dialect {
    /// All notations for true and false in the dialect's commands; `1`/`0` and `true`/`false` if
    /// there are none.
    package var boolSpellings: [BoolSpelling] {
        var found: [BoolSpelling] = []
        for argument in commands.signatures.flatMap(\.arguments) {
            var type = argument.type
            while case .list(let element, _) = type { type = element }
            if case .bool(let spelling) = type, !found.contains(spelling) { found.append(spelling) }
        }
        return found.isEmpty ? [BoolSpelling(yes: ["1", "true"], no: ["0", "false"])] : found
    }
}
