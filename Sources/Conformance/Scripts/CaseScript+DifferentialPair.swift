import LineProtocol
import Scenario

/// Differential pairs: two forms that are equivalent in the dialect must have equal outcomes, apart
/// from differences that also occur between two runs of the first form. The session runs both and
/// compares them; see `outcome of … same as` in the scenario language.
extension CaseScript {
    /// Adds two lines that must have the same outcome for every client.
    mutating func differentialPair(_ plain: [UInt8], _ other: [UInt8], by handle: String) {
        differentialPair([plain], [other], by: handle)
    }

    /// Adds two sends that must have the same outcome for every client. Pieces are sent in separate
    /// writes.
    mutating func differentialPair(_ plain: [[UInt8]], _ other: [[UInt8]], by handle: String) {
        step(
            .stimulus,
            .outcome(
                of: [.send(handle, subject.message(plain))],
                sameAs: [.send(handle, subject.message(other))]))
    }
}
