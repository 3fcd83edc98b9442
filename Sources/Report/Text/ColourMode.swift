/// Whether colours are wanted, as `--color` says it.
package enum ColourMode: String, Sendable, Hashable, CaseIterable {
    /// Where they can be shown and nobody objects.
    case auto
    /// Also into a file or a pipe.
    case always
    /// Not even on a terminal.
    case never

    /// Whether to colour: `--color` over `NO_COLOR` over `FORCE_COLOR` over what stands at the other end.
    package func usesColour(environment: [String: String], isTerminal: Bool) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .auto: break
        }
        if let value = environment["NO_COLOR"], !value.isEmpty { return false }
        if let value = environment["FORCE_COLOR"], !value.isEmpty { return value != "0" }
        return isTerminal && environment["TERM"] != "dumb"
    }
}
