import Diagnostics
import Results

/// Charts of repeated load tests: a dot for each load test, in the order in which they ran.
struct RepeatCharts {
    /// Maximum number of charts.
    private static let chartsMax = 4

    let groups: [LoadGroup]

    /// The charts; empty if no server was tested more than once.
    var figures: [LoadHTMLPage.Figure] {
        get throws {
            guard groups.contains(where: { $0.loads.count > 1 }) else { return [] }
            let all = try groups.map { try Comparison.figures(of: $0.loads) }
            let shown = (all.first ?? []).filter { figure in
                figure.group == "server"
                    || ["p50", "p99"].contains(figure.name)
                        && ["say", "relay", "probe", "iteration"].contains(figure.group)
            }
            return shown.prefix(Self.chartsMax).map { figure in
                let values = all.map { group in
                    group.first { $0.group == figure.group && $0.name == figure.name }?.values ?? []
                }
                let title = "\(figure.group) \(figure.name) of each load test"
                return LoadHTMLPage.Figure(
                    title: title, caption: keys, figure: chart(title, figure.unit, values))
            }
        }
    }

    private var keys: String {
        groups.enumerated().map { index, group in
            LoadFigures.key(
                "s\(index + 1)",
                "\(ComparisonHTML.letter(index)) \(XMLText.content(escapedForDisplay(group.name)))")
        }.joined(separator: " ")
    }

    private func chart(_ label: String, _ unit: Comparison.Unit, _ values: [[Double]]) -> String {
        var plot = Plot(label, height: 200)
        let most = values.map(\.count).max() ?? 0
        let y = Scale.counts(
            values.joined().max() ?? 0, from: plot.bottom, to: Plot.top,
            label: { ComparisonText.shown($0, unit) })
        plot.addRows(y)
        let width = (Plot.right - Plot.left) / Double(max(most, 1))
        for number in 0..<most {
            plot.addText(
                "\(number + 1)", Plot.left + (Double(number) + 0.5) * width, plot.bottom + 20,
                anchor: "middle")
        }
        for (index, values) in values.enumerated() {
            // Draw the dots of a pair side by side.
            let shift = (Double(index) + 1) / Double(groups.count + 1)
            for (number, value) in values.enumerated() {
                plot.addDot(
                    Plot.left + (Double(number) + shift) * width, y.position(value),
                    class: "s\(index + 1)-fill",
                    title: "\(ComparisonHTML.letter(index)) \(number + 1): "
                        + ComparisonText.shown(value, unit))
            }
        }
        return plot.svg
    }
}

extension LoadGroup {
    /// The load test whose p50 latency is the median of the group; nil if there are no load tests.
    var typical: LoadResults? {
        let measure = [LatencyMetric.say, .relay, .probe, .iteration, .login].first { measure in
            loads.contains { $0.response(measure) != nil }
        }
        let sorted = loads.sorted { one, other in
            func middle(_ load: LoadResults) -> UInt64 {
                measure.flatMap { load.response($0)?.p50 } ?? 0
            }
            return middle(one) < middle(other)
        }
        return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }
}
