/// Exit codes of the process. Scripts rely on them, so they must not change.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
    case ok = 0
    /// An expectation, check or threshold failed, or a line violated its dialect and such
    /// violations count as failures.
    case failed = 1
    /// An outcome could not be decided, or nothing was run.
    case inconclusive = 2
    /// Behaviour differs from the baseline file, and nothing else is wrong.
    case drift = 4
    case usage = 64
    /// A scenario, dialect, plan or results file could not be parsed.
    case unparsable = 65
    /// An input file or dialect does not exist.
    case noInput = 66
    case unavailable = 69
    /// Linejudge had an internal error, or its output could not be written.
    case software = 70
    /// SIGINT ended the process. All results up to that point are reported.
    case interrupted = 130
    /// SIGTERM or SIGHUP ended the process. All results up to that point are reported.
    case terminated = 143

    /// Meaning of the code in any command, as printed in help, manual pages and the reference.
    package var meaning: String {
        switch self {
        case .ok: "success"
        case .failed: "an expectation, check or threshold failed"
        case .inconclusive: "a result is inconclusive, or nothing ran"
        case .drift: "behaviour differs from the baseline file, but nothing else failed"
        case .usage: "invalid command line or LINEJUDGE_ variable"
        case .unparsable: "an input file does not parse"
        case .noInput: "an input file or dialect does not exist"
        case .unavailable:
            "the server could not be started or reached, or the address is not available"
        case .software: "internal error, or output could not be written"
        case .interrupted: "interrupted (SIGINT); results so far are reported"
        case .terminated: "terminated (SIGTERM or SIGHUP); results so far are reported"
        }
    }
}
