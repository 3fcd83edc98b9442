import Diagnostics
import FoundationEssentials
import Glibc
import Results

/// HdrHistogram percentile distribution (`.hgrm`) of the response times of each metric, in
/// milliseconds.
enum PercentileDistribution {
    /// Number of steps per halving of the distance to 100%.
    static let ticksPerHalfDistance = 5

    static func text(_ results: LoadResults) throws -> String {
        try results.latencies.map { latency in
            let histogram = try latency.response.decoded()
            return "#[Measure = \(latency.metric), response time in milliseconds]\n"
                + table(histogram)
        }.joined(separator: "\n")
    }

    private static func table(_ histogram: LatencyHistogram) -> String {
        var text = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
        var total: UInt64 = 0
        var level = 0.0
        let all = Double(histogram.count)
        let values = histogram.values
        for (index, entry) in values.enumerated() {
            total += entry.count
            let reached = Double(total) * 100 / all
            if index == values.count - 1 {
                // Skip the remaining steps and print the last value again at 100%.
                if level < 100 { text += row(entry.value, level, total) }
                text += row(entry.value, 100, total)
                break
            }
            while level <= reached {
                text += row(entry.value, level, total)
                level = next(level)
            }
        }
        text +=
            "#[Mean    = \(number(histogram.mean / 1e6, 12, 3)), StdDeviation   = "
            + "\(number(histogram.deviation / 1e6, 12, 3))]\n"
        text +=
            "#[Max     = \(number(Double(histogram.maximum) / 1e6, 12, 3)), Total count    = "
            + "\(padded(String(histogram.count), 12))]\n"
        return text + "#[Buckets = \(padded("32", 12)), SubBuckets     = \(padded("2048", 12))]\n"
    }

    /// Returns the next percentile. The step size is halved whenever the distance to 100% has
    /// halved.
    private static func next(_ level: Double) -> Double {
        let halvings = log2(100 / (100 - level)).rounded(.down) + 1
        let ticks = Double(ticksPerHalfDistance) * pow(2, halvings)
        return level + 100 / ticks
    }

    private static func row(_ value: UInt64, _ level: Double, _ total: UInt64) -> String {
        let start =
            number(Double(value) / 1e6, 12, 3) + " " + number(level / 100, 14, 12)
            + " " + padded(String(total), 10)
        return level < 100 ? start + " " + number(100 / (100 - level), 14, 2) + "\n" : start + "\n"
    }

    private static func number(_ value: Double, _ width: Int, _ digits: Int) -> String {
        let charactersMax = 400
        let text = unsafe withVaList([Int32(digits), value]) { arguments in
            unsafe String(unsafeUninitializedCapacity: charactersMax) { buffer in
                let count = unsafe vsnprintf(
                    UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(
                        to: CChar.self), buffer.count, "%.*f", arguments)
                return min(max(Int(count), 0), charactersMax)
            }
        }
        return padded(text, width)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }
}

/// HdrHistogram log (`.hlog`, version 1.3), with an interval histogram for each second and metric.
/// The tag is the metric's name.
enum HistogramLog {
    static func text(_ results: LoadResults) throws -> String {
        var lines = [
            "#[Histogram log format version 1.3]",
            "#[StartTime: \(results.startedAt).000 (seconds since epoch)]",
            "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_CompressedHistogram\"",
        ]
        for second in results.seconds {
            for (metric, times) in second.latencies.sorted(by: { $0.key < $1.key }) {
                let bytes = HistogramCodec.compressed(try times.decoded())
                let most = decimal(Int64(clamping: times.max), per: 1_000_000, digits: 3)
                lines.append(
                    "Tag=\(metric),\(second.second).000,1.000,\(most),"
                        + Data(bytes).base64EncodedString())
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
