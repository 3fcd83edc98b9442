package import LineProtocol
package import Results

/// Options for running checks.
package struct CheckOptions: Sendable {
    package static let jobsMax = 64
    package static let repeatMax = 100

    /// Seed for all randomness.
    package var seed: UInt64
    /// Maximum number of checks that run, or are confirmed, at the same time.
    package var jobs: Int
    /// Number of times to repeat a failed check.
    package var repetitions: Int
    package var shrinks: Bool
    /// Name and version of the server's software, for known failures; nil if unknown.
    package var software: (name: String, version: String?)?
    /// How long to wait before a server counts as unresponsive, in nanoseconds; nil to derive it
    /// from the dialect's throttle setting.
    package var patience: Int64?
    /// Outcome of the survey of the server's throttle; nil if there was none.
    var survey: ThrottleOutcome?
    /// The reason that no login succeeded in the survey of the server; nil if one did.
    package internal(set) var loginFailure: String?
    /// Time budget for the whole run, in nanoseconds; nil for no limit.
    package var budget: Int64?
    /// Today's date, for known failures that expire; nil to treat none as expired.
    package var today: CalendarDate?

    package init(
        seed: UInt64, jobs: Int = 8, repetitions: Int = 3, shrinks: Bool = true,
        software: (name: String, version: String?)? = nil, today: CalendarDate? = nil,
        patience: Int64? = nil, budget: Int64? = nil
    ) {
        self.seed = seed
        self.jobs = min(max(jobs, 1), Self.jobsMax)
        self.repetitions = min(max(repetitions, 0), Self.repeatMax)
        self.shrinks = shrinks
        self.software = software
        self.today = today
        self.patience = patience
        self.budget = budget
    }
}

/// An event that reports the progress of running checks.
package enum CheckEvent: Sendable {
    case began(CheckID)
    /// A check has run. If it failed, it may be repeated.
    case finished(CheckResult)
    /// A failure is being repeated or shrunk.
    case repeating(CheckID)
    /// A failure has been repeated and shrunk.
    case confirmed(CheckResult)
}
