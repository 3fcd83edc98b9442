import LineProtocol

/// A point in time within a capture, as given on the command line.
package enum CaptureTime: Sendable, Equatable {
    /// A time in nanoseconds since 1970.
    case absolute(Int64)
    /// A time of day, in nanoseconds since midnight (UTC) on the day of the first packet.
    case clock(Int64)
    /// A time relative to the first packet, in nanoseconds.
    case sinceStart(Int64)

    private static let nanosecondsPerSecond: Int64 = 1_000_000_000

    /// Parses `2026-11-21T12:00:00Z`, `12:00:00.5`, `12:00` or `+90s`; nil for anything else.
    package init?(_ text: String) {
        if text.hasPrefix("+"), text.hasSuffix("s") {
            guard let time = Self.seconds(text.dropFirst().dropLast()) else { return nil }
            self = .sinceStart(time)
            return
        }
        if text.contains("T") || text.contains("t") {
            guard case .time(let time)? = ValueConversion.value(Array(text.utf8), .time(.rfc3339))
            else { return nil }
            self = .absolute(time)
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hour = Int64(parts[0]), (0...23).contains(hour),
            let minute = Int64(parts[1]), (0...59).contains(minute),
            let second = Self.seconds(parts.count > 2 ? parts[2] : "0"),
            second < 60 * Self.nanosecondsPerSecond
        else { return nil }
        self = .clock((hour * 3600 + minute * 60) * Self.nanosecondsPerSecond + second)
    }

    /// Parses decimal seconds and returns nanoseconds; nil if they are malformed or out of range.
    private static func seconds(_ text: Substring) -> Int64? {
        guard case .decimal(let value)? = ValueConversion.value(Array(text.utf8), .decimal),
            value.scale <= 9, value.unscaled >= 0
        else { return nil }
        let scale = (0..<(9 - value.scale)).reduce(Int64(1)) { scale, _ in scale * 10 }
        let (time, isOver) = value.unscaled.multipliedReportingOverflow(by: scale)
        return isOver ? nil : time
    }

    /// Returns the time in nanoseconds since 1970. `first` is the time of the capture's first
    /// packet, in the same unit.
    func time(first: Int64) -> Int64 {
        switch self {
        case .absolute(let time): return time
        case .sinceStart(let time): return first &+ time
        case .clock(let time):
            let day = 86_400 * Self.nanosecondsPerSecond
            let rest = first % day
            return first &- (rest < 0 ? rest &+ day : rest) &+ time
        }
    }
}
