import Diagnostics
import Results

/// OpenMetrics text with a timestamp for each sample, which Prometheus can import
/// (`promtool tsdb create-blocks-from openmetrics`).
enum OpenMetricsReport {
    static func text(_ results: LoadResults) -> String {
        let series = LoadSeries(results)
        let labels = [("server", results.server), ("dialect", results.dialect)]
        // The format requires that the samples of a series follow each other.
        var families: [(name: String, series: [(labels: String, lines: [String])])] = []
        func add(
            _ name: String, _ labels: [(String, String)], _ value: LoadSeries.Value, _ time: Int64
        ) {
            let words = labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
            let seconds = decimal(max(time, 0), per: 1_000_000_000, digits: 3)
            let line = "\(name){\(words)} \(value.text) \(seconds)\n"
            let family = families.firstIndex { $0.name == name } ?? families.count
            if family == families.count { families.append((name, [])) }
            if let index = families[family].series.firstIndex(where: { $0.labels == words }) {
                families[family].series[index].lines.append(line)
            } else {
                families[family].series.append((words, [line]))
            }
        }
        for second in results.seconds {
            let time = series.end(of: second)
            for value in LoadSeries.counters(second) {
                add("linejudge_load_\(value.name)_per_second", labels, value, time)
            }
            for (metric, times) in second.latencies.sorted(by: { $0.key < $1.key }) {
                for value in LoadSeries.latencies(times) {
                    let own = [("measure", metric), ("statistic", value.name)]
                    add("linejudge_load_response_seconds", labels + own, value, time)
                }
            }
        }
        for process in results.processes ?? [] {
            let own = [
                ("role", process.role), ("program", process.program), ("pid", "\(process.pid)"),
            ]
            for sample in process.samples {
                for value in LoadSeries.resources(sample) {
                    add(
                        "linejudge_process_\(value.name)", labels + own, value,
                        series.start &+ sample.timeNanoseconds)
                }
            }
        }
        return families.map { family in
            "# TYPE \(family.name) gauge\n" + family.series.map { $0.lines.joined() }.joined()
        }.joined() + "# EOF\n"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }
}
