import Foundation
import Diagnostics
import LineProtocol
import Results
import Scenario
import Session
import Testing
import SessionTransport
import Transport

@testable import Runner

/// The command-table check.
struct SchemaTests {
    /// An executor whose server sends these lines in every run.
    private struct Talker: ScenarioExecutor {
        var lines: [String]
        var sent: [String] = []

        func run(
            _ program: Program, options: ExecutionOptions, at endpoint: Endpoint
        ) async -> SessionOutcome {
            func entries(_ lines: [String], _ kind: TranscriptEntry.Kind) -> [TranscriptEntry] {
                lines.map { line in
                    var entry = TranscriptEntry(
                        time: 0, operatorName: "a", kind: kind, bytes: Array(line.utf8),
                        terminator: [0x0A], line: 4)
                    entry.isMasked = line.contains("***")
                    return entry
                }
            }
            return SessionOutcome(
                result: ScenarioOutcome(
                    outcome: .passed, transcript: entries(sent, .sent) + entries(lines, .received)),
                connectionsMade: 1, connectFailure: nil)
        }
    }

    private func run(
        _ lines: [String], sent: [String] = [], files: [String] = ["1.chat"], header: String = "",
        _ change: (inout RunOptions) -> Void = { _ in }
    ) async throws -> RunResults {
        let scenarios = files.map { path in
            scenario(path, "dialect livechat\n\(header)")
        }
        let runner = ScenarioRunner(
            try options(change), executor: Talker(lines: lines, sent: sent))
        return await runner.run(scenarios)
    }

    private func scenario(_ path: String, _ header: String) -> LoadedScenario {
        ScenarioLoader().load(SourceText(path: path, text: "\(header)\na connect\n"))
    }

    @Test func violationIsReportedWithItsPositionWithoutFailing() async throws {
        let results = try await run(["R0001|7|bob", "R9999|x"], files: ["1.chat", "2.chat"])
        let table = try #require(results.commandTables.first)
        #expect(table.dialect == "livechat")
        #expect(table.report.lines == 4)
        let found = try #require(table.report.breaks.first)
        #expect(found.kind == "unknown-command")
        #expect(found.count == 2)
        #expect(found.location?.file == "1.chat")
        #expect(found.location?.line == 4)
        #expect(found.location?.operatorName == "a")
        #expect(results.exitCode == .ok)
    }

    @Test func violationsFailTheRunInFailMode() async throws {
        let broken = try await run(["R9999|x"]) { $0.schema = .fail }
        #expect(broken.exitCode == .failed)
        let fine = try await run(["R0001|7|bob"]) { $0.schema = .fail }
        #expect(fine.exitCode == .ok)
        #expect(fine.brokenLinesFail)
    }

    @Test func nothingIsCheckedInOffMode() async throws {
        let results = try await run(["R9999|x"]) { $0.schema = .off }
        #expect(results.commandTables.isEmpty)
        #expect(results.exitCode == .ok)
    }

    @Test func sentLinesAreNotChecked() async throws {
        let results = try await run([], sent: ["NONSENSE|x", "S0003|t"]) { $0.schema = .fail }
        let report = try #require(results.commandTables.first?.report)
        #expect(report.brokenLines == 0)
        #expect(report.commands.contains { $0.wire == "S0003" && $0.sent == 1 })
        #expect(results.exitCode == .ok)
    }

    @Test func linesWithMaskedSecretsAreNotChecked() async throws {
        let results = try await run(["***|7|bob", "R9999|x"])
        #expect(results.commandTables.first?.report.brokenLines == 1)
    }

    @Test func violationsSurviveTheResultsFile() async throws {
        let results = try await run(["R9999|x\u{1}é", "\\r|\u{7}"]) { $0.schema = .fail }
        let again = try JSONDecoder().decode(
            RunResults.self, from: try JSONEncoder().encode(results))
        #expect(again == results)
        #expect(again.exitCode == .failed)
    }
}
