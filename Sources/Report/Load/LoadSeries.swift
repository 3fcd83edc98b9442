import Diagnostics
import Results

/// Per-second values of a load test, for time series databases.
struct LoadSeries {
    /// A value of the series, with its field name.
    struct Value {
        var name: String
        var number: Double
        var isInteger = true

        /// The number without a unit, as short as possible.
        var text: String {
            isInteger || number == number.rounded() && abs(number) < 1e15
                ? String(whole(number)) : String(number)
        }
    }

    /// Start of the measurement period, or of the load test if unknown, in nanoseconds since 1970.
    let start: Int64
    private let results: LoadResults

    init(_ results: LoadResults) {
        self.results = results
        start = results.measuredFrom ?? results.startedAt &* 1_000_000_000
    }

    /// Returns the end of a second, in nanoseconds since 1970.
    func end(of second: LoadResults.Second) -> Int64 {
        start &+ (Int64(clamping: second.second) &+ 1) &* 1_000_000_000
    }

    static func counters(_ second: LoadResults.Second) -> [Value] {
        [("sent", second.sent), ("arrived", second.arrived), ("violations", second.violations)].map
        {
            Value(name: $0.0, number: Double($0.1))
        }
    }

    /// Returns the latencies of a metric for one second of the load test, converted to seconds.
    static func latencies(_ times: LatencyDistribution) -> [Value] {
        [("p50", times.p50), ("p90", times.p90), ("p99", times.p99), ("max", times.max)].map {
            Value(name: $0.0, number: Double($0.1) / 1e9, isInteger: false)
        }
    }

    static func resources(_ sample: ObservedProcess.Sample) -> [Value] {
        var values = [
            Value(name: "cores", number: sample.cores, isInteger: false),
            Value(name: "resident_bytes", number: Double(sample.residentBytes)),
            Value(name: "threads", number: Double(sample.threads)),
            Value(
                name: "context_switches_per_second", number: sample.contextSwitchesPerSecond,
                isInteger: false),
            Value(
                name: "major_faults_per_second", number: sample.majorFaultsPerSecond,
                isInteger: false),
        ]
        if let files = sample.files {
            values.append(Value(name: "open_files", number: Double(files)))
        }
        if let sockets = sample.sockets {
            values.append(Value(name: "connections", number: Double(sockets.established)))
            values.append(
                Value(name: "receive_queue_bytes", number: Double(sockets.receiveQueueBytes)))
        }
        return values
    }
}
