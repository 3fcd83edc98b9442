import Diagnostics
import Results

extension LoadSummary {
    /// Returns the results of misbehaving operators, which are not included in any other figures.
    func behaviours(_ behaviours: [MisbehavingOperators]) -> String {
        behaviours.map { behaviour in
            let name = "\(behaviour.name) (\(behaviour.behaviour))"
            var text = "  \(name): " + Self.words(behaviour).joined(separator: ", ")
            for one in behaviour.evidence.prefix(Self.evidenceMax) {
                text += "\n    \(one.story)"
                if let line = one.line { text += "\n" + style("      \(line)", .cyan) }
            }
            return text
        }.joined(separator: "\n") + "\n"
    }

    /// Returns phrases that describe the results of misbehaving operators.
    static func words(_ behaviour: MisbehavingOperators) -> [String] {
        var words = ["\(grouped(behaviour.ready)) of \(grouped(behaviour.operators)) ready"]
        words.append("\(grouped(behaviour.disconnected)) disconnected by the server")
        if behaviour.departures > 0 {
            words.append("left \(times(behaviour.departures))")
            words.append("reconnected \(times(behaviour.returns))")
            if let login = p99(.login, of: behaviour) { words.append("p99 of logins \(login)") }
        }
        if behaviour.returnsFailed > 0 {
            words.append("failed to reconnect \(times(behaviour.returnsFailed))")
        }
        if behaviour.refused > 0 { words.append("refused \(times(behaviour.refused))") }
        if behaviour.sent > 0 { words.append("sent \(grouped(behaviour.sent))") }
        if behaviour.arrived > 0 {
            let latency = p99(.say, of: behaviour) ?? p99(.relay, of: behaviour)
            words.append(
                "received \(grouped(behaviour.arrived))" + (latency.map { " (p99 \($0))" } ?? ""))
        }
        return words
    }

    private static func p99(_ metric: LatencyMetric, of behaviour: MisbehavingOperators) -> String?
    {
        let latency = behaviour.latencies.first { $0.metric == metric.name }
        return latency.map { durationText(Int64(clamping: $0.response.p99)) }
    }

    /// Returns `once`, or a number of times.
    static func times(_ count: UInt64) -> String {
        count == 1 ? "once" : "\(grouped(count)) times"
    }
}
