package import Diagnostics

/// A length of time as it was written: `250us`, `1.5s`.
package struct TimeLength: Sendable, Equatable {
    /// What it is counted in.
    package enum Unit: String, Sendable, CaseIterable {
        /// Microseconds.
        case microseconds = "us"
        /// Milliseconds.
        case milliseconds = "ms"
        /// Seconds.
        case seconds = "s"
        /// Minutes.
        case minutes = "m"

        /// How many nanoseconds one of it has.
        package var nanoseconds: Int64 {
            switch self {
            case .microseconds: 1_000
            case .milliseconds: 1_000_000
            case .seconds: 1_000_000_000
            case .minutes: 60_000_000_000
            }
        }
    }

    /// The length.
    package var nanoseconds: Int64
    /// Where it stands.
    @NotCompared package var range: SourceRange

    /// A length at a place.
    package init(nanoseconds: Int64, range: SourceRange) {
        self.nanoseconds = nanoseconds
        self.range = range
    }
}

/// How long something may take, or is watched: `within 2s`, `within 1s..2s`, `for 500ms`.
package struct Window: Sendable, Equatable {
    /// The shortest wait: what comes earlier is a failure. Only in `within A..B`.
    package var earliest: TimeLength?
    /// The longest wait, or the time that is watched.
    package var latest: TimeLength
    /// The clause with its word.
    @NotCompared package var range: SourceRange

    /// A window from its ends.
    package init(earliest: TimeLength? = nil, latest: TimeLength, range: SourceRange) {
        self.earliest = earliest
        self.latest = latest
        self.range = range
    }
}
