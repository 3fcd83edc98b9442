/// A date in the Gregorian calendar, without a time zone.
package struct CalendarDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let year: Int
    /// The month, from 1.
    package let month: Int
    /// The day of the month, from 1.
    package let day: Int

    /// Creates a date; nil if the day does not exist.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day > 0, day <= Self.dayCount(month, year) else {
            return nil
        }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Parses a date in ISO 8601 format, such as `2026-01-31`; nil if it is invalid.
    package init?(_ text: String) {
        let digits = text.utf8.map { Int($0) - Int(ASCII.zero) }
        let dash = Int(ASCII.minus) - Int(ASCII.zero)
        guard digits.count == 10, digits[4] == dash, digits[7] == dash,
            [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy({ (0..<10).contains(digits[$0]) })
        else { return nil }
        self.init(
            year: digits[..<4].reduce(0) { $0 * 10 + $1 }, month: digits[5] * 10 + digits[6],
            day: digits[8] * 10 + digits[9])
    }

    /// Creates the date that is a number of days after 1970-01-01.
    package init(days: Int) {
        // In the calculation, years start in March, so that the leap day is the last day of a year.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    }

    /// Number of days since 1970-01-01.
    package var days: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear >= 0 ? marchYear / 400 : (marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// The date in ISO 8601 format, such as `2026-01-31`.
    package var description: String {
        func padded(_ number: Int, _ digits: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    private static func dayCount(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}
