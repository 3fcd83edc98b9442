package import Results

/// What happens while scenarios are played, as it is broadcast to those who show and report it.
package enum RunEvent: Sendable {
    /// A scenario begins.
    case began(path: String, title: String)
    /// A scenario has ended; in the order in which they end.
    case ended(ScenarioResult)
    /// A scenario has ended, and all that were planned before it; in the planned order.
    case settled(ScenarioResult)
    /// All is over. Nothing comes after it.
    case finished(RunResults)

    /// How many events there are of so many plays, at most: no listener with room for them misses one.
    package static func countMax(plays: Int) -> Int { 3 * plays + 1 }
}
