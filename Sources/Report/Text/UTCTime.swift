/// A date and time of day in UTC.
struct UTCTime {
    private let day: (year: Int64, month: Int64, day: Int64)
    private let second: Int64

    init(_ unixSeconds: Int64) {
        let days = (unixSeconds >= 0 ? unixSeconds : unixSeconds - 86_399) / 86_400
        second = unixSeconds - days * 86_400
        day = Self.civil(days)
    }

    /// The time in ISO 8601 format, such as `2026-11-20T23:37:43Z`.
    var isoText: String { "\(date)T\(clock)Z" }

    /// The time for display, such as `2026-11-20 23:37:43 UTC`.
    var text: String { "\(date) \(clock) UTC" }

    private var date: String {
        "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
    }

    private var clock: String {
        "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    }

    private func padded(_ value: Int64, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Converts a number of days since 1970-01-01 to a Gregorian date. In the calculation, years
    /// start in March, so that the leap day is the last day of a year.
    private static func civil(_ days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
