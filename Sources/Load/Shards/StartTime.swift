import LineProtocol

/// A start time: `2026-03-01T12:00:00Z`, `2026-03-01 13:00:00+01:00`, `@1772366400`, or `+30s` for
/// a delay.
package enum StartTime: Sendable, Hashable {
    /// A point in time, in nanoseconds since 1970.
    case at(Int64)
    /// A delay from now, in nanoseconds.
    case after(Int64)

    /// A malformed time, with a description of what was expected.
    package struct Failure: Error, Sendable, Equatable {
        package var expected: String
    }

    /// Parses a start time; `duration` parses the part after a `+`.
    package init(_ text: String, duration: (String) -> Int64?) throws(Failure) {
        if text.hasPrefix("+") {
            guard let time = duration(String(text.dropFirst())) else {
                throw Failure(expected: "a duration after the +, such as +30s")
            }
            self = .after(time)
        } else if text.hasPrefix("@") {
            guard let seconds = Shard.number(String(text.dropFirst())),
                seconds <= Self.secondsMax
            else { throw Failure(expected: "seconds since 1970 after the @, such as @1772366400") }
            self = .at(Int64(seconds) * 1_000_000_000)
        } else {
            self = .at(try Self.dateTime(text))
        }
    }

    private static let secondsMax = 7_258_118_400
    private static let example = "2026-03-01T12:00:00Z"

    /// Parses a date and time: `YYYY-MM-DD`, `T` or a space, `HH:MM`, optional seconds with an
    /// optional fraction, and a time zone.
    private static func dateTime(_ text: String) throws(Failure) -> Int64 {
        let pattern =
            /(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?/
        guard text.utf8.count < 64, let match = try? pattern.wholeMatch(in: text)?.output else {
            throw Failure(expected: "a time such as \(example), @1772366400 or +30s")
        }
        guard let zone = match.8 else {
            throw Failure(expected: "a time with a time zone: \(text)Z, or \(text)+01:00")
        }
        let (year, month, day) = (number(match.1), number(match.2), number(match.3))
        let (hour, minute) = (number(match.4), number(match.5))
        let second = match.6.map(number) ?? 0
        guard (1970..<2200).contains(year), hour < 24, minute < 60, second < 60,
            let date = CalendarDate(year: year, month: month, day: day)
        else { throw Failure(expected: "a valid time, such as \(example)") }
        let seconds =
            date.days * 86_400 + hour * 3_600 + minute * 60 + second - offset(zone)
        let fraction = match.7.map { number($0 + String(repeating: "0", count: 9 - $0.count)) } ?? 0
        return Int64(seconds) * 1_000_000_000 + Int64(fraction)
    }

    private static func number(_ text: some StringProtocol) -> Int { Int(text) ?? 0 }

    /// Returns a time zone's UTC offset in seconds.
    private static func offset(_ zone: Substring) -> Int {
        if zone == "Z" { return 0 }
        let digits = zone.filter(\.isNumber)
        let seconds = number(digits.prefix(2)) * 3_600 + number(digits.suffix(2)) * 60
        return zone.hasPrefix("-") ? -seconds : seconds
    }
}
