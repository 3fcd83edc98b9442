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

/// Real servers that require the PROXY protocol, as behind a load balancer.
struct RealProxyProtocolTests {
    private static func endpoint(_ running: RunningServer, _ given: String) throws -> Endpoint {
        try Endpoint(parsing: "tcp://\(running.endpoint.location)\(given)")
    }

    private func run(
        _ path: String, on server: RealServer, _ given: String
    ) async throws -> RunResults {
        let loaded = try scenarios(path)
        return try await ServerUnderTest.run(server.command) { running in
            var options = runOptions()
            options.software = server.software
            options.endpoint = try Self.endpoint(running, given)
            return await ScenarioRunner(options, executor: SessionDriver()).run(loaded)
        }
    }

    @Test(arguments: [
        ("Scenarios/irc/private-message.chat", RealServer.inspircdBehindProxy, "#proxy=v2"),
        ("Scenarios/smtp/mail.chat", .aiosmtpdBehindProxy, "#proxy=v1"),
        ("Scenarios/smtp/mail.chat", .aiosmtpdBehindProxy, "#proxy=v2"),
    ])
    func scenariosPass(path: String, server: RealServer, given: String) async throws {
        expectClean(try await run(path, on: server, given), skippedMax: 0)
    }

    @Test(arguments: [
        ("Scenarios/irc/private-message.chat", RealServer.inspircdBehindProxy),
        ("Scenarios/smtp/mail.chat", .aiosmtpdBehindProxy),
    ])
    func withoutAHeaderNoScenarioPasses(path: String, server: RealServer) async throws {
        let results = try await run(path, on: server, "")
        #expect(results.scenarios.allSatisfy { $0.verdict != .passed })
    }

    @Test func checksFindNoFailures() async throws {
        let file = try DialectLibrary.find("irc+inspircd")
        let subject = try Subject(BoundDialect.of(file))
        let entries = try ["pipe", "cmd"].flatMap { try Catalogue(subject).entries(only: [$0]) }
        let server = RealServer.inspircdBehindProxy
        let results = try await ServerUnderTest.run(server.command) { running in
            await CheckRunner(
                subject, CheckOptions(seed: 1, repetitions: 0, shrinks: false),
                executor: SocketExecutor(
                    SessionDriver(), at: try Self.endpoint(running, "#proxy=v2")),
                watch: CheckTarget(running.endpoint, process: running.processID).watch
            ).run(entries)
        }
        for result in results where result.verdict == .failed {
            Issue.record("\(result.id): \(result.finding.map { "\($0)" } ?? result.reason)")
        }
        #expect(results.count { $0.verdict == .passed } >= 3)
    }

    @Test func aLoadLosesNothing() async throws {
        let report = try await ServerUnderTest.run(RealServer.inspircdBehindProxy.command) {
            running in
            let file = try DialectLibrary.find("irc+inspircd")
            let plan = FleetPlan(
                operatorScript: try OperatorScript(BoundDialect.of(file), textBytes: 64),
                model: .open([RateStage(duration: 2_000_000_000, rate: 100)], .constant),
                mix: ActionMix([(.say, 1)]), layout: RoomLayout(operators: 20, size: 10), run: 81,
                setupTimeout: 60_000_000_000)
            var options = FleetOptions(duration: 2_000_000_000)
            options.drain = 30_000_000_000
            let endpoint = try Self.endpoint(running, "#proxy=v2")
            return await (try Fleet(plan, options, against: endpoint)).run(LoadMonitor(workers: 1))
        }
        #expect(report.counts.ready == 20, "\(report.setupFailures.map(\.story))")
        #expect(report.violations.total == 0, "\(report.violations.kept.map(\.story))")
        #expect(report.counts.owed > 0)
    }
}
