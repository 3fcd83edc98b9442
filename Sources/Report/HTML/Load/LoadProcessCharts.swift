import Diagnostics
import Results

/// Charts and values of observed processes over time.
extension LoadProcesses {
    // MARK: Charts

    func figures(_ timeline: LoadTimeline) -> [LoadHTMLPage.Figure] {
        guard !processes.isEmpty else { return [] }
        let keys = processes.enumerated().map { index, process in
            LoadFigures.key("s\(index + 1)", XMLText.content(Self.name(process)))
        }.joined(separator: " ")
        return series.map { series in
            LoadHTMLPage.Figure(
                title: series.title, caption: keys, figure: chart(series, timeline),
                values: processes.indices.map { "process\($0).\(series.key)" }
                    .joined(separator: " "))
        }
    }

    private var series: [ProcessSeries] { ProcessSeries.all.filter { $0.isShown(processes) } }

    private func chart(_ series: ProcessSeries, _ timeline: LoadTimeline) -> String {
        var plot = Plot(
            "\(series.title) per process over time", height: series.isOptional ? 150 : 200,
            hasTimeAxis: true)
        let end = timeline.end * 1e9
        let shown = processes.map { process in
            process.samples.dropFirst().compactMap { sample -> (time: Double, value: Double)? in
                guard sample.timeNanoseconds >= 0, Double(sample.timeNanoseconds) <= end else {
                    return nil
                }
                return series.value(sample).map { (Double(sample.timeNanoseconds) / 1e9, $0) }
            }
        }
        let x = Scale.seconds(timeline.end, from: Plot.left, to: Plot.right)
        let y = Scale.counts(
            shown.joined().map(\.value).max() ?? 0, from: plot.bottom, to: Plot.top,
            label: series.text)
        plot.addRows(y)
        LoadTimeCharts(columns: [], timeline: timeline).addPeriods(to: &plot)
        for (index, points) in shown.enumerated() {
            plot.addLine(
                points.map { (x.position($0.time), y.position($0.value)) },
                class: "s\(index + 1)", title: Self.name(processes[index]))
        }
        plot.addColumns(x)
        return plot.svg
    }

    // MARK: Values

    var headings: [LoadHTMLPage.ValueTable.Heading] {
        processes.enumerated().flatMap { index, process in
            let name = Self.name(process)
            return series.map { series in
                LoadHTMLPage.ValueTable.Heading(
                    key: "process\(index).\(series.key)", name: "\(series.name): \(name)")
            }
        }
    }

    /// Returns the values for a period in seconds.
    func cells(_ seconds: Range<Int>) -> [String] {
        processes.flatMap { process in
            let samples = process.samples.dropFirst().filter {
                let middle = Double($0.timeNanoseconds) / 1e9 - 0.5
                return middle >= Double(seconds.lowerBound) && middle < Double(seconds.upperBound)
            }
            return series.map { $0.cell(samples) }
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
