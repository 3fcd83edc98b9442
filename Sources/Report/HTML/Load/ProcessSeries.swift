import Diagnostics
import Results

/// A value of observed processes over time, with its chart and its column in the value table.
struct ProcessSeries: Sendable {
    /// Name that charts use to refer to the column.
    var key: String
    /// Title of the chart.
    var title: String
    /// Name of the column.
    var name: String
    var value: @Sendable (ObservedProcess.Sample) -> Double?
    /// Formats a value.
    var text: @Sendable (Double) -> String
    /// True to show the mean of a period, false to show the maximum.
    var isMean = false
    /// True to leave the series out if all its values are 0.
    var isOptional = true

    /// All series, in the order of the charts.
    static let all: [ProcessSeries] = [
        ProcessSeries(
            key: "cpu", title: "CPU", name: "CPU", value: { $0.cores * 100 },
            text: { count($0) + "%" }, isMean: true, isOptional: false),
        ProcessSeries(
            key: "memory", title: "Memory", name: "memory",
            value: { Double($0.residentBytes) / 1_048_576 },
            text: { count($0) + " MiB" }, isOptional: false),
        ProcessSeries(
            key: "waiting", title: "Time that threads waited for a CPU, per second",
            name: "waiting for a CPU/s", value: { $0.waitingThreads.map { $0 * 1_000 } },
            text: { count($0) + " ms" }, isMean: true),
        ProcessSeries(
            key: "threads", title: "Threads", name: "threads", value: { Double($0.threads) },
            text: { count($0) }),
        ProcessSeries(
            key: "files", title: "Open files", name: "files",
            value: { $0.files.map { Double($0) } }, text: { count($0) }),
        ProcessSeries(
            key: "connections", title: "Connections", name: "connections",
            value: { $0.sockets.map { Double($0.established) } }, text: { count($0) }),
        ProcessSeries(
            key: "queue", title: "Bytes that the server has not read", name: "receive queue",
            value: { $0.sockets.map { Double($0.receiveQueueBytes) } }, text: { count($0) }),
        ProcessSeries(
            key: "switches", title: "Context switches per second", name: "context switches/s",
            value: { $0.contextSwitchesPerSecond }, text: { count($0) }, isMean: true),
        ProcessSeries(
            key: "faults", title: "Page faults per second", name: "page faults/s",
            value: { $0.minorFaultsPerSecond + $0.majorFaultsPerSecond }, text: { count($0) },
            isMean: true),
    ]

    private static func count(_ value: Double) -> String {
        grouped(UInt64(max(whole(value), 0)))
    }

    /// Returns true if any process has a value.
    func isShown(_ processes: [ObservedProcess]) -> Bool {
        !isOptional
            || processes.contains { $0.samples.dropFirst().contains { (value($0) ?? 0) > 0 } }
    }

    /// Returns the text for a period with these samples.
    func cell(_ samples: [ObservedProcess.Sample]) -> String {
        let values = samples.compactMap(value)
        guard let most = values.max() else { return "–" }
        return text(isMean ? values.reduce(0, +) / Double(values.count) : most)
    }
}
