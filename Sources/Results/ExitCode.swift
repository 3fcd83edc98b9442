/// Exit codes of the process. They are an interface that scripts rely on.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
    case ok = 0
    /// An expectation was not met, or a line violated its dialect and such lines fail the run.
    case failed = 1
    /// Something could not be decided, or nothing ran.
    case inconclusive = 2
    /// The behaviour differs from the baseline file, and nothing else is wrong.
    case drift = 4
    case usage = 64
    /// A scenario, dialect, plan or results file does not parse.
    case unparsable = 65
    /// An input file or dialect does not exist.
    case noInput = 66
    case unavailable = 69
    /// An internal error in Linejudge, or output that could not be written.
    case software = 70
    /// Ended by SIGINT. Everything found up to that point is reported.
    case interrupted = 130
    /// Ended by SIGTERM. Everything found up to that point is reported.
    case terminated = 143

    /// Meaning of the code for all commands, as printed in help texts, manual pages and the
    /// reference.
    package var meaning: String {
        switch self {
        case .ok: "success"
        case .failed: "something failed: an expectation, a check or a threshold"
        case .inconclusive: "something could not be decided, or nothing ran"
        case .drift: "behaviour differs from the baseline file, and nothing else is wrong"
        case .usage: "invalid command line or LINEJUDGE_ variable"
        case .unparsable: "an input file does not parse"
        case .noInput: "an input file or dialect does not exist"
        case .unavailable: "the server could not be reached, or the address is not available"
        case .software: "internal error, or output could not be written"
        case .interrupted: "interrupted (SIGINT); results so far are reported"
        case .terminated: "terminated (SIGTERM); results so far are reported"
        }
    }
}
