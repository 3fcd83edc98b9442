/// A condition that a load test must meet, such as `p99(say) < 50ms`, `lost == 0` or `rate >= 99%`.
package struct Threshold: Sendable, Hashable {
    /// The condition as written.
    package var text: String
    package var quantity: Quantity
    package var comparison: Comparison
    /// The limit: a number of nanoseconds, a count or a percentage.
    package var limit: Double

    /// A quantity that a threshold can limit.
    package enum Quantity: Sendable, Hashable {
        case percentile(Double, LatencyMetric)
        case mean(LatencyMetric)
        case minimum(LatencyMetric)
        case maximum(LatencyMetric)
        /// Number of violations of a kind.
        case violations(Violation.Kind)
        /// Number of received lines that violate the dialect's command table.
        case brokenLines
        /// Number of misbehaving operators' connections closed by the server, for one operator kind
        /// or, if nil, for all kinds.
        case disconnected(String?)
        /// Percentage of the conclusive scenario runs that passed.
        case passed
        /// Percentage of the requested sends that were made.
        case rate
        /// Percentage of operators that reached their rooms.
        case operators
        /// Percentage of the disconnections after which operators that reconnect were connected again.
        case reconnects
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
        quantity = try Self.quantity(Self.trimmed(text[..<range.lowerBound]))
        limit = try Self.limit(Self.trimmed(text[range.upperBound...]), quantity)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    private static func quantity(_ text: String) throws(Malformed) -> Quantity {
        if text == "rate" { return .rate }
        if text == "operators" { return .operators }
        if text == "reconnects" { return .reconnects }
        if text == "passed" { return .passed }
        if text == "schema" { return .brokenLines }
        if text == "cut" { return .disconnected(nil) }
        if let kind = Violation.Kind(rawValue: text) { return .violations(kind) }
        guard let open = text.firstIndex(of: "("), text.last == ")" else {
            throw Malformed(
                reason:
                    "`\(text)` is not a metric: expected rate, operators, reconnects, passed, schema, "
                    + Violation.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                    + ", disconnected(KIND)"
                    + ", or pN, mean, min or max of a latency such as p99(say)")
        }
        let inner = String(text[text.index(after: open)...].dropLast())
        // Without a kind of operator, `disconnected` is a kind of violation.
        if text.hasPrefix("disconnected(") || text.hasPrefix("cut(") {
            return .disconnected(inner == "*" ? nil : inner)
        }
        guard let metric = LatencyMetric(name: inner) else {
            throw Malformed(
                reason: "`\(inner)` is not a known latency: expected "
                    + LatencyMetric.allCases.map(\.name).joined(separator: ", "))
        }
        return try quantity(String(text[..<open]), of: metric)
    }

    private static func quantity(
        _ word: String, of metric: LatencyMetric
    ) throws(Malformed) -> Quantity {
        switch word {
        case "mean": return .mean(metric)
        case "min": return .minimum(metric)
        case "max": return .maximum(metric)
        case "median": return .percentile(50, metric)
        default:
            guard word.hasPrefix("p"), let percent = Double(word.dropFirst()),
                percent > 0, percent <= 100
            else {
                throw Malformed(
                    reason:
                        "`\(word)` is not a statistic: expected p50, p99.9, mean, median, min or max"
                )
            }
            return .percentile(percent, metric)
        }
    }

    private static func limit(_ text: String, _ quantity: Quantity) throws(Malformed) -> Double {
        switch quantity {
        case .rate, .operators, .reconnects, .passed:
            guard text.hasSuffix("%"), let value = Double(text.dropLast()) else {
                throw Malformed(reason: "`\(text)` is not a percentage")
            }
            return value
        case .violations, .disconnected, .brokenLines:
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

    /// The metric whose latency is limited; nil if the threshold limits something else.
    package var metric: LatencyMetric? {
        switch quantity {
        case .percentile(_, let metric), .mean(let metric), .minimum(let metric),
            .maximum(let metric):
            metric
        case .violations, .disconnected, .passed, .rate, .operators, .reconnects, .brokenLines: nil
        }
    }

    /// The limited quantity as written, such as `p99(say)`.
    package var left: String {
        let end = text.firstRange(of: comparison.rawValue)?.lowerBound ?? text.endIndex
        return Self.trimmed(text[..<end])
    }

    /// True for a latency threshold, which is meaningless if the generator was the bottleneck.
    package var isTiming: Bool { metric != nil }
}
