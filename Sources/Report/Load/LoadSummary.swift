import Diagnostics
import LineProtocol
package import Results

/// What a person reads when a load is over: the verdict first, then what it rests on.
package struct LoadSummary: Sendable {
    package let style: Style
    /// Whether the tries of a search are told, which may have been told already.
    package var tellsTries = true

    /// A summary in colour or not.
    package init(style: Style) { self.style = style }

    /// How many pieces of evidence are shown of each kind.
    static let evidenceMax = 3

    /// The whole summary.
    package func text(_ results: LoadResults) -> String {
        if let capture = results.capture { return self.capture(capture, results) }
        var parts = [verdict(results)]
        if let search = results.search { parts.append(found(search)) }
        parts.append(table(results))
        parts.append(delivery(results))
        if let scenarios = results.scenarios { parts.append(self.scenarios(scenarios)) }
        if let personas = results.personas { parts.append(self.personas(personas)) }
        if let table = commandTable(results) { parts.append(table) }
        if !results.thresholds.isEmpty { parts.append(thresholds(results)) }
        parts.append(generator(results))
        return "\n" + parts.joined(separator: "\n")
    }

    /// X: lines that break the dialect, and how many of its commands were seen; set in like all else.
    private func commandTable(_ results: LoadResults) -> String? {
        let schema = SchemaText(style: style, hint: "a JSON or HTML report")
        let isFailure = results.brokenLinesFail
        guard let report = results.commandTable?.report, report.lines > 0 else { return nil }
        let text = schema.text(report, isFailure: isFailure)
        return text.split(separator: "\n").map { "  \($0)\n" }.joined()
    }

    /// A try of a search for the highest rate, in a line.
    package func searchLine(_ step: LoadResults.SearchStep) -> String {
        let (word, look): (String, Style.TextStyle) =
            switch step.outcome {
            case "held": ("held", .green)
            case "broke": ("broke", .red)
            default: ("undecided", .yellow)
            }
        let figures = step.thresholds.map { result in
            result.text + (Self.shown(result).map { ": \($0)" } ?? "")
        }
        let why = step.outcome == "held" ? figures : figures + step.reasons
        return "  " + ColumnText.rightAligned(Self.rate(step.ratePerSecond), to: 12) + "  "
            + style(ColumnText.padded(word, to: 10), look)
            + style(ColumnText.padded(step.purpose, to: 13), .dim)
            + why.joined(separator: "; ") + "\n"
    }

    /// `1,234.5/s`.
    package static func rate(_ perSecond: Double) -> String {
        let tenths = perSecond.isFinite ? Int64(min(max(perSecond * 10, 0), 1e15).rounded()) : 0
        let rest = tenths % 10
        return grouped(UInt64(tenths / 10)) + (rest > 0 ? ".\(rest)" : "") + "/s"
    }

    // MARK: Parts

    /// What was seen of others' traffic is timed, and nobody is judged.
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

    private func found(_ search: LoadResults.Search) -> String {
        var text = tellsTries ? search.steps.map(searchLine).joined() + "\n" : ""
        guard let rate = search.ratePerSecond else {
            return text + "  no rate held\n"
        }
        text += "  " + style("\(Self.rate(rate)) holds", .bold)
        if !search.isConfirmed { text += ", but not when it was tried again" }
        if let broken = search.brokenPerSecond {
            text += "; \(Self.rate(broken)) does not"
            if search.isBoundByGenerator {
                text += " here: the generator was the limit, and the server may do more"
            }
        }
        return text + "; what follows is of the load at this rate\n"
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
        guard !results.latencies.isEmpty else { return "  nothing was timed\n" }
        let head = ["count", "p50", "p90", "p99", "p99.9", "max"]
        var lines = [style(row("", head), .dim)]
        for latency in results.latencies {
            lines.append(row(Self.name(latency), cells(latency.response)))
            if let service = latency.service {
                lines.append(style(row("    from the actual send", cells(service)), .dim))
            }
        }
        let origin =
            results.capture == nil
            ? "when a text was to be sent; dimmed, from when it was sent."
            : "the packet that asked to the one that answered, where they were captured."
        lines.append(style("  Times count from \(origin)", .dim))
        return lines.joined(separator: "\n") + "\n"
    }

    /// What is timed, in words; parts of a whole are set in.
    static func name(_ latency: LoadResults.Latency) -> String {
        let word =
            switch Measure(name: latency.measure) {
            case .connect: "connect"
            case .login: latency.command == nil ? "log in, enter room" : "log in"
            case .probe: "probe answered"
            case .relay: "text to one arrives"
            case .say: "text to room arrives"
            case .sayFirst: "  at its first member"
            case .sayMedian: "  at half of them"
            case .sayLast: "  at its last member"
            case .saySpread: "  between first and last"
            case .step: "expected line arrives"
            case .iteration: "a whole play"
            case nil: latency.measure
            }
        return "  " + word
    }

    private func cells(_ times: LoadResults.Distribution) -> [String] {
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
            sent += " (\(shortPercent(percent)) of what was asked)"
        }
        lines.append(sent)
        if let changes = results.asked.rateChanges {
            let factor = changes.reduce(1) { $0 * $1.factor }
            lines.append(
                "  the rate was changed by hand, \(counted(changes.count, "time")), in the end to "
                    + "\(decimal(Int64((min(max(factor, 0), 1e6) * 100).rounded()), per: 100, places: 2)) "
                    + "times of what was asked")
        }
        if traffic.owed > 0 {
            lines.append(
                "  \(grouped(traffic.delivered)) of \(grouped(traffic.owed)) deliveries arrived"
                    + (traffic.indefinite > 0
                        ? ", \(grouped(traffic.indefinite)) unknown because of lost connections"
                        : ""))
        }
        if traffic.answered > 0 {
            lines.append("  \(grouped(traffic.answered)) probes were answered")
        }
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
                "  \(results.operators.failed) of \(results.asked.operators) operators did not get "
                    + "into their rooms")
            for failure in results.operators.failures.prefix(Self.evidenceMax) {
                lines.append("    \(failure.story)")
                if let line = failure.line { lines.append(style("      \(line)", .cyan)) }
            }
        }
        return lines
    }

    /// What became of plays, and how long each expectation waited.
    private func scenarios(_ scenarios: [LoadResults.Scenario]) -> String {
        scenarios.map { scenario in
            var lines = [
                "  \(scenario.file): " + Self.words(scenario).joined(separator: ", ")
            ]
            lines += scenario.failures.map {
                "    \(grouped($0.count)) failed at line \($0.line)"
            }
            lines += scenario.reasons.map { "    not decided: \($0)" }
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

    /// How many steps of a scenario are shown.
    static let stepsMax = 20

    /// What became of the plays of a scenario, in words.
    static func words(_ scenario: LoadResults.Scenario) -> [String] {
        var words = [
            "\(grouped(scenario.started)) plays by \(counted(scenario.groups, "group"))",
            "\(grouped(scenario.passed)) passed",
        ]
        if scenario.failed > 0 { words.append("\(grouped(scenario.failed)) failed") }
        if scenario.undecided > 0 {
            words.append("\(grouped(scenario.undecided)) not decided")
        }
        if scenario.unfinished > 0 {
            words.append("\(grouped(scenario.unfinished)) not finished")
        }
        if scenario.waited > 0 {
            words.append(
                "\(grouped(scenario.waited)) waited for a free group: more --operators start them "
                    + "in time")
        }
        return words
    }

    private func thresholds(_ results: LoadResults) -> String {
        results.thresholds.map { result in
            let (word, look): (String, Style.TextStyle) =
                switch result.verdict {
                case .passed: ("kept", .green)
                case .failed: ("not kept", .red)
                default: ("not decided", .yellow)
                }
            return "  \(style(word, look)): \(result.text)" + measured(result)
        }.joined(separator: "\n") + "\n"
    }

    private func measured(_ result: LoadResults.ThresholdResult) -> String {
        Self.shown(result).map { " (\($0))" } ?? ""
    }

    /// What a promise was held against, in its unit; nil if nothing was measured.
    static func shown(_ result: LoadResults.ThresholdResult) -> String? {
        guard let value = result.value, value >= 0, value < 1e18,
            let threshold = try? Threshold(result.text)
        else { return nil }
        switch threshold.metric {
        case .percentile, .mean, .least, .most: return durationText(Int64(value))
        case .rate, .operators, .passed: return shortPercent(value)
        case .violations, .cuts, .brokenLines: return grouped(UInt64(value))
        }
    }

    private func generator(_ results: LoadResults) -> String {
        let generator = results.generator
        let share = shortPercent(generator.processorShare * 100)
        var text =
            "  generator: sends were \(durationText(Int64(clamping: generator.lateness.p99))) late "
            + "at p99, \(durationText(Int64(clamping: generator.lateness.max))) at most; "
            + "\(share) of "
            + (results.asked.workers == 1 ? "a core" : "\(results.asked.workers) cores")
        if generator.blocked > 0 { text += "; \(grouped(generator.blocked)) writes held up" }
        if results.traffic.unsent > 0 { text += "; \(grouped(results.traffic.unsent)) not sent" }
        if let overflows = generator.listenOverflows, overflows > 0 {
            text += "; the target's queue overflowed \(grouped(overflows)) times"
        }
        text += "\n"
        for limit in generator.limits { text += "  " + style(limit, .yellow) + "\n" }
        return text
    }
}

/// `1,234,567`.
package func grouped(_ number: UInt64) -> String {
    let digits = Array(String(number))
    return digits.indices.reduce(into: "") { text, place in
        if place > 0, (digits.count - place) % 3 == 0 { text += "," }
        text.append(digits[place])
    }
}

/// `99.7 %`.
func shortPercent(_ percent: Double) -> String {
    let percent = percent.isFinite ? min(max(percent, 0), 1e12) : 0
    return decimal(Int64((percent * 1_000).rounded()), per: 1_000, places: 1) + " %"
}
