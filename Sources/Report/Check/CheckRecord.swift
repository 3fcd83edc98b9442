import Conformance
import Diagnostics
import Foundation
import LineProtocol
import Results
import Session

/// What checks found as it stands in a file: `linejudge.check/1`.
struct CheckRecord: Codable {
    struct Rule: Codable {
        var document: String
        var section: String
        var quote: String
    }

    struct Rate: Codable {
        var plays: Int
        var failures: Int
        var low: Double
        var high: Double
    }

    struct Entry: Codable {
        var id: String
        var row: String
        var subject: String?
        var claim: String?
        var level: String
        var basis: String?
        var basisPlace: BasisPlace?
        var clause: Rule?
        /// What the server does, as a lock file pins it.
        var `class`: String?
        var verdict: String
        var reason: String?
        var finding: Finding?
        var `case`: String?
        var sent: [String]?
        var rate: Rate?
        var scenario: String?
        var scenarioPath: String?
        var segmentation: String?
        var transcript: [TranscriptEntry]?
        var casesPlayed: Int
        var timingBased: Bool?
        var unreachable: Bool?
        var durationNanoseconds: Int64
    }

    /// How the checks differ from a lock file.
    struct Drift: Codable {
        struct Pair: Codable {
            var id: String
            var pinned: String?
            var now: String?
        }

        var lock: String
        var changed: [Pair]
        var undecided: [Pair]
        var unsteady: [Pair]
        var gone: [Pair]
        var new: [Pair]
        var same: Int
    }

    var schema: String
    var toolVersion: String
    var seed: UInt64
    var dialect: String
    var endpoint: String
    var software: String?
    var startedAt: Int64
    var durationNanoseconds: Int64
    var strict: Bool?
    var interruption: String?
    var drift: Drift?
    var checks: [Entry]
    var commandTable: SchemaRecord?

    init(_ results: CheckResults) {
        schema = CheckResults.schema
        toolVersion = results.toolVersion
        seed = results.seed
        dialect = results.dialect
        endpoint = results.endpoint
        software = results.software
        startedAt = results.startedAt
        durationNanoseconds = results.duration
        strict = results.isStrict ? true : nil
        interruption = results.interruption
        drift = results.drift.map(Drift.init)
        checks = results.checks.map(Entry.init)
        commandTable = results.commandTable.map(SchemaRecord.init)
    }

    func text() throws -> String { try Self.text(self) }

    /// A value as JSON, in lines, members sorted by name, so that equal results give equal bytes.
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return ResultsFile.harmless(String(decoding: try encoder.encode(value), as: UTF8.self))
            + "\n"
    }
}

extension CheckRecord.Drift {
    init(_ drift: CheckResults.Drift) {
        func pairs(_ pairs: [LockComparison.Pair]) -> [Pair] {
            pairs.map { Pair(id: "\($0.id)", pinned: "\($0.before)", now: "\($0.now)") }
        }
        let comparison = drift.comparison
        lock = drift.lock
        changed = pairs(comparison.changed)
        undecided = pairs(comparison.undecided)
        unsteady = pairs(comparison.unsteady)
        gone = comparison.gone.map { Pair(id: "\($0.id)", pinned: "\($0.measured)") }
        new = comparison.added.map { Pair(id: "\($0.id)", now: "\($0.measured)") }
        same = comparison.same
    }
}

extension CheckRecord.Entry {
    init(_ check: CheckResult) {
        func kept(_ text: String) -> String? { text.isEmpty ? nil : text }
        id = "\(check.id)"
        row = check.id.row
        subject = check.id.subject
        claim = kept(check.claim)
        level = check.level.rawValue
        basis = kept(check.basis)
        basisPlace = check.basisPlace
        clause = check.clause.map {
            CheckRecord.Rule(document: $0.document, section: $0.section, quote: $0.quote)
        }
        verdict = check.verdict.rawValue
        `class` = check.verdict == .skipped ? nil : "\(check.measured)"
        reason = kept(check.reason)
        finding = check.finding
        `case` = kept(check.caseTitle)
        sent = check.stimulus.isEmpty || !check.wantsExplaining ? nil : check.stimulus
        rate = check.rate.map {
            CheckRecord.Rate(
                plays: $0.plays, failures: $0.failures, low: $0.interval.lowerBound,
                high: $0.interval.upperBound)
        }
        scenario = check.scenario
        scenarioPath = check.scenarioPath
        segmentation = check.segmentation == .whole ? nil : check.segmentation.word
        transcript =
            check.transcript.isEmpty || !check.wantsExplaining
            ? nil : check.transcript
        casesPlayed = check.casesPlayed
        timingBased = check.isTimingBased ? true : nil
        unreachable = check.isUnreachable ? true : nil
        durationNanoseconds = check.duration
    }
}

extension CheckResult {
    /// Whether reports show what was said on the wire.
    var wantsExplaining: Bool { CheckVerdict.explained.contains(verdict) }
}

extension CheckVerdict {
    /// The verdicts of which reports show how it came to them.
    static let explained: [CheckVerdict] = [
        .failed, .flaky, .delayed, .inconclusive, .knownFailure,
    ]
}
