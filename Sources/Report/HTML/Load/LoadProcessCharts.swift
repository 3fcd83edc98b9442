import Diagnostics
import Results

/// Charts and values over time of observed processes.
extension LoadProcesses {
    // MARK: Charts

    func figures(_ timeline: LoadTimeline) -> [LoadHTMLPage.Figure] {
        guard !processes.isEmpty else { return [] }
        let keys = processes.enumerated().map { index, process in
            LoadFigures.key("s\(index + 1)", XMLText.content(Self.name(process)))
        }.joined(separator: " ")
        func figure(_ title: String, _ key: String, _ svg: String) -> LoadHTMLPage.Figure {
            LoadHTMLPage.Figure(
                title: title, caption: keys, figure: svg,
                values: processes.indices.map { "process\($0).\(key)" }.joined(separator: " "))
        }
        return [
            figure(
                "CPU", "cpu",
                chart("CPU per process over time", timeline, unit: "%") { $0.cores * 100 }),
            figure(
                "Memory", "memory",
                chart("Memory per process over time", timeline, unit: " MiB") {
                    Double($0.residentBytes) / 1_048_576
                }),
        ]
    }

    private func chart(
        _ label: String, _ timeline: LoadTimeline, unit: String,
        _ value: (LoadResults.ProcessSample) -> Double
    ) -> String {
        var plot = Plot(label, height: 200, hasTimeAxis: true)
        let end = timeline.end * 1e9
        let shown = processes.map { process in
            process.samples.dropFirst().filter {
                $0.timeNanoseconds >= 0 && Double($0.timeNanoseconds) <= end
            }
        }
        let x = Scale.seconds(timeline.end, from: Plot.left, to: Plot.right)
        let y = Scale.counts(
            shown.joined().map(value).max() ?? 0, from: plot.bottom, to: Plot.top,
            label: { grouped(UInt64(max($0, 0))) + unit })
        plot.addRows(y)
        LoadTimeCharts(columns: [], timeline: timeline).addPeriods(to: &plot)
        for (index, samples) in shown.enumerated() {
            plot.addLine(
                samples.map {
                    (x.position(Double($0.timeNanoseconds) / 1e9), y.position(value($0)))
                }, class: "s\(index + 1)", title: Self.name(processes[index]))
        }
        plot.addColumns(x)
        return plot.svg
    }

    // MARK: Values

    var headings: [LoadHTMLPage.ValueTable.Heading] {
        processes.enumerated().flatMap { index, process in
            let name = Self.name(process)
            return [("cpu", "CPU"), ("memory", "memory")].map { key, word in
                LoadHTMLPage.ValueTable.Heading(
                    key: "process\(index).\(key)", name: "\(word): \(name)")
            }
        }
    }

    /// Returns the values for a period in seconds: average CPU and maximum memory.
    func cells(_ seconds: Range<Int>) -> [String] {
        processes.flatMap { process in
            let samples = process.samples.dropFirst().filter {
                let middle = Double($0.timeNanoseconds) / 1e9 - 0.5
                return middle >= Double(seconds.lowerBound) && middle < Double(seconds.upperBound)
            }
            guard !samples.isEmpty else { return ["–", "–"] }
            let cores = samples.reduce(0) { $0 + $1.cores } / Double(samples.count)
            return [Self.cpu(cores), Self.memory(samples.map(\.residentBytes).max() ?? 0)]
        }
    }
}

extension LoadHTMLPage {
    /// A table of the observed processes.
    struct ProcessTable {
        /// A table row for a process.
        struct Row {
            var name: String
            var cells: [String]
        }

        var headings: [String]
        var rows: [Row]

        init?(_ processes: LoadProcesses) {
            guard let first = processes.processes.first else { return nil }
            headings = processes.facts(first).map(\.name)
            rows = processes.processes.map { process in
                Row(
                    name: LoadProcesses.name(process),
                    cells: processes.facts(process).map(\.value))
            }
        }
    }
}
