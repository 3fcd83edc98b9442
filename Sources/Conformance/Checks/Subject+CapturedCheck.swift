package import LineProtocol
package import Results

extension Subject {
    /// Returns the result of a check that judges captured traffic, as if it had passed.
    ///
    /// - Parameters:
    ///   - setting: The dialect setting that the requirement is based on. If the dialect cites a
    ///     clause for it, the clause determines the level.
    ///   - level: The level without a clause.
    package func capturedCheck(
        _ id: CheckID, _ claim: String, setting: String, level: RequirementLevel
    ) -> CheckResult {
        var result = CheckResult(id, .passed, reason: "")
        result.claim = claim
        result.clause = clause(for: setting)
        result.level = result.clause?.level ?? level
        result.basis = setting
        result.basisLocation = location(of: setting)
        return result
    }
}
