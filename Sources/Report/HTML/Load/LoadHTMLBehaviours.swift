import Diagnostics
import Results

extension LoadHTMLPage {
    /// A table row for misbehaving operators.
    struct BehaviourRow {
        var name: String
        var behaviour: String
        var cells: [String]

        init(_ behaviour: MisbehavingOperators) {
            let times = behaviour.latencies.first { ["say", "relay"].contains($0.metric) }?
                .response
            let login = behaviour.latencies.first { $0.metric == "login" }?.response
            func p99(_ times: LatencyDistribution?) -> String {
                times.map { durationText(Int64(clamping: $0.p99)) } ?? "–"
            }
            name = escapedForDisplay(behaviour.name)
            self.behaviour = escapedForDisplay(behaviour.behaviour)
            cells = [
                "\(grouped(behaviour.ready)) of \(grouped(behaviour.operators))",
                grouped(behaviour.disconnected),
                behaviour.departures > 0
                    ? "\(grouped(behaviour.returns)) of \(grouped(behaviour.departures))" : "–",
                grouped(behaviour.sent), grouped(behaviour.arrived), p99(login), p99(times),
            ]
        }
    }
}
