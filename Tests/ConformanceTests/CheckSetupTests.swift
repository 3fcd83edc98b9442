import Conformance
import Diagnostics
import Results
import Testing

/// Setups of checks, without a server.
@Suite struct CheckSetupTests {
    @Test func aSelectionLimitsTheChecks() throws {
        var request = CheckRequest()
        request.dialect = "irc"
        request.only = ["frame"]
        request.seed = 7
        let setup = try CheckSetup(request)
        #expect(!setup.entries.isEmpty)
        #expect(setup.entries.allSatisfy { $0.id.rule.hasPrefix("frame.") })
        #expect(setup.servers.map(\.name) == ["built-in"])
        #expect(setup.options.seed == 7)
    }

    @Test func aPatternThatMatchesNothingIsAUsageError() throws {
        var request = CheckRequest()
        request.dialect = "irc"
        request.only = ["nothing"]
        let failure = try #require(throws: CommandFailure.self) { try CheckSetup(request) }
        #expect(failure.code == .usage)
        #expect(
            failure.diagnostics.first?.message == "no check of this dialect matches `nothing`")
    }

    @Test func serversOfDifferentDialectsAreRefused() throws {
        var request = CheckRequest()
        request.targets.servers = ["irc://127.0.0.1", "nats://127.0.0.1"]
        let failure = try #require(throws: CommandFailure.self) { try CheckSetup(request) }
        #expect(
            failure.diagnostics.first?.message
                == "the servers speak different dialects: irc, nats")
    }

    @Test func serversOfTheSameKindGetDistinctNames() throws {
        var request = CheckRequest()
        request.dialect = "irc"
        request.targets.commands = ["./a/chatd.sh --port {{port}}", "./b/chatd.sh --port {{port}}"]
        let setup = try CheckSetup(request)
        #expect(setup.servers.map(\.name) == ["chatd", "chatd#2"])
    }
}
