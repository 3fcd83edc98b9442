/// Parser and formatter for durations as written in dialects and scenarios.
package enum Durations {
    /// Maximum duration: one day.
    static let nanosecondsMax: Int64 = 86_400_000_000_000

    private static let units: [(word: String, nanoseconds: Int64)] = [
        ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000),
    ]

    /// Regular expression that matches a duration.
    package static let pattern = "[0-9]{1,9}(\\.[0-9]{1,9})?(m|s|ms|us)"

    /// Parses a duration such as `15s` or `1.5m`; nil for anything else.
    package static func nanoseconds(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text.dropFirst(digits.count)
        guard let scale = units.first(where: { $0.word == unit })?.nanoseconds else { return nil }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.count <= 9 }),
            let whole = Int64(parts[0])
        else { return nil }
        var (total, overflow) = whole.multipliedReportingOverflow(by: scale)
        if overflow { return nil }
        if parts.count == 2, let fraction = Int64(parts[1]) {
            var divisor: Int64 = 1
            for _ in parts[1] { divisor *= 10 }
            total += fraction * (scale / 1_000) / divisor * 1_000
        }
        return total <= nanosecondsMax ? total : nil
    }

    /// Returns the shortest exact notation for a duration.
    static func text(_ nanoseconds: Int64) -> String {
        for (word, scale) in units where nanoseconds % scale == 0 {
            return "\(nanoseconds / scale)\(word)"
        }
        return "\(nanoseconds / 1_000)us"
    }
}
