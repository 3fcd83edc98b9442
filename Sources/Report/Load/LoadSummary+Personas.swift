import Diagnostics
import Results

extension LoadSummary {
    /// Those who behave unlike the others: none of it stands in the figures above.
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

    /// What became of the operators of a persona, in words.
    static func words(_ persona: LoadResults.Persona) -> [String] {
        var words = ["\(grouped(persona.ready)) of \(grouped(persona.operators)) ready"]
        words.append("\(grouped(persona.cut)) cut by the server")
        if persona.departures > 0 {
            words.append("\(grouped(persona.departures)) times left")
            words.append("\(grouped(persona.returns)) times back")
        }
        if persona.returnsFailed > 0 {
            words.append("\(grouped(persona.returnsFailed)) times not let in again")
        }
        if persona.refused > 0 { words.append("\(grouped(persona.refused)) refusals") }
        if persona.sent > 0 { words.append("\(grouped(persona.sent)) sent") }
        if persona.arrived > 0 {
            var read = "\(grouped(persona.arrived)) texts read"
            let times = persona.latencies.first { ["say", "relay"].contains($0.measure) }
            if let times {
                read += " (p99 \(durationText(Int64(clamping: times.response.p99))))"
            }
            words.append(read)
        }
        return words
    }
}
