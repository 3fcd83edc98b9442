import Conformance
import DialectFiles
import Foundation
import ReferenceServer
import Results
import Testing

/// Every fault of the reference server in every dialect, compared with docs/fault-matrix.md.
struct FaultMatrixTests {
    @Test(arguments: MatrixDialect.all)
    func aHealthyServerFailsNoCheck(name: String) async throws {
        let dialect = try MatrixDialect(name)
        let entries = dialect.catalogue.entries.filter { $0.id.rule != FaultTrial.socketRule }
        for result in try await dialect.check(entries).results {
            #expect(
                [.passed, .observed, .skipped].contains(result.verdict),
                "\(result.id): \(result.verdict) \(result.reason)")
        }
        // Checks of expiry would otherwise wait for half a minute.
        let quick = try MatrixDialect(name, isQuick: true)
        let live = quick.catalogue.entries.filter { $0.id.rule.hasPrefix("live.") }
        for result in try await quick.check(live).results {
            #expect(
                [.passed, .observed, .skipped].contains(result.verdict),
                "\(result.id): \(result.verdict) \(result.reason)")
        }
    }

    @Test(arguments: FaultExpectation.pairs(where: { $0 != .neverOccurs }))
    func faultsThatCanOccurHaveTheOutcomeOfTheTable(fault: Fault, name: String) async throws {
        let trial = try await FaultTrials.shared.trial(fault, name)
        let expected = try FaultExpectation(fault).outcome(in: name)
        #expect(
            expected != nil && trial.outcome == expected,
            """
            \(fault.rawValue) in \(name) occurs \(trial.occurrences) times; failed: \
            \(trial.failed.map(\.id)); others: \(trial.others); classes: \(trial.changes)
            """)
    }

    /// All faults that never occur according to the table are enabled at once, for the checks that
    /// detect them and for a sample of the others.
    @Test(arguments: MatrixDialect.all, [false, true])
    func faultsThatCannotOccurNeverDo(name: String, ofExpiry: Bool) async throws {
        let faults = FaultExpectation.pairs { $0 == .neverOccurs }
            .filter { $0.1 == name && $0.0.isOfExpiry == ofExpiry }.map(\.0)
        let dialect = try MatrixDialect(name, isQuick: ofExpiry)
        let checks = Set(faults.flatMap(\.checks)).subtracting([FaultTrial.socketRule])
        let detecting = checks.flatMap { dialect.entries(of: $0) }
        // `frame.foreign` sends random bytes, which faults in the reading of bytes may treat
        // differently in any dialect.
        let sample = dialect.sample(perRule: 2).filter { entry in
            entry.id.rule != "frame.foreign" && !detecting.contains { $0.id == entry.id }
        }
        let findings = try await dialect.check(detecting + sample, faults: faults)
        for fault in faults {
            #expect(try FaultExpectation(fault).reason(in: name) != nil, "\(fault.rawValue)")
            #expect(findings.occurrences[fault] == 0, "\(fault.rawValue)")
        }
        for result in findings.results {
            #expect(result.verdict != .failed, "\(result.id): \(result.reason)")
        }
    }

    /// Checked in one dialect per fault.
    @Test(arguments: Fault.allCases)
    func noOtherRuleFails(fault: Fault) async throws {
        let expectation = try FaultExpectation(fault)
        guard let name = expectation.sampledDialect else { return }
        let dialect = try MatrixDialect(name)
        let sample = dialect.sample(perRule: 1).filter { !expectation.names($0.id) }
        let failed = failedRules(try await dialect.check(sample, faults: [fault]).results)
        #expect(
            failed.isSubset(of: expectation.neighbours),
            "\(name): \(failed.subtracting(expectation.neighbours).sorted())")
    }

    @Test func everyFaultAndEveryBuiltInDialectIsInTheMatrix() throws {
        #expect(
            Set(MatrixDialect.builtIn + MatrixDialect.similar + MatrixDialect.unserved)
                == Set(DialectLibrary.builtInNames))
        for name in MatrixDialect.similar {
            #expect(AdapterKind(try DialectLibrary.find(name).dialect) == .generic)
        }
        for name in MatrixDialect.unserved {
            let dialect = try DialectLibrary.find(name).dialect
            #expect(throws: ServerError.self) {
                let kind = AdapterKind(dialect)
                _ = try kind.adapter(dialect, kind.rules(dialect), faults: .none)
            }
        }
        #expect(Set(FaultExpectation.rows.keys) == Set(Fault.allCases.map(\.rawValue)))
        for fault in Fault.allCases {
            let expectation = try FaultExpectation(fault)
            #expect(expectation.checks == fault.checks, "\(fault.rawValue)")
            #expect(
                MatrixDialect.all.contains { expectation.outcome(in: $0) == .found },
                "no check finds \(fault.rawValue)")
        }
    }
}
