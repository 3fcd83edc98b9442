/// Exit codes of the process. Scripts rely on them.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
    case ok = 0
    /// An expectation failed, or a line broke its dialect in a run where that is a failure.
    case failed = 1
    /// A result could not be decided, or nothing ran.
    case inconclusive = 2
    /// Behaviour differs from the baseline; there are no other failures.
    case drift = 4
    /// Invalid command line.
    case usage = 64
    /// A scenario or dialect does not parse.
    case unparsable = 65
    case noInput = 66
    case unavailable = 69
    /// Internal error.
    case software = 70
    /// Stopped by SIGINT, after reporting the results so far.
    case interrupted = 130
    /// Stopped by SIGTERM, after reporting the results so far.
    case terminated = 143
}
