import Scenario

extension BoundDialect {
    /// The variables that Linejudge provides to every behaviour.
    static let known: Set<String> = [
        "name", "token", "self", "nonce", "to", "text", "room", "from",
    ]

    /// The variables that behaviours send without having captured them first, such as `ticket`. The
    /// caller must set them.
    package var freeVariables: [String] {
        freeVariables(in: ["login", "probe", "enter", "say", "relay", "leave"])
    }

    /// Returns the variables that the named behaviours, run in this order, send without having
    /// captured them first and without declaring them as parameters.
    package func freeVariables(in names: [String]) -> [String] {
        var captured = Self.known
        var free: [String] = []
        for behaviour in names.compactMap({ behaviours[$0] }) {
            captured.formUnion(behaviour.parameters)
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
