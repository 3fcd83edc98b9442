import DialectModel
import Diagnostics
import DialectFiles
import LineProtocol
import Results
import Scenario
import Session

@testable import Conformance

/// Evidence written by hand, to test an oracle without a server.
struct EvidenceTable {
    /// A transcript entry.
    struct Row {
        /// The step during which it arrived: the first one with this role.
        var during: CaseStep.Role
        var handle: String
        var kind: TranscriptEntry.Kind
        var text: String
        var role: TranscriptEntry.Role = .plain
        var time: Int64 = 0
        var hasEnd = true
        var isMasked = false

        static func received(_ handle: String, _ text: String, _ during: CaseStep.Role = .question)
            -> Row
        {
            Row(during: during, handle: handle, kind: .received, text: text)
        }

        static func sent(_ handle: String, _ text: String, _ during: CaseStep.Role = .question)
            -> Row
        {
            Row(during: during, handle: handle, kind: .sent, text: text)
        }
    }

    static func subject(_ dialect: String) throws -> Subject {
        let file = try DialectLibrary.find(dialect)
        return try Subject(BoundDialect.of(file))
    }

    /// Returns the judge's verdict on this transcript.
    ///
    /// - Parameter failing: the role of the failed step, if any, and the code of its failure.
    static func judgement(
        _ testCase: CheckCase, _ subject: Subject, _ rows: [Row],
        failing: (role: CaseStep.Role, code: DiagnosticCode)? = nil
    ) throws -> Judgement {
        let check = Check(
            CheckID("test"), "it holds", setting: "framing", in: subject, cases: { _ in [] })
        let scenario = CaseScenario(testCase, check.heading, subject)
        func step(of role: CaseStep.Role) -> Int? {
            testCase.steps.firstIndex { $0.role == role }.flatMap(scenario.firstStep)
        }
        var result = ScenarioOutcome(outcome: failing == nil ? .passed : .failed)
        if let failing {
            result.diagnostic = Diagnostic(.error, failing.code, "it failed")
            result.step = step(of: failing.role)
        }
        result.transcript = rows.map { row in
            var entry = TranscriptEntry(
                time: row.time, operatorName: row.handle, kind: row.kind,
                bytes: Array(row.text.utf8), terminator: row.hasEnd ? subject.terminator : [],
                role: row.role, step: step(of: row.during))
            entry.isMasked = row.isMasked
            return entry
        }
        var evidence = Evidence(
            testCase, scenario, result, try LineClassifier(subject.bound), subject)
        return Control.judge(&evidence)
    }
}

extension Judgement {
    /// The kind of the finding, if any.
    var kind: String? { if case .failed(let finding) = self { finding.kind } else { nil } }
}

extension CaseStep {
    /// The text of the steps that the check runs.
    var text: String { StepPrinter.lines(steps).joined(separator: "\n") }
}
