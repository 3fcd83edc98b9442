import Conformance
import Diagnostics
import Foundation
import LineProtocol
import ReferenceServer
import RepositoryFiles
import Results
import Runner
import Session
import Testing

/// Scenarios written for failures: each loads from any folder, fails on the faulty server and passes on a healthy one.
struct WrittenScenarioTests {
    /// For every fault that is found in a dialect. docs/check.md lists the failures that no expectation can describe.
    @Test(arguments: FaultExpectation.pairs(where: { $0 == .found }))
    func aWrittenScenarioFailsOnlyOnTheFaultyServer(fault: Fault, name: String) async throws {
        let trial = try await FaultTrials.shared.trial(fault, name)
        // A violation of the command table alone fails no check, so no scenario is written.
        #expect(
            !trial.failed.isEmpty || trial.violatesTable,
            "\(name) \(fault.rawValue): \(trial.others)")
        let isQuick = trial.failed.contains { $0.id.rule.hasPrefix("live.") }
        let dialect = try MatrixDialect(name, isQuick: isQuick)
        let exceptions = try Self.exceptions()
        for result in trial.failed {
            let text = try #require(result.scenario, "\(result.id): no scenario")
            let program = try Self.loaded(text, dialect)
            let isWithEnd = text.contains("run --segment \(Segmentation.finWithData.word)")
            let segmentation = isWithEnd ? Segmentation.finWithData : .whole
            let faulty = try await dialect.run(program, segmentation, faults: [fault])
            let healthy = try await dialect.run(program, segmentation)
            let isException = exceptions.contains("\(result.id.rule) \(fault.rawValue)")
            #expect(
                (faulty.outcome == .passed) == isException,
                "\(result.id) with the fault: \(faulty.diagnostic?.message ?? "")\n\(text)")
            // A healthy server may close on an error or refuse a large number; the expectation allows neither.
            if "\(result.id)" == "type.int:room" { continue }
            let mayClose = dialect.dialect.policies["unknown-command"] == "close"
            if mayClose, ["frame.ws", "frame.max"].contains(result.id.rule) { continue }
            // The sender's echo comes before the answer, whose expectation skips it.
            if name == "teamspeak", "\(result.id)" == "msg.history" { continue }
            #expect(
                healthy.outcome == .passed,
                "\(result.id) without it: \(healthy.diagnostic?.message ?? "")\n\(text)")
        }
    }

    /// Loads the scenario as `run` does, from a folder with only the written files.
    private static func loaded(_ text: String, _ dialect: MatrixDialect) throws -> Program {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "linejudge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for file in dialect.subject.dialectFiles {
            try Data(file.bytes).write(to: folder.appending(path: file.name))
        }
        let path = folder.appending(path: "failure.chat")
        try Data(text.utf8).write(to: path)
        let loaded = ScenarioLoader().load(FoundScenario(path: path.path))
        return try #require(loaded.program, "\(loaded.diagnostics.map(\.message))\n\(text)")
    }

    /// Pairs of rule and fault for which the written scenario passes, from docs/check.md.
    private static func exceptions() throws -> Set<String> {
        let text = try Repository.text("docs/check.md")
        let section = try #require(
            text.components(separatedBy: "| passes on a faulty server |").last)
        let rows = section.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
            .prefix { $0.hasPrefix("|") }
        let pairs = rows.compactMap { row -> String? in
            let words = row.split(separator: "`")
            return words.count > 3 ? "\(words[1]) \(words[3])" : nil
        }
        #expect(!pairs.isEmpty)
        return Set(pairs)
    }
}
