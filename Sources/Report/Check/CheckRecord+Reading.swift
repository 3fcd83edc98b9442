package import Conformance
import Diagnostics
import Foundation
import LineProtocol
import Results
import Session

/// Checks, read from their files.
package enum CheckResultsFile {
    /// Reads what ``CheckReportFormat/json`` wrote of one server.
    package static func results(_ bytes: [UInt8]) throws -> CheckResults {
        try JSONDecoder().decode(CheckRecord.self, from: Data(bytes)).results
    }

    /// Reads what ``CheckReportFormat/json`` wrote of several.
    package static func matrix(_ bytes: [UInt8]) throws -> CheckMatrix {
        let record = try JSONDecoder().decode(CheckMatrixRecord.self, from: Data(bytes))
        return CheckMatrix(
            try record.servers.map { CheckMatrix.Server($0.name, try $0.results.results) })
    }
}

/// A word that this version does not know.
private struct UnknownWord: Error, CustomStringConvertible {
    var description: String
}

private func known<Choice: RawRepresentable<String>>(
    _ word: String, _ what: String
) throws -> Choice {
    guard let choice = Choice(rawValue: word) else {
        throw UnknownWord(
            description: "`\(escapedForDisplay(word))` is no \(what) that this version knows")
    }
    return choice
}

extension CheckRecord {
    /// What the file says.
    var results: CheckResults {
        get throws {
            var results = CheckResults(
                toolVersion: toolVersion, seed: seed, dialect: dialect, endpoint: endpoint,
                software: software, startedAt: startedAt, duration: durationNanoseconds,
                isStrict: strict ?? false, checks: try checks.map { try $0.result })
            results.interruption = interruption
            results.drift = drift?.drift
            results.commandTable = commandTable?.report
            return results
        }
    }
}

extension CheckRecord.Drift {
    fileprivate var drift: CheckResults.Drift {
        func pairs(_ pairs: [Pair]) -> [LockComparison.Pair] {
            pairs.map {
                LockComparison.Pair(
                    id: CheckID(parsing: $0.id), before: CheckClass($0.pinned ?? ""),
                    now: CheckClass($0.now ?? ""))
            }
        }
        func singles(_ pairs: [Pair]) -> [LockComparison.Single] {
            pairs.map {
                LockComparison.Single(
                    id: CheckID(parsing: $0.id), measured: CheckClass($0.pinned ?? $0.now ?? ""))
            }
        }
        var comparison = LockComparison()
        comparison.changed = pairs(changed)
        comparison.undecided = pairs(undecided)
        comparison.unsteady = pairs(unsteady)
        comparison.gone = singles(gone)
        comparison.added = singles(new)
        comparison.same = same
        return CheckResults.Drift(lock: lock, comparison: comparison)
    }
}

extension CheckRecord.Entry {
    fileprivate var result: CheckResult {
        get throws {
            var result = CheckResult(
                CheckID(row, subject), try known(verdict, "verdict"), reason: reason ?? "")
            result.claim = claim ?? ""
            result.level = try known(level, "level")
            result.basis = basis ?? ""
            result.basisPlace = basisPlace
            result.clause = clause.map {
                Clause(
                    id: "", document: $0.document, section: $0.section, quote: $0.quote,
                    level: result.level, rules: [])
            }
            result.classOfFile = `class`.map { CheckClass($0) }
            result.finding = finding
            result.caseTitle = `case` ?? ""
            result.stimulus = sent ?? []
            result.rate = rate.map { FailureRate(plays: $0.plays, failures: $0.failures) }
            result.scenario = scenario
            result.scenarioPath = scenarioPath
            result.segmentation = segmentation.flatMap { Segmentation($0) } ?? .whole
            result.transcript = transcript ?? []
            result.casesPlayed = casesPlayed
            result.isTimingBased = timingBased ?? false
            result.isUnreachable = unreachable ?? false
            result.duration = durationNanoseconds
            return result
        }
    }
}
