package import Results

/// An event of a run, which is broadcast to progress displays and reports.
package enum RunEvent: Sendable {
    /// A scenario started.
    case began(path: String, title: String)
    /// A scenario ended. These events are sent in the order in which scenarios end.
    case ended(ScenarioResult)
    /// A scenario has ended, and so have all scenarios planned before it. These events are sent in
    /// planned order.
    case settled(ScenarioResult)
    /// The run ended. This is always the last event.
    case finished(RunResults)

    /// Returns the maximum number of events in a run. A listener with this capacity misses none of
    /// them.
    package static func countMax(runs: Int) -> Int { 3 * runs + 1 }
}
