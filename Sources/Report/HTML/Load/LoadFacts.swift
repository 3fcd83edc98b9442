import Diagnostics
import Results

/// Rows for the tables about the load generator and the configuration.
enum LoadFacts {
    static func generator(_ results: LoadResults) -> [PageHead.Fact] {
        let generator = results.generator
        var facts = [
            fact(
                "send delay",
                "p99 \(time(generator.lateness.p99)), max \(time(generator.lateness.max)); "
                    + "\(grouped(generator.late)) over 10 ms"
            ),
            fact(
                "CPU time",
                "\(time(UInt64(clamping: generator.processorNanoseconds))), "
                    + "\(shortPercent(generator.processorShare * 100)) of "
                    + counted(results.requested.workers, "core")),
            fact("blocked writes", grouped(generator.blocked)),
            fact("dropped sends", grouped(generator.dropped)),
        ]
        if let overflows = generator.listenOverflows {
            facts.append(fact("accept queue overflows", grouped(overflows)))
        }
        if let environment = results.environment {
            facts.append(
                fact(
                    "machine",
                    "\(environment.system), "
                        + counted(environment.processors, "processor")))
        }
        let traffic = results.traffic
        facts.append(
            fact(
                "traffic",
                "\(grouped(traffic.bytesSent)) bytes sent, "
                    + "\(grouped(traffic.bytesReceived)) received in \(grouped(traffic.lines)) lines"
            ))
        facts.append(fact("linejudge", results.toolVersion))
        return facts
    }

    static func configuration(_ results: LoadResults) -> [PageHead.Fact] {
        let requested = results.requested
        let mix = requested.mix.sorted { $0.key < $1.key }.map { name, weight in
            weight == 1 ? name : "\(name)=\(weight)"
        }
        var facts =
            (requested.plan.map { [fact("plan", $0)] } ?? []) + [
                fact("operators", grouped(UInt64(clamping: requested.operators))),
                fact("rooms", grouped(UInt64(clamping: requested.rooms))),
                fact("model", requested.model),
            ]
        if let rate = requested.ratePerSecond {
            let text = decimal(whole(rate * 10), per: 10, digits: 1) + "/s"
            facts.append(fact(requested.stages == nil ? "rate" : "average rate", text))
        }
        if let stages = stages(requested) { facts.append(fact("stages", stages)) }
        if let changes = requested.rateChanges {
            let words = changes.map { change in
                (change.action ?? "x\(decimal(whole(change.factor * 100), per: 100, digits: 2))")
                    + " after \(durationText(max(change.timeNanoseconds, 0)))"
            }
            facts.append(fact("rate changed manually", words.joined(separator: ", ")))
        }
        if let kinds = requested.kinds {
            let words = kinds.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            facts.append(fact("operator kinds", words.joined(separator: ", ")))
        }
        facts += [
            fact("mix", mix.joined(separator: ", ")),
            fact("message size", counted(requested.textBytes, "byte")),
            fact("ramp", durationText(requested.rampNanoseconds)),
            fact("warm-up", durationText(requested.warmupNanoseconds)),
            fact("measurement period", durationText(requested.durationNanoseconds)),
            fact("batching interval", durationText(requested.batchIntervalNanoseconds)),
            fact("workers", String(requested.workers)), fact("seed", String(requested.seed)),
        ]
        if !results.thresholds.isEmpty {
            let texts = results.thresholds.map(\.text)
            facts.append(fact("thresholds", texts.joined(separator: ", ")))
        }
        return facts
    }

    /// Maximum number of stages that are listed.
    private static let stagesMax = 24

    /// Returns the stages with their lengths and rates; nil if there are none.
    private static func stages(_ requested: RequestedLoad) -> String? {
        guard let stages = requested.stages, !stages.isEmpty else { return nil }
        var texts = stages.prefix(stagesMax).map { stage in
            let (start, end) = (stage.startPerSecond, stage.endPerSecond)
            let rate =
                start == end
                ? LoadSummary.rate(start)
                : "\(LoadSummary.rate(start)) to \(LoadSummary.rate(end))"
            let name = stage.name.map { "\($0): " } ?? ""
            return "\(name)\(durationText(stage.durationNanoseconds)) at \(rate)"
        }
        if stages.count > stagesMax { texts.append("\(stages.count - stagesMax) more") }
        return texts.joined(separator: "; ")
    }

    private static func time(_ nanoseconds: UInt64) -> String {
        durationText(Int64(clamping: nanoseconds))
    }

    private static func fact(_ name: String, _ value: String) -> PageHead.Fact {
        PageHead.Fact(name: name, value: escapedForDisplay(value))
    }
}
