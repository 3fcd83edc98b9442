public import Diagnostics

/// A length of time as it was written: `250us`, `1.5s`.
public struct TimeLength: Sendable, Equatable {
    /// What it is counted in.
    public enum Unit: String, Sendable, CaseIterable {
        /// Microseconds.
        case microseconds = "us"
        /// Milliseconds.
        case milliseconds = "ms"
        /// Seconds.
        case seconds = "s"
        /// Minutes.
        case minutes = "m"

        /// How many nanoseconds one of it has.
        public var nanoseconds: Int64 {
            switch self {
            case .microseconds: 1_000
            case .milliseconds: 1_000_000
            case .seconds: 1_000_000_000
            case .minutes: 60_000_000_000
            }
        }
    }

    /// The length.
    public var nanoseconds: Int64
    /// Where it stands.
    @NotCompared public var range: SourceRange

    /// A length at a place.
    public init(nanoseconds: Int64, range: SourceRange) {
        self.nanoseconds = nanoseconds
        self.range = range
    }
}

/// How long something may take, or is watched: `within 2s`, `within 1s..2s`, `for 500ms`.
public struct Window: Sendable, Equatable {
    /// The shortest wait: what comes earlier is a failure. Only in `within A..B`.
    public var earliest: TimeLength?
    /// The longest wait, or the time that is watched.
    public var latest: TimeLength
    /// The clause with its word.
    @NotCompared public var range: SourceRange

    /// A window from its ends.
    public init(earliest: TimeLength? = nil, latest: TimeLength, range: SourceRange) {
        self.earliest = earliest
        self.latest = latest
        self.range = range
    }
}
