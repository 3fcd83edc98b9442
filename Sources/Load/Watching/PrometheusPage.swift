/// Values of metrics in a page in the Prometheus text format or in OpenMetrics.
struct PrometheusPage {
    /// A metric without its labels: the sum over all its time series.
    struct Metric: Equatable {
        var sum: Double
        var isCounter: Bool
    }

    private(set) var metrics: [String: Metric] = [:]

    /// Reads the page. Lines that are not valid are skipped.
    ///
    /// - Parameter names: The metrics to read; nil to read all.
    init(_ bytes: [UInt8], only names: Set<String>? = nil) {
        var counters: Set<String> = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            if line.first == UInt8(ascii: "#") {
                let words = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
                    .map { String(decoding: $0, as: UTF8.self) }
                if words.count == 4, words[1] == "TYPE",
                    ["counter", "histogram", "summary"].contains(words[3].trimmingSpaces)
                {
                    counters.insert(words[2])
                }
                continue
            }
            let end = line.firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: " ") }
            guard let end, end > line.startIndex else { continue }
            let name = String(decoding: line[..<end], as: UTF8.self)
            guard names?.contains(name) ?? true, let value = Self.value(line[end...]) else {
                continue
            }
            metrics[
                name,
                default: Metric(sum: 0, isCounter: Self.isCounter(name, counters))
            ].sum += value
        }
    }

    /// Returns whether a metric only grows. In a histogram or summary, that applies to the count,
    /// the sum and the buckets.
    private static func isCounter(_ name: String, _ counters: Set<String>) -> Bool {
        let suffixes = ["_total", "_count", "_sum", "_bucket"]
        let family = suffixes.first { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) }
        if let family, counters.contains(family) { return true }
        return name.hasSuffix("_total") && counters.contains(name) || counters.contains(name)
    }

    /// Returns the value after the labels; nil if there is no finite number.
    private static func value(_ rest: ArraySlice<UInt8>) -> Double? {
        var rest = rest
        if rest.first == UInt8(ascii: "{") {
            guard let end = endOfLabels(rest) else { return nil }
            rest = rest[(end + 1)...]
        }
        let words = rest.split(separator: UInt8(ascii: " "))
        guard let word = words.first,
            let value = Double(String(decoding: word, as: UTF8.self).trimmingSpaces),
            value.isFinite
        else { return nil }
        return value
    }

    /// Returns the index of the closing brace. Label values may contain braces.
    private static func endOfLabels(_ text: ArraySlice<UInt8>) -> Int? {
        var isQuoted = false
        var isEscaped = false
        for index in text.indices {
            if isEscaped {
                isEscaped = false
            } else if text[index] == UInt8(ascii: "\\") {
                isEscaped = isQuoted
            } else if text[index] == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if text[index] == UInt8(ascii: "}"), !isQuoted {
                return index
            }
        }
        return nil
    }
}

extension String {
    /// The text without spaces, tabs and carriage returns at its end.
    fileprivate var trimmingSpaces: String {
        var text = self[...]
        while let last = text.unicodeScalars.last, " \t\r".unicodeScalars.contains(last) {
            text = text.dropLast()
        }
        return String(text)
    }
}
