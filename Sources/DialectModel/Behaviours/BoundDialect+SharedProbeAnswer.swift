import LineProtocol
import Scenario

extension BoundDialect {
    /// A behaviour that waits for a line with the same command as the probe's answer, and that
    /// command; nil if there is none, or if the answer repeats the token. An answer to that
    /// behaviour may be mistaken for the answer to a probe.
    package var sharedProbeAnswer: (behaviour: String, verb: [UInt8])? {
        guard let probe = behaviours["probe"], !probe.awaits(variable: "token"),
            let answer = probe.awaits.first, let verb = verb(of: answer)
        else { return nil }
        let requests = probe.sends.compactMap { self.verb(of: $0) }
        let found = behaviours.keys.sorted().first { name in
            guard name != "probe", let other = behaviours[name] else { return false }
            // A behaviour that sends the probe's command waits for the same answer.
            return other.awaits.contains { self.verb(of: $0) == verb }
                && !other.sends.contains { message in
                    self.verb(of: message).map(requests.contains) ?? false
                }
        }
        return found.map { ($0, verb) }
    }
}
