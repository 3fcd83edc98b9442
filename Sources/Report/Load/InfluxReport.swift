import Results

/// InfluxDB line protocol with values per second: one line for the load test, one for each
/// latency, one for each process and one for each of the server's metrics.
enum InfluxReport {
    static func text(_ results: LoadResults) -> String {
        let series = LoadSeries(results)
        let tags = [("server", results.server), ("dialect", results.dialect)]
        var text = ""
        for second in results.seconds {
            let time = series.end(of: second)
            text += line("linejudge_load", tags, LoadSeries.counters(second), time)
            for (metric, times) in second.latencies.sorted(by: { $0.key < $1.key }) {
                text += line(
                    "linejudge_latency", tags + [("measure", metric)],
                    LoadSeries.latencies(times), time)
            }
        }
        for process in results.processes ?? [] {
            let own = [
                ("role", process.role), ("program", process.program), ("pid", "\(process.pid)"),
            ]
            for sample in process.samples {
                text += line(
                    "linejudge_process", tags + own, LoadSeries.resources(sample),
                    series.start &+ sample.timeNanoseconds)
            }
        }
        for metric in results.metrics ?? [] {
            let own = [("name", metric.name), ("source", metric.source)]
            for sample in metric.samples {
                let value = LoadSeries.Value(name: "value", number: sample.value, isInteger: false)
                text += line(
                    "linejudge_metric", tags + own, [value], series.start &+ sample.timeNanoseconds)
            }
        }
        return text
    }

    private static func line(
        _ measurement: String, _ tags: [(String, String)], _ values: [LoadSeries.Value],
        _ time: Int64
    ) -> String {
        let tags = tags.filter { !$0.1.isEmpty }.map { ",\($0.0)=\(escaped($0.1))" }.joined()
        let fields = values.map { "\($0.name)=\($0.text)\($0.isInteger ? "i" : "")" }
        return "\(measurement)\(tags) \(fields.joined(separator: ",")) \(time)\n"
    }

    /// Escapes the value of a tag. Control characters cannot be escaped, so they become spaces.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.value < 0x20 || scalar.value == 0x7F {
                text += "\\ "
            } else {
                if ", =\\".unicodeScalars.contains(scalar) { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
