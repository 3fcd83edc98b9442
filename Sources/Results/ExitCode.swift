/// What the process says in the end; an interface that scripts rely on.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
    /// All is well.
    case ok = 0
    /// An expectation was not met, or a line broke its dialect where that fails the run.
    case failed = 1
    /// Something could not be decided, or nothing was played.
    case inconclusive = 2
    /// A server is not as it was pinned in a lock file, and nothing else is wrong.
    case drift = 4
    /// The command line is wrong.
    case usage = 64
    /// A scenario or dialect does not parse.
    case unparsable = 65
    /// No scenario was found.
    case noInput = 66
    /// The server could not be reached.
    case unavailable = 69
    /// Our own fault.
    case software = 70
    /// Ended by SIGINT; what was found until then is reported.
    case interrupted = 130
    /// Ended by SIGTERM; what was found until then is reported.
    case terminated = 143
}
