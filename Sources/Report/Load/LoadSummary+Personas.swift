import Diagnostics
import Results

extension LoadSummary {
    /// Results of operators with a persona, which the other figures do not include.
    func personas(_ personas: [LoadResults.Persona]) -> String {
        personas.map { persona in
            let name = "\(persona.name) (\(persona.persona))"
            var text = "  \(name): " + Self.words(persona).joined(separator: ", ")
            for one in persona.evidence.prefix(Self.evidenceMax) {
                text += "\n    \(one.story)"
                if let line = one.line { text += "\n" + style("      \(line)", .cyan) }
            }
            return text
        }.joined(separator: "\n") + "\n"
    }

    /// Describes the outcome of a persona's operators.
    static func words(_ persona: LoadResults.Persona) -> [String] {
        var words = ["\(grouped(persona.ready)) of \(grouped(persona.operators)) ready"]
        words.append("\(grouped(persona.cut)) disconnected by the server")
        if persona.departures > 0 {
            words.append("left \(times(persona.departures))")
            words.append("came back \(times(persona.returns))")
        }
        if persona.returnsFailed > 0 {
            words.append("failed to come back \(times(persona.returnsFailed))")
        }
        if persona.refused > 0 { words.append("refused \(times(persona.refused))") }
        if persona.sent > 0 { words.append("sent \(grouped(persona.sent))") }
        if persona.arrived > 0 {
            var received = "received \(grouped(persona.arrived))"
            let latency = persona.latencies.first { ["say", "relay"].contains($0.measure) }
            if let latency {
                received += " (p99 \(durationText(Int64(clamping: latency.response.p99))))"
            }
            words.append(received)
        }
        return words

        func times(_ count: UInt64) -> String { count == 1 ? "once" : "\(grouped(count)) times" }
    }
}
