import Diagnostics
import LineProtocol
package import Results

/// Terminal summary of a load test: the verdict, followed by the figures behind it.
package struct LoadSummary: Sendable {
    package let style: Style
    /// True to list the steps of a rate search, false if they have already been printed during the
    /// search.
    package var showsSearchSteps = true

    package init(style: Style) { self.style = style }

    /// Maximum number of examples shown for each kind of violation.
    static let evidenceMax = 3

    package func text(_ results: LoadResults) -> String {
        if let capture = results.capture { return self.capture(capture, results) }
        var parts = [verdict(results)]
        if let search = results.search { parts.append(found(search)) }
        parts.append(table(results))
        parts.append(delivery(results))
        if let scenarios = results.scenarios { parts.append(self.scenarios(scenarios)) }
        if let behaviours = results.behaviours { parts.append(self.behaviours(behaviours)) }
        if let table = commandTable(results) { parts.append(table) }
        if !results.thresholds.isEmpty { parts.append(thresholds(results)) }
        if let processes = processes(results) { parts.append(processes) }
        if let metrics = metrics(results) { parts.append(metrics) }
        parts.append(generator(results))
        return "\n" + parts.joined(separator: "\n")
    }

    /// Returns command-table violations and the command coverage, indented like the other parts;
    /// nil if no lines were checked.
    private func commandTable(_ results: LoadResults) -> String? {
        let schema = SchemaText(style: style, hint: "a JSON or HTML report")
        let isFailure = results.brokenLinesFail
        guard let report = results.commandTable?.report, report.lines > 0 else { return nil }
        let text = schema.text(report, isFailure: isFailure)
        return text.split(separator: "\n").map { "  \($0)\n" }.joined()
    }

    /// Returns the line for one step of a rate search.
    package func searchLine(_ step: RateSearchResults.Step) -> String {
        let look: Style.TextStyle =
            switch step.outcome {
            case .passed: .green
            case .failed: .red
            case .inconclusive: .yellow
            }
        let figures = step.thresholds.map { result in
            result.text + (Self.shown(result).map { ": \($0)" } ?? "")
        }
        let why = step.outcome == .passed ? figures : figures + step.reasons
        return "  " + ColumnText.rightAligned(Self.rate(step.ratePerSecond), to: 12) + "  "
            + style(ColumnText.padded(step.outcome.rawValue, to: 14), look)
            + style(ColumnText.padded(step.purpose, to: 13), .dim)
            + why.joined(separator: "; ") + "\n"
    }

    /// Returns a rate such as `1,234.5/s`.
    package static func rate(_ perSecond: Double) -> String {
        let tenths = perSecond.isFinite ? Int64(min(max(perSecond * 10, 0), 1e15).rounded()) : 0
        let rest = tenths % 10
        return grouped(UInt64(tenths / 10)) + (rest > 0 ? ".\(rest)" : "") + "/s"
    }

    // MARK: Parts

    /// Returns the latencies of captured traffic, which has no verdict.
    private func capture(_ capture: LoadResults.Capture, _ results: LoadResults) -> String {
        var head = style(escapedForDisplay(capture.name), .bold) + ": "
        head += escapedForDisplay("\(results.server) (\(results.dialect)), ")
        head += counted(capture.connections, "connection") + ", "
        head += counted(capture.lines, "line")
        if results.traffic.measuredNanoseconds > 0 {
            head += " in \(durationText(results.traffic.measuredNanoseconds))"
        }
        return head + "\n\n" + table(results)
    }

    private func found(_ search: RateSearchResults) -> String {
        var text = showsSearchSteps ? search.steps.map(searchLine).joined() + "\n" : ""
        guard let rate = search.ratePerSecond else {
            return text + "  no rate passed\n"
        }
        text += "  " + style("highest passing rate: \(Self.rate(rate))", .bold)
        if !search.isConfirmed { text += " (not confirmed by a second load test)" }
        if let broken = search.brokenPerSecond {
            text += "; failed at \(Self.rate(broken))"
            if search.isBoundByGenerator {
                text += " because of the load generator; the server may handle more"
            }
        }
        if let saturation = search.saturation { text += "\n  at that rate: \(saturation)" }
        return text + "\n  results at this rate:\n"
    }

    private func verdict(_ results: LoadResults) -> String {
        let (word, look): (String, Style.TextStyle) =
            switch results.verdict {
            case .passed: ("PASSED", .green)
            case .failed: ("FAILED", .red)
            default: ("INCONCLUSIVE", .yellow)
            }
        var text = style(word, look)
        if !results.reasons.isEmpty { text += ": " + results.reasons.joined(separator: "; ") }
        if let interruption = results.interruption {
            text +=
                style("  (\(interruption) after ", .dim)
                + style("\(durationText(results.traffic.measuredNanoseconds)))", .dim)
        }
        return text + "\n"
    }

    private func table(_ results: LoadResults) -> String {
        guard !results.latencies.isEmpty else { return "  no latencies measured\n" }
        let head = ["count", "p50", "p90", "p99", "p99.9", "max"]
        var lines = [style(row("", head), .dim)]
        for latency in Self.distinct(results.latencies) {
            lines.append(row(Self.name(latency), cells(latency.response)))
            if let service = latency.service {
                lines.append(style(row("    from the actual send", cells(service)), .dim))
            }
        }
        let legend =
            results.capture == nil
            ? "Latency is measured from the scheduled send, except where a row says otherwise."
            : "Latency is measured at the capture point, from request packet to response packet."
        lines.append(style("  \(legend)", .dim))
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the latencies without those by first, median and last member if these are the same,
    /// as in rooms with two members.
    private static func distinct(_ all: [LoadResults.Latency]) -> [LoadResults.Latency] {
        func response(_ metric: LatencyMetric) -> LatencyDistribution? {
            all.first { $0.metric == metric.name }?.response
        }
        guard let first = response(.sayFirst), first == response(.sayLast) else { return all }
        let parts: [LatencyMetric] = [.sayFirst, .sayMedian, .sayLast, .saySpread]
        let names = Set(parts.map(\.name))
        return all.filter { !names.contains($0.metric) }
    }

    /// Returns the row label for a metric. Metrics that are part of another are indented.
    static func name(_ latency: LoadResults.Latency) -> String {
        let word =
            switch LatencyMetric(name: latency.metric) {
            case .connect: "connect"
            case .login: latency.command == nil ? "log in and join room" : "log in"
            case .probe: "probe answered"
            case .relay: "direct message received"
            case .say: "room message received"
            case .sayFirst: "  by the first member"
            case .sayMedian: "  by half the members"
            case .sayLast: "  by the last member"
            case .saySpread: "  first to last member"
            case .step: "expected line received"
            case .iteration: "scenario run"
            case nil: latency.metric
            }
        return "  " + word
    }

    private func cells(_ times: LatencyDistribution) -> [String] {
        [grouped(times.count)]
            + [times.p50, times.p90, times.p99, times.p999, times.max].map {
                durationText(Int64(clamping: $0))
            }
    }

    private func row(_ name: String, _ cells: [String]) -> String {
        ColumnText.padded(name, to: 27)
            + cells.map { ColumnText.rightAligned($0, to: 10) }.joined()
    }

    private func delivery(_ results: LoadResults) -> String {
        let traffic = results.traffic
        var lines: [String] = []
        var sent = "  \(grouped(traffic.sent)) sent in \(durationText(traffic.measuredNanoseconds))"
        sent += ", \(grouped(UInt64(traffic.rate.rounded())))/s"
        if let percent = results.ratePercent {
            sent += " (\(shortPercent(percent)) of the target rate)"
        }
        lines.append(sent)
        let changes = results.requested.rateChanges ?? []
        let pauses = changes.count { $0.action == "pause" }
        if pauses > 0 { lines.append("  paused manually \(Self.times(UInt64(pauses)))") }
        let scaled = changes.filter { $0.action == nil }
        if !scaled.isEmpty {
            let factor = scaled.reduce(1) { $0 * $1.factor }
            lines.append(
                "  rate changed manually \(Self.times(UInt64(scaled.count))); final rate "
                    + "\(decimal(Int64((min(max(factor, 0), 1e6) * 100).rounded()), per: 100, digits: 2))"
                    + "x the target")
        }
        if let arrived = results.deliveriesText {
            lines.append(
                "  " + arrived
                    + (traffic.indefinite > 0
                        ? ", \(grouped(traffic.indefinite)) unknown due to lost connections"
                        : ""))
        }
        if let answered = results.answersText { lines.append("  " + answered) }
        lines.append("  " + ledger(results))
        lines += evidence(results)
        return lines.joined(separator: "\n") + "\n"
    }

    private func ledger(_ results: LoadResults) -> String {
        let kinds: [Violation.Kind] = [
            .lost, .duplicate, .reordered, .leaked, .phantom, .corrupted,
        ]
        let others: [Violation.Kind] = [.unanswered, .refused, .disconnected, .unmet]
        let shown = kinds + others.filter { (results.ledger.violations[$0.rawValue] ?? 0) > 0 }
        return shown.map { kind in
            let count = results.ledger.violations[kind.rawValue] ?? 0
            return style("\(grouped(count)) \(kind.rawValue)", count > 0 ? .red : nil)
        }.joined(separator: ", ")
    }

    private func evidence(_ results: LoadResults) -> [String] {
        var lines: [String] = []
        var counts: [String: Int] = [:]
        for violation in results.ledger.evidence {
            counts[violation.kind ?? "", default: 0] += 1
            guard counts[violation.kind ?? "", default: 0] <= Self.evidenceMax else { continue }
            lines.append("    \(violation.kind ?? ""): \(violation.story)")
            if let line = violation.line { lines.append(style("      \(line)", .cyan)) }
        }
        if results.operators.failed > 0 {
            lines.append(
                "  \(results.operators.failed) of \(results.requested.operators) operators did not join "
                    + "their rooms")
            for failure in results.operators.failures.prefix(Self.evidenceMax) {
                lines.append("    \(failure.story)")
                if let line = failure.line { lines.append(style("      \(line)", .cyan)) }
            }
        }
        return lines
    }

    /// Returns the outcome of the scenario runs and the latency of each expectation.
    private func scenarios(_ scenarios: [LoadScenarioResult]) -> String {
        scenarios.map { scenario in
            var lines = [
                "  \(scenario.file): " + Self.words(scenario).joined(separator: ", ")
            ]
            lines += scenario.failures.map {
                "    \(grouped($0.count)) failed at line \($0.line)"
            }
            lines += scenario.reasons.map { "    inconclusive: \($0)" }
            for step in scenario.steps.prefix(Self.stepsMax) {
                let name = ColumnText.cutEnd(
                    "    \(step.line): \(step.text.split(separator: " ").joined(separator: " "))",
                    to: 40)
                lines.append(
                    style(
                        ColumnText.padded(name, to: 42)
                            + cells(step.response).map { ColumnText.rightAligned($0, to: 10) }
                            .joined(), .dim))
            }
            if scenario.steps.count > Self.stepsMax {
                lines.append("    and \(scenario.steps.count - Self.stepsMax) more steps")
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n") + "\n"
    }

    /// Maximum number of steps shown for each scenario.
    static let stepsMax = 20

    /// Returns phrases that describe the outcome of a scenario's runs.
    static func words(_ scenario: LoadScenarioResult) -> [String] {
        var words = [
            "\(grouped(scenario.started)) runs by \(counted(scenario.groups, "virtual user"))",
            "\(grouped(scenario.passed)) passed",
        ]
        if scenario.failed > 0 { words.append("\(grouped(scenario.failed)) failed") }
        if scenario.undecided > 0 {
            words.append("\(grouped(scenario.undecided)) inconclusive")
        }
        if scenario.unfinished > 0 {
            words.append("\(grouped(scenario.unfinished)) unfinished")
        }
        if scenario.waited > 0 {
            words.append(
                "\(grouped(scenario.waited)) started late because all virtual users were busy "
                    + "(raise --operators)")
        }
        return words
    }

    /// Returns the resources of the server's processes; nil if none were observed.
    private func processes(_ results: LoadResults) -> String? {
        let all = LoadProcesses(results)
        let shown = all.processes.filter { $0.role != "generator" }
        guard !shown.isEmpty else { return nil }
        return shown.map { process in
            let facts = all.facts(process).filter { $0.value != "–" }
                .map { "\($0.name) \($0.value)" }
            return "  \(LoadProcesses.name(process)): " + facts.joined(separator: "; ") + "\n"
        }.joined()
    }

    /// Returns the server's metrics in the measurement period; nil if there are none.
    private func metrics(_ results: LoadResults) -> String? {
        guard let all = results.metrics, !all.isEmpty else { return nil }
        let period = 0...max(results.traffic.measuredNanoseconds, 1)
        return all.map { metric in
            let values = metric.samples.filter { period.contains($0.timeNanoseconds) }.map(\.value)
            var words: [String] = []
            if let least = values.min(), let most = values.max() {
                let mean = values.reduce(0, +) / Double(values.count)
                words = [("mean", mean), ("min", least), ("max", most)].map {
                    "\($0.0) \(LoadServerMetrics.text($0.1))"
                }
            }
            if metric.missed > 0 { words.append("not read \(Self.times(UInt64(metric.missed)))") }
            if words.isEmpty { words = ["no values in the measurement period"] }
            return "  \(LoadServerMetrics.name(metric)): \(words.joined(separator: ", "))\n"
        }.joined()
    }

    private func thresholds(_ results: LoadResults) -> String {
        results.thresholds.map { result in
            let (word, look): (String, Style.TextStyle) =
                switch result.verdict {
                case .passed: ("passed", .green)
                case .failed: ("failed", .red)
                default: ("inconclusive", .yellow)
                }
            return "  \(style(word, look)): \(result.text)" + measured(result)
        }.joined(separator: "\n") + "\n"
    }

    private func measured(_ result: LoadResults.ThresholdResult) -> String {
        " (\(Self.shown(result) ?? "no samples"))"
    }

    /// Returns the measured value with its unit; nil if nothing was measured.
    static func shown(_ result: LoadResults.ThresholdResult) -> String? {
        guard let value = result.value, value >= 0, value < 1e18,
            let threshold = try? Threshold(result.text)
        else { return nil }
        switch threshold.quantity {
        case .percentile, .mean, .minimum, .maximum: return durationText(Int64(value))
        case .rate, .operators, .reconnects, .passed: return shortPercent(value)
        case .violations, .disconnected, .brokenLines: return grouped(UInt64(value))
        }
    }

    private func generator(_ results: LoadResults) -> String {
        let generator = results.generator
        let share = shortPercent(generator.processorShare * 100)
        var text =
            "  load generator: send delay p99 \(durationText(Int64(clamping: generator.lateness.p99))), "
            + "max \(durationText(Int64(clamping: generator.lateness.max))); CPU \(share) of "
            + (results.requested.workers == 1 ? "1 core" : "\(results.requested.workers) cores")
        if generator.blocked > 0 {
            text += "; \(counted(Int(clamping: generator.blocked), "write")) blocked"
        }
        if results.traffic.unsent > 0 { text += "; \(grouped(results.traffic.unsent)) not sent" }
        if let overflows = generator.listenOverflows, overflows > 0 {
            text +=
                "; the server's accept queue overflowed "
                + (overflows == 1 ? "once" : "\(grouped(overflows)) times")
        }
        text += "\n"
        for limit in generator.limits { text += "  " + style(limit, .yellow) + "\n" }
        return text
    }
}

/// Formats a number with digit grouping, such as `1,234,567`.
package func grouped(_ number: UInt64) -> String {
    let digits = Array(String(number))
    return digits.indices.reduce(into: "") { text, index in
        if index > 0, (digits.count - index) % 3 == 0 { text += "," }
        text.append(digits[index])
    }
}

/// Formats a percentage such as `99.7%`.
func shortPercent(_ percent: Double) -> String {
    let percent = percent.isFinite ? min(max(percent, 0), 1e12) : 0
    return decimal(Int64((percent * 1_000).rounded()), per: 1_000, digits: 1) + "%"
}
