import Results
import Runner
import Session
import Testing
import SessionTransport

/// Scenarios against real servers over real sockets. They are never skipped: where a server is missing
/// they fail.
@Suite(.serialized) struct RealServerTests {
    @Test(arguments: [RealServer.ngircd, .inspircd, .hybrid])
    func ircScenariosPassOrAreKnownFailures(server: RealServer) async throws {
        var options = runOptions()
        options.command = server.command
        options.software = server.software
        let loaded = try scenarios("Scenarios/irc")
        // InspIRCd registers clients once a second. So several servers share the scenarios.
        let parts = (0..<4).map { part in
            loaded.enumerated().filter { $0.offset % 4 == part }.map(\.element)
        }
        let runner = ScenarioRunner(options, executor: SessionDriver())
        let skipped = await withTaskGroup(of: RunResults.self) { group in
            for part in parts { group.addTask { await runner.run(part) } }
            return await group.reduce(into: 0) { skipped, results in
                expectClean(results)
                skipped += results.scenarios.count { $0.verdict == .skipped }
            }
        }
        #expect(skipped <= 1)
    }

    @Test func natsScenariosPass() async throws {
        var options = runOptions()
        options.command = RealServer.nats.command
        options.software = RealServer.nats.software
        let results = await ScenarioRunner(options, executor: SessionDriver())
            .run(try scenarios("Scenarios/nats"))
        expectClean(results, skippedMax: 0)
    }

    /// A stream has no segments that a server may rely on: the same transcript however it is cut.
    @Test(arguments: [
        Segmentation.byte, .random(seed: 7), .coalesce, .midTerminator, .midLetter, .finWithData,
    ])
    func segmentationMakesNoDifference(segmentation: Segmentation) async throws {
        var options = runOptions()
        options.command = RealServer.ngircd.command
        options.software = RealServer.ngircd.software
        options.segmentations = [segmentation]
        let names = ["join-part", "private-message", "quit", "channel-message", "ping"]
        let loaded = try names.flatMap { try scenarios("Scenarios/irc/\($0).chat") }
        let results = await ScenarioRunner(options, executor: SessionDriver()).run(loaded)
        expectClean(results, skippedMax: 0)
    }
}
