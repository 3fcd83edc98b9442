/// A condition that a load test must meet, such as `p99(say) < 50ms`, `lost == 0` or `rate >= 99%`.
package struct Threshold: Sendable, Hashable {
    /// The condition as written.
    package var text: String
    package var metric: Metric
    package var comparison: Comparison
    /// The limit: a number of nanoseconds, a count or a percentage.
    package var limit: Double

    /// A quantity that a threshold can limit.
    package enum Metric: Sendable, Hashable {
        case percentile(Double, Measure)
        case mean(Measure)
        case minimum(Measure)
        case maximum(Measure)
        /// Number of violations of a kind.
        case violations(Violation.Kind)
        /// Number of received lines that violate the dialect's command table.
        case brokenLines
        /// Number of misbehaving operators' connections closed by the server, for one operator kind
        /// or, if nil, for all kinds.
        case cuts(String?)
        /// Percentage of the conclusive scenario runs that passed.
        case passed
        /// Percentage of the requested sends that were made.
        case rate
        /// Percentage of operators that reached their rooms.
        case operators
    }

    /// Comparison operator of a threshold.
    package enum Comparison: String, Sendable, Hashable, CaseIterable {
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case equal = "=="
        case less = "<"
        case greater = ">"

        package func holds(_ value: Double, _ limit: Double) -> Bool {
            switch self {
            case .less: value < limit
            case .lessOrEqual: value <= limit
            case .greater: value > limit
            case .greaterOrEqual: value >= limit
            case .equal: value == limit
            }
        }
    }

    /// The error for an invalid threshold.
    package struct Malformed: Error, Sendable, Equatable {
        package var reason: String
    }

    package init(_ text: String) throws(Malformed) {
        self.text = text
        guard
            let comparison = Comparison.allCases.first(where: { text.contains($0.rawValue) }),
            let range = text.firstRange(of: comparison.rawValue)
        else {
            throw Malformed(reason: "it has no comparison operator (<, <=, ==, >= or >)")
        }
        self.comparison = comparison
        metric = try Self.metric(Self.trimmed(text[..<range.lowerBound]))
        limit = try Self.limit(Self.trimmed(text[range.upperBound...]), metric)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    private static func metric(_ text: String) throws(Malformed) -> Metric {
        if text == "rate" { return .rate }
        if text == "operators" { return .operators }
        if text == "passed" { return .passed }
        if text == "schema" { return .brokenLines }
        if text == "cut" { return .cuts(nil) }
        if let kind = Violation.Kind(rawValue: text) { return .violations(kind) }
        guard let open = text.firstIndex(of: "("), text.last == ")" else {
            throw Malformed(
                reason: "`\(text)` is not a metric: expected rate, operators, cut, passed, schema, "
                    + Violation.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                    + ", or pN, mean, min or max of a latency such as p99(say)")
        }
        let inner = String(text[text.index(after: open)...].dropLast())
        if text.hasPrefix("cut(") { return .cuts(inner) }
        guard let measure = Measure(name: inner) else {
            throw Malformed(
                reason: "`\(inner)` is not a known latency: expected "
                    + Measure.allCases.map(\.name).joined(separator: ", "))
        }
        return try metric(String(text[..<open]), of: measure)
    }

    private static func metric(
        _ word: String, of measure: Measure
    ) throws(Malformed) -> Metric {
        switch word {
        case "mean": return .mean(measure)
        case "min": return .minimum(measure)
        case "max": return .maximum(measure)
        case "median": return .percentile(50, measure)
        default:
            guard word.hasPrefix("p"), let percent = Double(word.dropFirst()),
                percent > 0, percent <= 100
            else {
                throw Malformed(
                    reason:
                        "`\(word)` is not a statistic: expected p50, p99.9, mean, median, min or max"
                )
            }
            return .percentile(percent, measure)
        }
    }

    private static func limit(_ text: String, _ metric: Metric) throws(Malformed) -> Double {
        switch metric {
        case .rate, .operators, .passed:
            guard text.hasSuffix("%"), let value = Double(text.dropLast()) else {
                throw Malformed(reason: "`\(text)` is not a percentage")
            }
            return value
        case .violations, .cuts, .brokenLines:
            guard let value = UInt64(text) else {
                throw Malformed(reason: "`\(text)` is not a count")
            }
            return Double(value)
        case .percentile, .mean, .minimum, .maximum:
            let units = [("us", 1e3), ("ms", 1e6), ("m", 60e9), ("s", 1e9)]
            guard let (unit, scale) = units.first(where: { text.hasSuffix($0.0) }),
                let value = Double(text.dropLast(unit.count)), value >= 0
            else { throw Malformed(reason: "`\(text)` is not a duration such as 50ms") }
            return value * scale
        }
    }

    /// The measure whose latency is limited; nil if the threshold limits something else.
    package var measure: Measure? {
        switch metric {
        case .percentile(_, let measure), .mean(let measure), .minimum(let measure),
            .maximum(let measure):
            measure
        case .violations, .cuts, .passed, .rate, .operators, .brokenLines: nil
        }
    }

    /// The limited quantity as written, such as `p99(say)`.
    package var left: String {
        let end = text.firstRange(of: comparison.rawValue)?.lowerBound ?? text.endIndex
        return Self.trimmed(text[..<end])
    }

    /// True for a latency threshold, which is meaningless if the generator was the bottleneck.
    package var isTiming: Bool { measure != nil }
}
