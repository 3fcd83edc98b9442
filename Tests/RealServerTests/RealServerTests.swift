import Results
import Runner
import Session
import Testing
import SessionTransport

/// Scenarios against real servers over real sockets. They are never skipped: a missing server is a
/// failure.
struct RealServerTests {
    /// Scenarios that run at the same time on one server get names of their own.
    @Test func ircScenariosPassFourAtATimeOnOneServer() async throws {
        let loaded = try scenarios("Scenarios/irc")
        let results = try await ServerUnderTest.run(RealServer.ngircd.command) { server in
            var options = runOptions()
            options.software = RealServer.ngircd.software
            options.endpoint = server.endpoint
            options.fixtures = ["operator"]
            options.jobs = 4
            return await ScenarioRunner(options, executor: SessionDriver()).run(loaded)
        }
        expectClean(results, skippedMax: loaded.count)
        let passed = results.scenarios.count { $0.verdict == .passed }
        #expect(passed > loaded.count / 2, "\(passed) of \(loaded.count) passed")
    }

    @Test(arguments: [RealServer.inspircd, .hybrid])
    func ircScenariosPassOrAreKnownFailures(server: RealServer) async throws {
        var options = runOptions(for: server)
        options.fixtures = ["operator"]
        let loaded = try scenarios("Scenarios/irc")
        // InspIRCd registers clients once per second, so several instances share the scenarios.
        let parts = (0..<8).map { part in
            loaded.enumerated().filter { $0.offset % 8 == part }.map(\.element)
        }
        let runner = ScenarioRunner(options, executor: SessionDriver())
        await withTaskGroup(of: RunResults.self) { group in
            for part in parts { group.addTask { await runner.run(part) } }
            // Each server lacks some of the extensions that scenarios test.
            var passed = 0
            for await results in group {
                expectClean(results, skippedMax: results.scenarios.count)
                passed += results.scenarios.count { $0.verdict == .passed }
            }
            #expect(passed > loaded.count / 2, "\(passed) of \(loaded.count) passed")
        }
    }

    @Test func scenariosThatNeedAnAccountPassOrAreKnownFailures() async throws {
        var options = runOptions(for: .inspircdWithAccounts)
        options.fixtures = ["account", "operator", "services"]
        options.jobs = 4
        let paths = [
            "sasl", "account", "monitor/extended-account.chat", "server/links-services.chat",
            "modes/account-extban.chat", "modes/account-extban-exceptions.chat",
        ]
        let loaded = try paths.flatMap { try scenarios("Scenarios/irc/\($0)") }
        let results = await ScenarioRunner(options, executor: SessionDriver()).run(loaded)
        expectClean(results, skippedMax: 0)
    }

    @Test func scenariosThatNeedAServerPasswordPass() async throws {
        var options = runOptions(for: .ngircdWithPassword)
        options.fixtures = ["password"]
        let names = ["password", "password-missing", "password-wrong"]
        let loaded = try names.flatMap { try scenarios("Scenarios/irc/registration/\($0).chat") }
        let results = await ScenarioRunner(options, executor: SessionDriver()).run(loaded)
        expectClean(results, skippedMax: 0)
    }

    @Test func natsScenariosPass() async throws {
        let options = runOptions(for: .nats)
        let results = await ScenarioRunner(options, executor: SessionDriver())
            .run(try scenarios("Scenarios/nats"))
        expectClean(results, skippedMax: 0)
    }

    /// The result does not depend on how the transcript is divided into segments.
    @Test(arguments: [
        Segmentation.byte, .random(seed: 7), .coalesce, .midTerminator, .midLetter, .finWithData,
    ])
    func segmentationMakesNoDifference(segmentation: Segmentation) async throws {
        var options = runOptions(for: .ngircd)
        options.segmentations = [segmentation]
        let names = ["join-part", "private-message", "quit", "channel-message", "ping"]
        let loaded = try names.flatMap { try scenarios("Scenarios/irc/\($0).chat") }
        let results = await ScenarioRunner(options, executor: SessionDriver()).run(loaded)
        expectClean(results, skippedMax: 0)
    }
}
