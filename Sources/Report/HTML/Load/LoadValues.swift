import Diagnostics
import Results

extension LoadHTMLPage {
    /// A table of the values in the charts over time.
    struct ValueTable {
        /// A column heading.
        struct Heading {
            /// Name that charts use to refer to the column.
            var key: String
            var name: String
        }

        /// A table row for a period of time.
        struct Row {
            /// Start and end in seconds.
            var from: String
            var to: String
            var name: String
            var cells: [String]
        }

        var headings: [Heading]
        var rows: [Row]
        /// The period covered by each row.
        var summary: String

        init?(
            _ columns: LoadColumns, _ timeline: LoadTimeline, _ processes: LoadProcesses,
            _ serverMetrics: LoadServerMetrics
        ) {
            guard !columns.columns.isEmpty else { return nil }
            let metrics = LoadFigures.metrics(columns)
            let hasTarget = timeline.target.count > 1
            headings =
                (hasTarget ? [Heading(key: "requested", name: "requested/s")] : []) + [
                    Heading(key: "sent", name: "sent"),
                    Heading(key: "arrived", name: "arrived"),
                    Heading(key: "violations", name: "violations"),
                ]
            for metric in metrics {
                headings += ["p50", "p99", "max"].map {
                    Heading(key: "\(metric.name).\($0)", name: "\($0)(\(metric.name))")
                }
            }
            headings += processes.headings + serverMetrics.headings
            rows = columns.columns.map { column in
                let isDrain = !timeline.isMeasured(column)
                let (from, to) = (column.seconds.lowerBound, column.seconds.upperBound)
                var cells: [String] = []
                if hasTarget {
                    cells.append(
                        timeline.requested(column).map {
                            decimal(whole($0 * 10), per: 10, digits: 1)
                        } ?? "–")
                }
                cells += [column.sent, column.arrived, column.violations].map(grouped)
                for metric in metrics {
                    guard let times = column.latencies[metric.name], times.count > 0 else {
                        cells += ["–", "–", "–"]
                        continue
                    }
                    cells += [times.median, times.p99, times.maximum].map {
                        durationText(whole($0))
                    }
                }
                cells += processes.cells(column.seconds) + serverMetrics.cells(column.seconds)
                let name = to - from > 1 ? "\(from)–\(to) s" : "\(from) s"
                return Row(
                    from: "\(from)", to: "\(to)", name: isDrain ? "\(name) (drain)" : name,
                    cells: cells)
            }
            summary =
                columns.length == 1
                ? "Values per second" : "Values per \(columns.length) seconds"
        }
    }
}
