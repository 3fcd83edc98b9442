import Diagnostics
import Results

extension LoadHTMLPage {
    /// Results of the operators with one persona.
    struct PersonaRow {
        var name: String
        var persona: String
        var cells: [String]

        init(_ persona: LoadResults.Persona) {
            let times = persona.latencies.first { ["say", "relay"].contains($0.measure) }?.response
            let login = persona.latencies.first { $0.measure == "login" }?.response
            func p99(_ times: LoadResults.Distribution?) -> String {
                times.map { durationText(Int64(clamping: $0.p99)) } ?? "–"
            }
            name = escapedForDisplay(persona.name)
            self.persona = escapedForDisplay(persona.persona)
            cells = [
                "\(grouped(persona.ready)) of \(grouped(persona.operators))",
                grouped(persona.cut),
                persona.departures > 0
                    ? "\(grouped(persona.returns)) of \(grouped(persona.departures))" : "–",
                grouped(persona.sent), grouped(persona.arrived), p99(login), p99(times),
            ]
        }
    }
}
