import Conformance
import DialectFiles
import DialectModel
import Load
import Results
import Runner
import Session
import SessionTransport
import Testing
import Transport

/// Real servers over WebSocket.
struct RealWebSocketTests {
    /// Runs scenarios against a server's WebSocket.
    private func run(
        _ paths: [String], on server: RealServer, options given: String = "",
        segmentation: Segmentation = .whole
    ) async throws -> RunResults {
        let loaded = try paths.flatMap { try scenarios($0) }
        return try await ServerUnderTest.run(server.command) { running in
            var options = runOptions()
            options.software = server.software
            options.segmentations = [segmentation]
            options.jobs = 4
            options.endpoint = try Self.endpoint(running, given)
            return await ScenarioRunner(options, executor: SessionDriver()).run(loaded)
        }
    }

    private static func endpoint(_ running: RunningServer, _ given: String) throws -> Endpoint {
        try Endpoint(parsing: "ws://\(running.endpoint.location)/\(given)")
    }

    private static let ircScenarios = [
        "join-part", "private-message", "quit", "channel-message", "ping",
    ].map { "Scenarios/irc/\($0).chat" }

    @Test(arguments: ["", "#frames=binary"])
    func inspircdCarriesLinesInMessages(options: String) async throws {
        let results = try await run(
            Self.ircScenarios, on: .inspircdWebSocket, options: options)
        expectClean(results, skippedMax: 0)
    }

    @Test func natsCarriesAStream() async throws {
        expectClean(try await run(["Scenarios/nats"], on: .natsWebSocket), skippedMax: 0)
    }

    /// A line that is split into several frames is still one message.
    @Test(arguments: [Segmentation.byte, .random(seed: 7), .midTerminator, .coalesce, .finWithData])
    func segmentationMakesNoDifference(segmentation: Segmentation) async throws {
        let results = try await run(
            Self.ircScenarios, on: .inspircdWebSocket, segmentation: segmentation)
        expectClean(results, skippedMax: 0)
    }

    @Test func aWrongSubprotocolIsOneClearError() async throws {
        let results = try await run(
            ["Scenarios/irc/ping.chat"], on: .inspircdWebSocket, options: "#protocol=chat")
        #expect(results.scenarios.map(\.verdict) == [.inconclusive])
        let text = results.scenarios.flatMap(\.diagnostics).map { "\($0)" }.joined()
        #expect(text.contains("does not support the WebSocket subprotocol `chat`"), "\(text)")
    }

    @Test(arguments: [
        (RealServer.inspircdWebSocket, "irc+inspircd"), (.natsWebSocket, "nats"),
    ])
    func checksOverWebSocketFindNoFailures(server: RealServer, dialect: String) async throws {
        let file = try DialectLibrary.find(dialect)
        let subject = try Subject(BoundDialect.of(file))
        let entries = try ["pipe", "cmd", "type"].flatMap {
            try Catalogue(subject).entries(only: [$0])
        }
        let results = try await ServerUnderTest.run(server.command) { running in
            await CheckRunner(
                subject, CheckOptions(seed: 1, repetitions: 0, shrinks: false),
                executor: SocketExecutor(
                    SessionDriver(), at: try Self.endpoint(running, "")),
                watch: CheckTarget(running.endpoint, process: running.processID).watch
            ).run(entries)
        }
        for result in results where result.verdict == .failed {
            Issue.record("\(result.id): \(result.finding.map { "\($0)" } ?? result.reason)")
        }
        #expect(results.count { $0.verdict == .passed } >= 5)
    }

    @Test(arguments: [
        (RealServer.inspircdWebSocket, "irc+inspircd"), (.natsWebSocket, "nats"),
    ])
    func aLoadOverWebSocketLosesNothing(server: RealServer, dialect: String) async throws {
        let report = try await ServerUnderTest.run(server.command) { running in
            let file = try DialectLibrary.find(dialect)
            let plan = FleetPlan(
                operatorScript: try OperatorScript(BoundDialect.of(file), textBytes: 64),
                model: .open([RateStage(duration: 2_000_000_000, rate: 100)], .constant),
                mix: ActionMix([(.say, 1)]), layout: RoomLayout(operators: 20, size: 10), run: 80,
                setupTimeout: 60_000_000_000)
            var options = FleetOptions(duration: 2_000_000_000)
            options.drain = 30_000_000_000
            let endpoint = try Self.endpoint(running, "").speaking(file.dialect)
            return await (try Fleet(plan, options, against: endpoint)).run(LoadMonitor(workers: 1))
        }
        #expect(report.counts.ready == 20, "\(report.setupFailures.map(\.story))")
        #expect(report.violations.total == 0, "\(report.violations.kept.map(\.story))")
        #expect(report.counts.owed > 0)
    }
}
