import LineProtocol

/// M: two spellings that the dialect calls equal must have equal outcomes, but for what differs between two plays of
/// the first one. The session plays and compares them; see the language's `outcome of … same as`.
extension CaseScript {
    /// M: two spellings that must have the same outcome for everybody.
    mutating func twins(_ plain: [UInt8], _ other: [UInt8], by handle: String) {
        twins("\(handle) -> \(spelled(plain))", "\(handle) -> \(spelled(other))")
    }

    /// M: two blocks that must have the same outcome for everybody.
    mutating func twins(_ plain: String, _ other: String) {
        step(
            .stimulus,
            "outcome of {\n    \(plain.replacing("\n", with: "\n    "))\n} same as {\n"
                + "    \(other.replacing("\n", with: "\n    "))\n}")
    }
}
