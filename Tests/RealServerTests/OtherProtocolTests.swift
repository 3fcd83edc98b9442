import Conformance
import DialectFiles
import DialectModel
import Diagnostics
import Results
import Runner
import SessionTransport
import Testing
import TransportTLS

/// Servers that are not chats, or whose dialects are served from their behaviours: scenarios, checks
/// and loads.
struct OtherProtocolTests {
    /// A server, its scenarios and its dialect.
    struct Example: Sendable, CustomTestStringConvertible {
        var server: RealServer
        var scenarios: String
        var dialect: String
        /// Rules that the server fails, for reasons of its own.
        var failing: Set<String> = []
        /// Rules to check in addition to those that do not wait for silence.
        var moreRules: [String] = []
        /// Values of the dialect's variables.
        var variables: [String: [UInt8]] = [:]

        var testDescription: String { dialect }
    }

    private static let examples = [
        Example(server: .memcached, scenarios: "memcached", dialect: "memcached"),
        Example(server: .beanstalkd, scenarios: "beanstalkd", dialect: "beanstalkd"),
        Example(server: .aiosmtpd, scenarios: "smtp", dialect: "smtp"),
        Example(
            server: .dovecot, scenarios: "pop3", dialect: "pop3",
            // It accepts numbers of lines that do not fit in 64 bits.
            failing: ["type"],
            variables: ["password": Array("sesame".utf8)]),
        Example(server: .inn, scenarios: "nntp", dialect: "nntp"),
        Example(
            server: .tinymux, scenarios: "mud", dialect: "mud+tinymux",
            // Lines are text, so rules about commands and arguments do not apply.
            moreRules: [
                "flood", "frame.empty", "frame.eof", "frame.max", "frame.nul", "frame.seg",
                "frame.term", "half.close", "inj", "msg",
            ],
            variables: ["password": Array("sesame".utf8)]),
        Example(server: .redis, scenarios: "redis", dialect: "redis"),
        Example(
            server: .coilmq, scenarios: "stomp", dialect: "stomp+coilmq",
            // It loses frames that arrive in pieces, and does not require `host`.
            failing: ["arity.few", "pipe"]),
    ]

    @Test(arguments: examples)
    func scenariosPass(example: Example) async throws {
        var options = runOptions()
        options.command = example.server.command
        options.software = example.server.software
        options.fixtures = ["tls"]
        options.variables.values = example.variables
        let loaded = try scenarios(
            "Scenarios/\(example.scenarios)", dialect: example.dialect,
            variables: Set(example.variables.keys))
        var trust = TLSOptions()
        trust.isInsecure = true
        let driver = SessionDriver(security: try TLSClient(trust))
        let results = await ScenarioRunner(options, executor: driver).run(loaded)
        expectClean(results, skippedMax: 0)
        // Every line from the server is in the command table.
        #expect(results.brokenLines == 0)
    }

    @Test(arguments: examples)
    func behavioursHold(example: Example) async throws {
        let dialect = BoundDialect.of(try DialectLibrary.find(example.dialect))
        let results = try await ServerUnderTest.run(example.server.command) { running in
            var options = runOptions()
            options.endpoint = running.endpoint
            options.variables.values = example.variables
            let server = ServerDescription(endpoint: "\(running.endpoint)")
            return await DialectTester(
                dialect, options, at: server, executor: SessionDriver()
            ).run()
        }
        for test in results.tests where ![.passed, .skipped].contains(test.verdict) {
            let text = DiagnosticRenderer().text(test.result?.diagnostics ?? [])
            Issue.record("\(test.title): \(test.verdict) \(test.note) \(text)")
        }
        #expect(results.exitCode == .ok)
    }

    /// Rules that do not wait for silence.
    private static let rules = [
        "arity.few", "arity.extra", "cmd", "esc", "frame.ws", "pay.len", "phase", "pipe", "type",
    ]

    @Test(arguments: examples)
    func checksPass(example: Example) async throws {
        let file = try DialectLibrary.find(example.dialect)
        let subject = try Subject(BoundDialect.of(file), variables: example.variables)
        let catalogue = Catalogue(subject)
        let rules = (Self.rules + example.moreRules).filter { !example.failing.contains($0) }
        let entries = try catalogue.entries(only: rules)
        let results = try await ServerUnderTest.run(example.server.command) { running in
            let target = CheckTarget(running.endpoint, process: running.processID)
            return await CheckRunner(
                subject, CheckOptions(seed: 1, repetitions: 2, shrinks: false),
                executor: SocketExecutor(SessionDriver(), at: target.endpoint),
                watch: target.watch
            ).run(entries)
        }
        // NNTP's probe asks for the time, so an answer that comes a second later differs once.
        for result in results where result.verdict == .failed {
            Issue.record("\(result.id): \(result.finding.map { "\($0)" } ?? result.reason)")
        }
        #expect(results.count { [.passed, .flaky].contains($0.verdict) } >= 8)
    }
}
