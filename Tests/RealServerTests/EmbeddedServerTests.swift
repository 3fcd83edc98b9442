import DialectFiles
import LineProtocol
import ReferenceServer
import Runner
import Scenario
import Session
import Testing
import Transport

/// The shipped scenarios against the embedded server.
@Suite(.serialized) struct EmbeddedServerTests {
    private func play(
        _ name: String, _ segmentation: Segmentation = .whole, without slow: Bool = false
    ) async throws -> RunResults {
        let dialect = try DialectLibrary.find(name, beside: nil).dialect
        let server = try await ReferenceServer.start(
            at: .tcp(host: "127.0.0.1", port: 0), speaking: dialect)
        var options = runOptions()
        options.endpoint = try Endpoint(parsing: "127.0.0.1:\(server.port ?? 0)")
        options.segmentations = [segmentation]
        options.software = Software(name: "linejudge", version: "test")
        let loaded = try scenarios("Scenarios/\(name)").filter {
            !slow || !$0.tags.contains("slow")
        }
        let results = await ScenarioRunner(options, player: SessionDriver()).run(loaded)
        await server.shutdown()
        return results
    }

    @Test(arguments: [
        ("livechat", 0), ("irc", 1), ("msnp", 0), ("nats", 0), ("plain", 0), ("teamspeak", 0),
    ])
    func scenariosPassAndNoneIsAKnownFailure(dialect: String, skipped: Int) async throws {
        let results = try await play(dialect)
        expectClean(results, skippedMax: skipped)
        #expect(!results.scenarios.contains { $0.verdict == .knownFailure })
    }

    @Test(arguments: [
        Segmentation.random(seed: 3), .coalesce, .midTerminator, .midLetter, .finWithData,
    ])
    func segmentationMakesNoDifference(segmentation: Segmentation) async throws {
        expectClean(try await play("livechat", segmentation, without: true), skippedMax: 0)
    }

    @Test(arguments: [
        Segmentation.byte, .random(seed: 3), .coalesce, .midTerminator, .midLetter, .finWithData,
    ])
    func segmentationMakesNoDifferenceToOthers(segmentation: Segmentation) async throws {
        for dialect in ["irc", "msnp", "nats", "plain", "teamspeak"] {
            expectClean(try await play(dialect, segmentation))
        }
    }
}
