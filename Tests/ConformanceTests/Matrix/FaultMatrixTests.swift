import Conformance
import DialectFiles
import Foundation
import ReferenceServer
import Results
import Testing

/// The proof that checks work: every fault of the reference server against every dialect.
///
/// Each pair is exactly one of three: a check of a rule that names the fault finds it; the fault never strikes there; or
/// the dialect leaves the policy open, and its class changes. docs/fault-matrix.md declares which.
struct FaultMatrixTests {
    @Test(arguments: MatrixDialect.all)
    func nothingIsWrongWithAHealthyServer(name: String) async throws {
        let dialect = try MatrixDialect(name)
        let entries = dialect.catalogue.entries.filter { $0.id.row != FaultTrial.socketRule }
        for result in try await dialect.play(entries).results {
            #expect(
                [.passed, .observed, .skipped].contains(result.verdict),
                "\(result.id): \(result.verdict) \(result.reason)")
        }
        // Rules of expiry, which wait for half a minute otherwise.
        let quick = try MatrixDialect(name, isQuick: true)
        let live = quick.catalogue.entries.filter { $0.id.row.hasPrefix("live.") }
        for result in try await quick.play(live).results {
            #expect(
                [.passed, .observed, .skipped].contains(result.verdict),
                "\(result.id): \(result.verdict) \(result.reason)")
        }
    }

    @Test(arguments: MatrixDialect.all, Fault.allCases)
    func eachPairIsWhatIsDeclared(name: String, fault: Fault) async throws {
        let expectation = try FaultExpectation(fault)
        let trial = try await FaultTrials.shared.trial(fault, name)
        // What has no effect need not be played.
        let declared = expectation.outcome(in: name)
        let isUnseen = declared == .missed && trial.outcome == .neverStrikes
        #expect(
            trial.outcome == declared || isUnseen,
            """
            \(fault.rawValue) in \(name) strikes \(trial.strikes) times; failed: \
            \(trial.failed.map(\.id)); classes: \(trial.changes)
            """)
        for result in trial.failed { #expect(expectation.names(result.id), "\(result.id)") }
    }

    /// All faults that are declared never to strike are on at once, and the whole catalogue is run.
    @Test(arguments: MatrixDialect.all)
    func faultsThatCannotOccurNeverStrike(name: String) async throws {
        let faults = try Fault.allCases.filter {
            try FaultExpectation($0).outcome(in: name) == .neverStrikes
        }
        let dialect = try MatrixDialect(name)
        let played = try await dialect.play(dialect.sample(perRule: 2), faults: faults)
        for fault in faults {
            #expect(try FaultExpectation(fault).reason(in: name) != nil, "\(fault.rawValue)")
            #expect(played.strikes[fault] == 0, "\(fault.rawValue)")
        }
        for result in played.results {
            #expect(result.verdict != .failed, "\(result.id): \(result.reason)")
        }
    }

    /// What finds a fault beside the rules that name it is declared, too: looked at in one dialect of each fault.
    @Test(arguments: Fault.allCases)
    func noOtherRuleFindsAFault(fault: Fault) async throws {
        let expectation = try FaultExpectation(fault)
        guard let name = expectation.sampledDialect else { return }
        let dialect = try MatrixDialect(name)
        let sample = dialect.sample(perRule: 1).filter { !expectation.names($0.id) }
        let failed = failedRows(try await dialect.play(sample, faults: [fault]).results)
        #expect(
            failed.isSubset(of: expectation.neighbours),
            "\(name): \(failed.subtracting(expectation.neighbours).sorted())")
    }

    @Test func everyFaultAndEveryBuiltInDialectIsInTheMatrix() throws {
        #expect(Set(MatrixDialect.builtIn) == Set(DialectLibrary.builtInNames))
        #expect(Set(FaultExpectation.rows.keys) == Set(Fault.allCases.map(\.rawValue)))
        for fault in Fault.allCases {
            let expectation = try FaultExpectation(fault)
            #expect(
                MatrixDialect.all.contains { expectation.outcome(in: $0) == .found },
                "no check finds \(fault.rawValue)")
        }
    }
}
