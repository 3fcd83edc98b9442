import Conformance
import Diagnostics
import Foundation
import LineProtocol
import ReferenceServer
import Report
import RepositoryFiles
import Results
import Runner
import Scenario
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
            let (program, segmentation) = try Self.loaded(result, dialect)
            let faulty = try await dialect.run(program, segmentation, faults: [fault])
            let healthy = try await dialect.run(program, segmentation)
            let isException = exceptions.contains("\(result.id.rule) \(fault.rawValue)")
            #expect(
                (faulty.outcome == .passed) == isException,
                "\(result.id) with the fault: \(faulty.diagnostic?.message ?? "")\n\(text)")
            #expect(
                healthy.outcome == .passed,
                "\(result.id) without it: \(healthy.diagnostic?.message ?? "")\n\(text)")
        }
    }

    /// Writes the scenario and its dialect to a folder, and loads what the printed command names.
    private static func loaded(
        _ result: CheckResult, _ dialect: MatrixDialect
    ) throws -> (Program, Segmentation) {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "linejudge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for file in dialect.subject.dialectFiles {
            try Data(file.bytes).write(to: folder.appending(path: file.name))
        }
        let text = result.scenario ?? ""
        let path = folder.appending(path: "failure.chat").path
        try Data(text.utf8).write(to: URL(filePath: path))
        let source = SourceText(path: path, text: text)
        #expect(try ScenarioFormatter.format(source) == text, "not formatted as by `fmt`")
        let command = try PrintedCommand(result, at: path)
        let loaded = ScenarioLoader(dialectOverride: command.dialect)
            .load(FoundScenario(path: command.path))
        let program = try #require(
            loaded.program, "\(loaded.diagnostics.map(\.message))\n\(text)")
        return (program, command.segmentation)
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

/// The `run` command that the summary prints for a failure.
private struct PrintedCommand {
    var path = ""
    var dialect: String?
    var segmentation = Segmentation.whole

    /// Reads the command in the summary of a failure whose scenario is in a file.
    init(_ result: CheckResult, at path: String) throws {
        var result = result
        result.scenarioPath = path
        let results = CheckResults(
            toolVersion: "", seed: 1, dialect: "", endpoint: "", startedAt: 0, checks: [result])
        let text = CheckSummary(style: Style(isColoured: false)).text(results, replay: "")
        let command = try #require(text.components(separatedBy: " linejudge run ").last)
        var words = command.prefix { !$0.isNewline }.split(separator: " ").map(String.init)[...]
        while let word = words.popFirst() {
            switch word {
            case "--dialect": dialect = words.popFirst()
            case "--segment":
                let value = words.popFirst() ?? ""
                segmentation = try #require(Segmentation(value), "\(command)")
            default:
                #expect(self.path.isEmpty && !word.hasPrefix("-"), "unknown: \(word)")
                self.path = word
            }
        }
    }
}
