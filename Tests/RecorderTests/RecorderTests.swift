import DialectModel
import Diagnostics
import DialectFiles
import Foundation
import LineProtocol
import Recorder
import ReferenceServer
import Scenario
import Session
import Testing
import Transcript
import SessionTransport
import Transport
import RepositoryFiles

private let driver = SessionDriver()

/// Runs a scenario against a server through a recorder.
private func record(
    _ text: String, _ dialect: DialectFile, at server: Endpoint
) async throws -> Recording {
    let options = Recorder.Options(
        listen: Endpoint(.host("127.0.0.1", port: 0)), server: server)
    let recorder = try await Recorder.start(dialect.dialect, options)
    let file = try ScenarioParser.file(from: SourceText(path: "scenario.chat", text: text))
    let program = try ProgramCompiler.compile(
        file, with: BoundDialect.of(dialect))
    let outcome = await driver.run(
        program, options: ExecutionOptions(),
        at: Endpoint(.host("127.0.0.1", port: recorder.port)))
    #expect(outcome.result.outcome == .passed, "\(outcome.result.diagnostic?.description ?? "")")
    await recorder.untilIdle()
    return await recorder.finish()
}

private let folder = Repository.root.appending(path: "Scenarios/livechat")

/// The shipped scenarios that a recording can reproduce: without `outcome of`, `eventually` or
/// timeouts.
private let recordable = [
    "login", "duplicate-nickname", "relay", "private", "who", "history", "rooms", "escaping",
    "hidden",
    "too-many-arguments", "structured-argument",
]

@Test func recordedScenariosPass() async throws {
    let dialect = try DialectLibrary.find("livechat")
    let server = try await ReferenceServer.start(speaking: dialect.dialect)
    let endpoint = Endpoint(.host("127.0.0.1", port: server.port))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { file in
        recordable.contains { file == "\($0).chat" }
    }
    #expect(files.count >= 4)
    for file in files {
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        let recording = try await record(text, dialect, at: endpoint)
        #expect(recording.warnings.isEmpty)
        let learning = ReplayLearning(
            driver, at: endpoint, dialect: BoundDialect.of(dialect),
            execution: ExecutionOptions())
        let outcome = try await learning.learn(recording.conversation, options: .init())
        #expect(
            outcome.failure == nil,
            "\(file):\n\(outcome.text)\n\(outcome.failure?.description ?? "")")
    }
    await server.shutdown()
}

@Test func identifiersThatTheServerGivesBecomeVariables() async throws {
    let dialect = try DialectLibrary.find("livechat")
    let server = try await ReferenceServer.start(speaking: dialect.dialect)
    let endpoint = Endpoint(.host("127.0.0.1", port: server.port))
    let recording = try await record(
        """
        dialect livechat
        operators maria, joe
        maria -> S0001|maria
        maria <- R0001|{{id}}|maria
        joe -> S0001|joe
        joe <- R0001|{{_}}|joe
        maria -> S0005|11
        maria <~ R0005|11|maria
        joe -> S0005|11
        joe <~ R0005|11|joe
        maria -> S0004|{{id}}|11|hello
        joe <- R0004|{{_}}|hello|maria|11|0
        joe -> S0002
        joe <- R0018
        """, dialect, at: endpoint)
    let learning = ReplayLearning(
        driver, at: endpoint, dialect: BoundDialect.of(dialect),
        execution: ExecutionOptions())
    let outcome = try await learning.learn(recording.conversation, options: .init())
    #expect(outcome.failure == nil)
    #expect(outcome.text.contains("maria <- R0001|{{identifier}}|maria\n"))
    #expect(outcome.text.contains("maria -> S0004|{{identifier}}|11|hello\n"))
    await server.shutdown()
}

@Test func aServerThatCannotBeReachedIsRemarkedOnAndTheClientIsClosed() async throws {
    let dialect = try DialectLibrary.find("plain")
    let recorder = try await Recorder.start(
        dialect.dialect,
        Recorder.Options(
            listen: Endpoint(.host("127.0.0.1", port: 0)),
            server: Endpoint(.unix(path: "/nowhere/chat.sock"))))
    let file = try ScenarioParser.file(
        from: SourceText(path: "p.chat", text: "dialect plain\noperators a\na connect\na closed\n"))
    let program = try ProgramCompiler.compile(
        file, with: BoundDialect.of(dialect))
    let outcome = await driver.run(
        program, options: ExecutionOptions(),
        at: Endpoint(.host("127.0.0.1", port: recorder.port)))
    #expect(outcome.result.outcome == .passed)
    await recorder.untilIdle()
    let recording = await recorder.finish()
    #expect(
        recording.warnings == [
            "the server cannot be reached: there is no socket at /nowhere/chat.sock"
        ])
}

@Test func aPortThatIsTakenIsSaid() async throws {
    let dialect = try DialectLibrary.find("plain")
    let server = Endpoint(.host("127.0.0.1", port: 1))
    let first = try await Recorder.start(
        dialect.dialect,
        Recorder.Options(listen: Endpoint(.host("127.0.0.1", port: 0)), server: server))
    await #expect(throws: ConnectFailure.self) {
        _ = try await Recorder.start(
            dialect.dialect,
            Recorder.Options(
                listen: Endpoint(.host("127.0.0.1", port: first.port)), server: server))
    }
    _ = await first.finish()
}
