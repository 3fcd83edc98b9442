package import Diagnostics

/// A duration as written: `250us`, `1.5s`.
package struct DurationLiteral: Sendable, Equatable {
    /// Unit of a duration, by its suffix.
    package enum Unit: String, Sendable, CaseIterable {
        case microseconds = "us"
        case milliseconds = "ms"
        case seconds = "s"
        case minutes = "m"

        /// Nanoseconds in one unit.
        package var nanoseconds: Int64 {
            switch self {
            case .microseconds: 1_000
            case .milliseconds: 1_000_000
            case .seconds: 1_000_000_000
            case .minutes: 60_000_000_000
            }
        }

        /// Returns the duration of a number of units, given by its digits before and after the
        /// decimal point; nil if it is too long.
        func nanoseconds(whole: Int, fraction: String) -> Int64? {
            let (product, overflow) = Int64(whole).multipliedReportingOverflow(by: nanoseconds)
            guard !overflow else { return nil }
            var rest: Int64 = 0
            var weight = nanoseconds
            for digit in fraction.utf8 {
                weight /= 10
                rest += Int64(digit - UInt8(ascii: "0")) * weight
            }
            let (sum, sumOverflow) = product.addingReportingOverflow(rest)
            return sumOverflow ? nil : sum
        }
    }

    package var nanoseconds: Int64
    @NotCompared package var range: SourceRange

    package init(nanoseconds: Int64, range: SourceRange) {
        self.nanoseconds = nanoseconds
        self.range = range
    }
}

/// A time window: `within 2s`, `within 1s..2s` or `for 500ms`.
package struct Window: Sendable, Equatable {
    /// Lower bound in `within A..B`, otherwise nil. A line that arrives earlier is a failure.
    package var earliest: DurationLiteral?
    /// Upper bound; in `for` modifiers, the duration of the observation.
    package var latest: DurationLiteral
    /// Range of the whole modifier.
    @NotCompared package var range: SourceRange

    package init(earliest: DurationLiteral? = nil, latest: DurationLiteral, range: SourceRange) {
        self.earliest = earliest
        self.latest = latest
        self.range = range
    }
}
