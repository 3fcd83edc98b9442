import Results
import Runner
import Testing

/// Setups of runs, without a server.
@Suite struct RunSetupTests {
    @Test func settingsReachTheRun() throws {
        var request = RunRequest(seed: 7)
        request.server = "irc://127.0.0.1"
        request.shuffles = true
        request.retries = 2
        request.stepTimeout = 1_000
        let setup = try RunSetup(request)
        #expect(setup.options.shuffleSeed == 7)
        #expect(setup.options.retries == 2)
        #expect(setup.options.stepTimeout == 1_000)
        #expect(setup.loader.dialectDefault == "irc")
    }

    @Test func anInvalidServerIsAUsageError() throws {
        var request = RunRequest(seed: 1)
        request.server = "127.0.0.1:port"
        let failure = try #require(throws: CommandFailure.self) { try RunSetup(request) }
        #expect(failure.code == .usage)
    }

    @Test func aDialectThatDoesNotExistIsMissingInput() throws {
        var request = RunRequest(seed: 1)
        request.dialect = "no-such-dialect"
        let failure = try #require(throws: CommandFailure.self) { try RunSetup(request) }
        #expect(failure.code == .noInput)
    }
}
