import DialectFiles
import LineProtocol
import ReferenceServer
import Results
import Runner
import Scenario
import Session
import TestServers
import Testing
import SessionTransport
import Transport

/// The shipped scenarios against the reference server.
struct EmbeddedServerTests {
    /// Runs a dialect's scenarios over sockets, except those that wait for half a minute.
    private func run(
        _ name: String, _ segmentation: Segmentation = .whole
    ) async throws -> RunResults {
        let dialect = try DialectLibrary.find(name, beside: nil).dialect
        let server = try await ReferenceServer.start(
            at: .tcp(host: "127.0.0.1", port: 0), speaking: dialect)
        var options = runOptions()
        options.endpoint = try Endpoint(parsing: "127.0.0.1:\(server.port ?? 0)")
        options.segmentations = [segmentation]
        options.software = Software(name: "linejudge", version: "test")
        let loaded = try scenarios("Scenarios/\(name)").filter { !$0.tags.contains("slow") }
        let results = await ScenarioRunner(options, executor: SessionDriver()).run(loaded)
        await server.shutdown()
        return results
    }

    /// Scenarios that wait for half a minute run on the simulated network, where waits take no
    /// time.
    @Test func slowScenariosPass() async throws {
        let dialect = try DialectLibrary.find("livechat", beside: nil).dialect
        let server = try await SimulatedServer.start(
            speaking: dialect, options: ServerOptions(dialect))
        var options = runOptions()
        options.endpoint = Endpoint(.host("127.0.0.1", port: 1))
        options.software = Software(name: "linejudge", version: "test")
        let loaded = try scenarios("Scenarios/livechat").filter { $0.tags.contains("slow") }
        let results = await ScenarioRunner(options, executor: server).run(loaded)
        await server.shutdown()
        expectClean(results, skippedMax: 0)
        #expect(results.scenarios.map(\.verdict) == [.passed])
    }

    @Test(arguments: [
        ("livechat", 0), ("msnp", 0), ("nats", 0), ("plain", 0), ("teamspeak", 0),
    ])
    func scenariosPassAndNoneIsAKnownFailure(dialect: String, skipped: Int) async throws {
        let results = try await run(dialect)
        expectClean(results, skippedMax: skipped)
        #expect(!results.scenarios.contains { $0.verdict == .knownFailure })
    }

    /// The reference server passes every scenario with every segmentation: no `known failure` names
    /// it. A `skip` names it where it lacks a feature, or another scenario covers its behaviour.
    @Test(arguments: [
        Segmentation.whole, .byte, .random(seed: 3), .coalesce, .midTerminator, .midLetter,
        .finWithData,
    ])
    func ircScenariosKnowNoFailureOfOurs(segmentation: Segmentation) async throws {
        let results = try await run("irc", segmentation)
        expectClean(results, skippedMax: results.scenarios.count)
        #expect(!results.scenarios.contains { $0.verdict == .knownFailure })
        let passed = results.scenarios.count { $0.verdict == .passed }
        #expect(passed > 150, "skipped: \(results.scenarios.count - passed)")
    }

    @Test(arguments: [
        Segmentation.random(seed: 3), .coalesce, .midTerminator, .midLetter, .finWithData,
    ])
    func segmentationMakesNoDifference(segmentation: Segmentation) async throws {
        expectClean(try await run("livechat", segmentation), skippedMax: 0)
    }

    @Test(arguments: [
        Segmentation.byte, .random(seed: 3), .coalesce, .midTerminator, .midLetter, .finWithData,
    ])
    func segmentationMakesNoDifferenceToOthers(segmentation: Segmentation) async throws {
        for dialect in ["msnp", "nats", "plain", "teamspeak"] {
            expectClean(try await run(dialect, segmentation))
        }
    }
}
