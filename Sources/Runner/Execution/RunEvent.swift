package import Results

/// An event of a run, broadcast to progress displays and reports.
package enum RunEvent: Sendable {
    /// A scenario started.
    case began(path: String, title: String)
    /// A scenario ended. Sent in the order in which scenarios end.
    case ended(ScenarioResult)
    /// A scenario and all those planned before it have ended. Sent in planned order.
    case settled(ScenarioResult)
    /// The run ended. Always the last event.
    case finished(RunResults)

    /// Returns the maximum number of events of a run. A listener with this capacity misses none.
    package static func countMax(runs: Int) -> Int { 3 * runs + 1 }
}
