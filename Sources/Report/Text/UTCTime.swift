import LineProtocol

/// A date and time of day in UTC.
struct UTCTime {
    private let date: CalendarDate
    private let clock: String

    init(_ unixSeconds: Int64) {
        let days = (unixSeconds >= 0 ? unixSeconds : unixSeconds - 86_399) / 86_400
        date = CalendarDate(days: Int(days))
        let second = unixSeconds - days * 86_400
        clock = [second / 3600, second / 60 % 60, second % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    /// The time in ISO 8601 format, such as `2026-11-20T23:37:43Z`.
    var isoText: String { "\(date)T\(clock)Z" }

    /// The time for display, such as `2026-11-20 23:37:43 UTC`.
    var text: String { "\(date) \(clock) UTC" }
}
