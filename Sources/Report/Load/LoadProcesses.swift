import Diagnostics
import Results

/// The processes observed during a load test, for reports.
struct LoadProcesses {
    /// Maximum number of processes in charts and tables.
    static let countMax = 6

    let processes: [ObservedProcess]
    private let measured: Int64

    init(_ results: LoadResults) {
        processes = Array((results.processes ?? []).prefix(Self.countMax))
        measured = results.traffic.measuredNanoseconds
    }

    /// Returns the display name of a process, such as `server (ngircd, PID 1234)`, with the time of
    /// its end if it ended during the load test.
    static func name(_ process: ObservedProcess) -> String {
        let program = process.program.isEmpty ? "" : "\(escapedForDisplay(process.program)), "
        let end = process.endNanoseconds.map { ", ended after \(durationText(max($0, 0)))" } ?? ""
        return "\(escapedForDisplay(process.role)) (\(program)PID \(process.pid)\(end))"
    }

    /// Formats a number of cores as a percentage of one core.
    static func cpu(_ cores: Double) -> String { "\(whole(cores * 100))%" }

    /// Formats a size in MiB.
    static func memory(_ bytes: UInt64) -> String {
        "\(decimal(Int64(clamping: bytes >> 10), per: 1_024, digits: 0)) MiB"
    }

    /// Returns the named figures of a process for the measurement period.
    func facts(_ process: ObservedProcess) -> [(name: String, value: String)] {
        let inside = process.samples.dropFirst().filter {
            (0...max(measured, 1)).contains($0.timeNanoseconds)
        }
        let samples = inside.isEmpty ? process.samples : inside
        func most<Value: Comparable>(_ value: (ObservedProcess.Sample) -> Value?) -> Value? {
            samples.compactMap(value).max()
        }
        func mean(_ value: (ObservedProcess.Sample) -> Double) -> Double {
            samples.isEmpty ? 0 : samples.reduce(0) { $0 + value($1) } / Double(samples.count)
        }
        func count(_ value: Double) -> String { grouped(UInt64(max(whole(value), 0))) }
        var facts: [(name: String, value: String)] = [
            ("CPU", Self.cpu(mean(\.cores))), ("max CPU", Self.cpu(most(\.cores) ?? 0)),
            ("memory", Self.memory(most(\.residentBytes) ?? 0)),
            ("threads", "\(most(\.threads) ?? 0)"),
            ("files", most(\.files).map { grouped(UInt64(max($0, 0))) } ?? "–"),
            ("context switches/s", count(mean(\.contextSwitchesPerSecond))),
            (
                "page faults/s",
                "\(count(mean(\.minorFaultsPerSecond))), \(count(mean(\.majorFaultsPerSecond))) from disk"
            ),
        ]
        let sockets = samples.compactMap(\.sockets)
        facts.append(
            (
                "receive queue",
                sockets.map(\.receiveQueueBytes).max().map { "\(grouped($0)) bytes" } ?? "–"
            ))
        facts.append(
            (
                "connections",
                sockets.map(\.established).max().map { grouped(UInt64(max($0, 0))) } ?? "–"
            ))
        return facts
    }
}
