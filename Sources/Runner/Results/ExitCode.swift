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

extension RunResults {
    /// What the process says about these results.
    ///
    /// An interruption is said before all else, because the results are not whole. Of the rest a
    /// failure is said first: it is a fact about the server, whatever else could not be found out.
    package var exitCode: ExitCode {
        switch interruption {
        case .interrupted: return .interrupted
        case .terminated: return .terminated
        case .failFast, nil: break
        }
        let counts = counts
        if counts[.failed] > 0 || brokenLinesFail && brokenLines > 0 { return .failed }
        if counts[.error] > 0 { return .unparsable }
        if counts[.inconclusive] > 0 {
            let undecided = scenarios.filter { $0.verdict == .inconclusive }
            let isUnreachable = counts.decided == 0 && undecided.allSatisfy(\.isUnreachable)
            return isUnreachable ? .unavailable : .inconclusive
        }
        return counts.decided > 0 ? .ok : .inconclusive
    }
}
