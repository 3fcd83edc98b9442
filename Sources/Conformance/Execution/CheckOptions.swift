package import Results

/// How checks are played.
package struct CheckOptions: Sendable {
    /// The most checks at a time.
    package static let jobsMax = 64
    /// The most repetitions of what failed.
    package static let repeatMax = 100

    /// What everything random derives from.
    package var seed: UInt64
    /// How many checks are played at a time, where they cannot disturb each other.
    package var jobs: Int
    /// How often what failed is played again, by itself.
    package var repetitions: Int
    /// Whether what fails is made smaller.
    package var shrinks: Bool
    /// The software and its version, for known failures.
    package var software: (name: String, version: String?)?
    /// How long is waited for an answer before the server counts as deaf, in nanoseconds; nil: as long as the
    /// dialect's throttle asks for.
    package var patience: Int64?
    /// The day, for known failures that are excused until one: `2026-11-21`.
    package var today: String?

    /// Options.
    package init(
        seed: UInt64, jobs: Int = 8, repetitions: Int = 3, shrinks: Bool = true,
        software: (name: String, version: String?)? = nil, today: String? = nil,
        patience: Int64? = nil
    ) {
        self.seed = seed
        self.jobs = min(max(jobs, 1), Self.jobsMax)
        self.repetitions = min(max(repetitions, 0), Self.repeatMax)
        self.shrinks = shrinks
        self.software = software
        self.today = today
        self.patience = patience
    }
}

/// What happens while checks are played.
package enum CheckEvent: Sendable {
    /// A check has begun.
    case began(CheckID)
    /// A check has been played; what failed may be played again.
    case played(CheckResult)
    /// What failed is played again, or made smaller.
    case repeating(CheckID)
}
