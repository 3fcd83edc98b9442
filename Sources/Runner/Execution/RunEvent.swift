package import Results

/// An event in a run, sent to all progress displays and reports.
package enum RunEvent: Sendable {
    /// A scenario started.
    case began(path: String, title: String)
    /// A scenario ended. These events are sent in the order scenarios end.
    case ended(ScenarioResult)
    /// A scenario and all scenarios planned before it have ended. These events are sent in planned
    /// order.
    case settled(ScenarioResult)
    /// The run ended. This is always the last event.
    case finished(RunResults)

    /// Returns the maximum number of events that a run can send. A listener whose queue has this
    /// capacity misses no events.
    package static func countMax(runs: Int) -> Int { 3 * runs + 1 }
}
