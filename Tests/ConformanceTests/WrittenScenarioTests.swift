import Conformance
import Diagnostics
import Foundation
import LineProtocol
import ReferenceServer
import Results
import Runner
import Session
import Testing

/// The scenario that is written for a failure states what is wrong: it loads from any folder, fails on the server that has
/// the fault, and passes on one that has none.
struct WrittenScenarioTests {
    /// Every fault that is found in a dialect. What no expectation can state is listed in docs/check.md.
    @Test(arguments: MatrixDialect.all, Fault.allCases)
    func aWrittenScenarioFailsWhereTheFaultIsAndPassesElsewhere(
        name: String, fault: Fault
    ) async throws {
        guard try FaultExpectation(fault).outcome(in: name) == .found else { return }
        let trial = try await FaultTrials.shared.trial(fault, name)
        // What only the command table shows fails no check, so nothing is written.
        #expect(!trial.failed.isEmpty || trial.breaksTable)
        let isQuick = trial.failed.contains { $0.id.row.hasPrefix("live.") }
        let dialect = try MatrixDialect(name, isQuick: isQuick)
        let exceptions = try Self.exceptions()
        for result in trial.failed {
            let text = try #require(result.scenario, "\(result.id): nothing is written")
            let program = try Self.loaded(text, dialect)
            let isWithEnd = text.contains("run --segment \(Segmentation.finWithData.word)")
            let segmentation = isWithEnd ? Segmentation.finWithData : .whole
            let faulty = try await dialect.run(program, segmentation, faults: [fault])
            let healthy = try await dialect.run(program, segmentation)
            let isException = exceptions.contains("\(result.id.row) \(fault.rawValue)")
            #expect(
                (faulty.outcome == .passed) == isException,
                "\(result.id) with the fault: \(faulty.diagnostic?.message ?? "")\n\(text)")
            // An error may end the connection there, a large number may be refused, and no expectation allows either.
            if "\(result.id)" == "type.int:room" { continue }
            let mayClose = dialect.dialect.policies["unknown-command"] == "close"
            if mayClose, ["frame.ws", "frame.max"].contains(result.id.row) { continue }
            // The echo of one's own text comes before the answer, whose expectation skips it.
            if name == "teamspeak", "\(result.id)" == "msg.history" { continue }
            #expect(
                healthy.outcome == .passed,
                "\(result.id) without it: \(healthy.diagnostic?.message ?? "")\n\(text)")
        }
    }

    /// The scenario as `run` loads it: from a folder that has nothing but what was written.
    private static func loaded(_ text: String, _ dialect: MatrixDialect) throws -> Program {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "linejudge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        if let file = dialect.subject.dialectFile {
            try Data(file.bytes).write(to: folder.appending(path: file.name))
        }
        let path = folder.appending(path: "failure.chat")
        try Data(text.utf8).write(to: path)
        let loaded = ScenarioLoader().load(FoundScenario(path: path.path))
        return try #require(loaded.program, "\(loaded.diagnostics.map(\.message))\n\(text)")
    }

    /// Rules and faults of which the written scenario passes all the same, as the documentation lists them.
    private static func exceptions() throws -> Set<String> {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/check.md")
        let text = try String(contentsOf: path, encoding: .utf8)
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
