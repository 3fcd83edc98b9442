import DialectFiles
import LineProtocol
import ReferenceServer
import Runner
import Session
import Testing
import Transport

/// The shipped livechat scenarios against the embedded server.
@Suite(.serialized) struct EmbeddedServerTests {
    private func play(
        _ segmentation: Segmentation, without slow: Bool
    ) async throws -> RunResults {
        let dialect = try DialectLibrary.find("livechat", beside: nil).dialect
        let server = try await ReferenceServer.start(
            at: .tcp(host: "127.0.0.1", port: 0), speaking: dialect)
        var options = runOptions()
        options.endpoint = try Endpoint(parsing: "127.0.0.1:\(server.port ?? 0)")
        options.segmentations = [segmentation]
        let loaded = try scenarios("Scenarios/livechat").filter {
            !slow || !$0.tags.contains("slow")
        }
        let results = await ScenarioRunner(options, player: SessionDriver()).run(loaded)
        await server.shutdown()
        return results
    }

    @Test func livechatScenariosPass() async throws {
        expectClean(try await play(.whole, without: false), skippedMax: 0)
    }

    @Test(arguments: [
        Segmentation.random(seed: 3), .coalesce, .midTerminator, .midLetter, .finWithData,
    ])
    func segmentationMakesNoDifference(segmentation: Segmentation) async throws {
        expectClean(try await play(segmentation, without: true), skippedMax: 0)
    }
}
