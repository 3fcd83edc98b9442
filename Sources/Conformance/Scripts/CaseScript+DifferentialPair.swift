import LineProtocol

/// Differential pairs: two forms that the dialect considers equal must have equal outcomes, apart
/// from differences that also occur between two runs of the first form. The session runs and
/// compares them; see `outcome of … same as` in the scenario language.
extension CaseScript {
    /// Adds two lines that must have the same outcome for every client.
    mutating func differentialPair(_ plain: [UInt8], _ other: [UInt8], by handle: String) {
        differentialPair("\(handle) -> \(spelled(plain))", "\(handle) -> \(spelled(other))")
    }

    /// Adds two blocks that must have the same outcome for every client.
    mutating func differentialPair(_ plain: String, _ other: String) {
        step(
            .stimulus,
            "outcome of {\n    \(plain.replacing("\n", with: "\n    "))\n} same as {\n"
                + "    \(other.replacing("\n", with: "\n    "))\n}")
    }
}
