/// A value of `--color`: when to use colours.
package enum ColourMode: String, Sendable, Hashable, CaseIterable {
    /// Uses colours on terminals, unless the environment disables them.
    case auto
    /// Uses colours everywhere, including in files and pipes.
    case always
    /// Uses no colours.
    case never

    /// Returns whether to use colours. `--color` takes precedence over `NO_COLOR`, which takes
    /// precedence over `FORCE_COLOR`.
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
