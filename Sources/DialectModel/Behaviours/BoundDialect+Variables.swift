import Scenario

extension BoundDialect {
    /// The variables that Linejudge provides to every behaviour.
    private static let known: Set<String> = [
        "name", "token", "self", "nonce", "to", "text", "room", "from",
    ]

    /// The variables that behaviours send without having captured them first, such as `ticket`. The
    /// caller must set them.
    package var freeVariables: [String] {
        var captured = Self.known
        var free: [String] = []
        for name in ["login", "probe", "enter", "say", "relay", "leave"] {
            guard let behaviour = behaviours[name] else { continue }
            for step in behaviour.steps {
                let placeholders =
                    (step.message?.placeholders ?? []) + (step.pattern?.placeholders ?? [])
                for variable in placeholders.compactMap(\.variable)
                where !captured.contains(variable) {
                    if step.sent != nil { free.append(variable) }
                    captured.insert(variable)
                }
            }
        }
        return free
    }
}
