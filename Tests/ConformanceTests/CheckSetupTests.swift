import Conformance
import Diagnostics
import Results
import Runner
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

    @Test(arguments: [
        ("irc", []), ("livechat", []), ("jsonl", []), ("nats", []), ("plain", []),
        ("teamspeak", []), ("redis", []), ("stomp", []), ("smtp", []), ("memcached", []),
        ("beanstalkd", []), ("msnp", ["ticket"]), ("pop3", ["password"]),
    ])
    func variablesWithoutAValueAreRequired(dialect: String, variables: [String]) throws {
        var request = CheckRequest()
        request.dialect = dialect
        // The built-in server accepts any value.
        try CheckSetup(request).requireVariables()
        request.targets.servers = ["127.0.0.1:4321"]
        let setup = try CheckSetup(request)
        #expect(setup.subject.missingVariables == variables)
        guard let variable = variables.first else { return try setup.requireVariables() }
        let failure = try #require(throws: CommandFailure.self) { try setup.requireVariables() }
        #expect(failure.code == .usage)
        #expect(
            failure.diagnostics.first?.message
                == "the `\(dialect)` dialect sends `{{\(variable)}}`, which has no value")
        request.variables = GivenVariables(options: ["\(variable)=x"])
        let given = try CheckSetup(request)
        try given.requireVariables()
        #expect(given.subject.variables[variable] == Array("x".utf8))
    }

    @Test func serversOfTheSameKindGetDistinctNames() throws {
        var request = CheckRequest()
        request.dialect = "irc"
        request.targets.commands = ["./a/chatd.sh --port {{port}}", "./b/chatd.sh --port {{port}}"]
        let setup = try CheckSetup(request)
        #expect(setup.servers.map(\.name) == ["chatd", "chatd#2"])
    }
}
