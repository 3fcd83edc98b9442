import DialectFiles
import DialectModel
import Diagnostics
import LineProtocol
import ReferenceServer
import Results
import Runner
import Session
import SessionTransport
import Synchronization
import TestServers
import Testing
import Transport

@testable import Conformance

/// Tests of dialects against the reference server on a simulated network.
struct DialectTesterTests {
    /// The built-in dialects that the reference server speaks.
    private static let dialects = [
        "irc", "jsonl", "livechat", "msnp", "nats", "plain", "redis", "stomp", "teamspeak",
    ]
    /// Tests of behaviours that the reference server does not have.
    private static let unsupported = ["redis": ["remember, recall"]]
    private static let variables: [String: [UInt8]] = ["ticket": Array("t=1".utf8)]

    /// Tests a dialect.
    ///
    /// - Parameters:
    ///   - changing: Changes the tested dialect, but not the server's.
    ///   - wrapping: Changes what the client sees.
    private func test(
        _ name: String, fault: Fault? = nil, variables: [String: [UInt8]] = variables,
        only: [String] = [], skip: [String] = [], idle: Int64? = nil,
        changing: (inout Dialect) -> Void = { _ in },
        wrapping: (SimulatedServer) -> any ScenarioExecutor = { $0 }
    ) async throws -> DialectTestResults {
        let file = try DialectLibrary.find(name)
        var tested = file.dialect
        changing(&tested)
        var serverOptions = ServerOptions(file.dialect)
        if let fault { serverOptions.faults = FaultInjector(rates: [fault: 1], seed: 1) }
        let server = try await SimulatedServer.start(
            speaking: file.dialect, options: serverOptions)
        var options = RunOptions(toolVersion: "1.0", startedAt: 0)
        options.endpoint = Endpoint(.host("127.0.0.1", port: 1))
        options.variables.values = variables
        let tester = DialectTester(
            try BoundDialect(tested, source: file.source).checked(), options,
            at: ServerDescription(endpoint: "tcp://127.0.0.1:1"), idle: idle,
            executor: wrapping(server))
        let results = await tester.run(only: only, skip: skip)
        await server.shutdown()
        return results
    }

    /// The titles of the tests with this verdict.
    private func titles(_ results: DialectTestResults, _ verdict: Verdict) -> [String] {
        results.tests.filter { $0.verdict == verdict }.map(\.title)
    }

    private func note(_ results: DialectTestResults, _ title: String) -> String? {
        results.tests.first { $0.title == title }?.note
    }

    private func verdict(_ results: DialectTestResults, _ title: String) -> Verdict? {
        results.tests.first { $0.title == title }?.verdict
    }

    // MARK: A dialect that fits its server

    @Test(arguments: dialects)
    func behavioursHoldOrAreNotApplicableForAReason(dialect: String) async throws {
        let results = try await test(dialect)
        #expect(titles(results, .failed) == Self.unsupported[dialect] ?? [])
        #expect(titles(results, .inconclusive) == [])
        for test in results.tests where test.verdict == .skipped {
            #expect(!test.note.isEmpty, "\(test.title)")
        }
        #expect(results.undescribed.isEmpty)
        #expect(results.commandTable.brokenLines == 0)
        #expect(results.exitCode == (Self.unsupported[dialect] == nil ? .ok : .failed))
    }

    @Test func everyBehaviourIsTestedOrNamedWithAReason() async throws {
        let results = try await test("jsonl")
        #expect(
            results.tests.map(\.title) == [
                "connect", "login", "probe", "enter", "leave", "say, heard", "relay, arrival",
                "logout", "second login", "server pings",
            ])
        #expect(note(results, "probe") == "the answer repeats the token")
        #expect(results.undeclared == [])
    }

    @Test func greetingsAreReported() async throws {
        let results = try await test("nats", only: ["connect"])
        #expect(note(results, "connect")?.hasPrefix("the server sends `INFO ") == true)
    }

    @Test func aMissingVariableIsNamed() async throws {
        let results = try await test("msnp", variables: [:])
        #expect(note(results, "login") == "needs --var ticket=VALUE")
        #expect(note(results, "logout") == "not tested: needs `login`")
        #expect(results.exitCode == .inconclusive)
    }

    @Test func selectedBehavioursRunAfterTheLogin() async throws {
        let results = try await test("irc", only: ["heard"])
        #expect(results.tests.map(\.title) == ["connect", "login", "say, heard"])
        let others = try await test("jsonl", skip: ["say", "logout"])
        #expect(!others.tests.contains { ["say, heard", "logout"].contains($0.title) })
    }

    // MARK: A server that does something else

    @Test func lostMessagesFail() async throws {
        let results = try await test("livechat", fault: .drop)
        #expect(titles(results, .failed) == ["say, heard", "relay, arrival"])
        #expect(results.exitCode == .failed)
        let error = results.tests.first { $0.title == "say, heard" }?.result?.diagnostics.first
        #expect(error?.code == "run.timeout")
        #expect(error?.location?.source.path.hasSuffix("livechat.yaml") == true)
        #expect(error?.related == [])
        #expect(error?.location?.label.contains("on line") == false)
    }

    @Test func unknownLinesAreReportedWithAnEntryForTheDialect() async throws {
        let results = try await test("livechat", fault: .strayLine)
        let stray = try #require(results.undescribed.first)
        #expect(results.undescribed.count == 1)
        #expect(stray.suggestion == "add to `commands`:  xyzzy: {wire: XYZZY, from: server}")
        #expect(stray.deviation.location?.file == "say, heard")
        #expect(results.exitCode == .failed)
    }

    @Test func aNameThatTwoClientsGetFails() async throws {
        let results = try await test("irc", fault: .nameTakenTwice, only: ["second login"])
        #expect(titles(results, .failed) == ["second login"])
        #expect(
            note(results, "second login")
                == "the dialect says `refuse`, but the server accepted it")
    }

    @Test func anUnspecifiedSecondLoginIsDescribed() async throws {
        let results = try await test("irc", only: ["second login"]) {
            $0.policies["second-login"] = nil
        }
        let note = try #require(self.note(results, "second login"))
        #expect(verdict(results, "second login") == .skipped)
        #expect(note.hasPrefix("not specified; the server refused it with `"))
        #expect(note.hasSuffix("` (`policies: {second-login: refuse}`)"))
    }

    @Test func aProbeThatIsAnsweredTwiceFails() async throws {
        let results = try await test("jsonl", only: ["probe"]) { _ in
        } wrapping: {
            EchoingExecutor(server: $0)
        }
        let note = try #require(self.note(results, "probe"))
        #expect(note.hasPrefix("the server sent `{"), "\(note)")
        #expect(note.hasSuffix(" 2 times"), "\(note)")
    }

    @Test func anUnreachableServerIsReportedOnce() async throws {
        let results = try await test("jsonl") { _ in
        } wrapping: {
            LimitedExecutor(server: $0, runsMax: 0)
        }
        #expect(results.tests.count == 1)
        #expect(results.exitCode == .unavailable)
    }

    @Test func testsEndWhenTheServerAcceptsNoMoreLogins() async throws {
        let results = try await test("jsonl") { _ in
        } wrapping: {
            LimitedExecutor(server: $0, runsMax: 3)
        }
        #expect(titles(results, .passed) == ["connect", "login", "probe"])
        #expect(titles(results, .inconclusive) == ["enter", "relay, arrival"])
        #expect(note(results, "leave") == "not tested: needs `enter`")
        #expect(
            note(results, "logout") == "not tested: the server no longer accepts logins")
        #expect(results.exitCode == .inconclusive)
    }

    @Test(arguments: FailingServer.Failure.allCases)
    func aServerThatFailsIsNotTestedAnyLonger(failure: FailingServer.Failure) async throws {
        let server = try #require(FailingServer(failure, after: 3))
        defer { server.stop() }
        var options = RunOptions(toolVersion: "1.0", startedAt: 0)
        options.endpoint = Endpoint(.host("127.0.0.1", port: server.port))
        options.stepTimeout = 500_000_000
        let results = await DialectTester(
            try BoundDialect.find("irc"), options, at: ServerDescription(endpoint: ""),
            executor: SessionDriver()
        ).run()
        #expect(titles(results, .passed) == ["connect", "login", "probe"])
        #expect(
            note(results, "logout") == "not tested: the server no longer accepts logins")
        #expect([.failed, .inconclusive].contains(results.exitCode))
    }

    // MARK: A wrong dialect

    @Test func aWrongLoginFailsOnce() async throws {
        let results = try await test("jsonl") {
            $0.behaviours["login"]?.scenarioText =
                "-> login(name: {{name}})\n<~ joined(room: {{name}})  within 1s\n"
        }
        #expect(titles(results, .failed) == ["login"])
        #expect(titles(results, .passed) == ["connect"])
        #expect(note(results, "say, heard") == "not tested: `login` fails")
    }

    @Test func aWrongGreetingFailsOnce() async throws {
        let results = try await test("nats") {
            $0.behaviours["login"]?.scenarioText =
                "<~ PONG  within 1s\n-> PING\n<~ PONG\n"
        }
        #expect(titles(results, .failed) == ["connect"])
        #expect(note(results, "login") == "not tested: `connect` fails")
        #expect(note(results, "say, heard") == "not tested: `connect` fails")
    }

    @Test func aWrongCommandNameFailsWithAdvice() async throws {
        let results = try await test("jsonl") { dialect in
            var signatures = dialect.commands.signatures
            for index in signatures.indices where signatures[index].name == "pong" {
                signatures[index].wire = .exact(Array("Pong".utf8))
            }
            dialect.commands = CommandTable(signatures)
        }
        #expect(titles(results, .failed).first == "probe")
        #expect(
            results.undescribed.map(\.suggestion) == [
                "`pong` differs only in case: correct its `wire`, or set "
                    + "`fields: {verb-case: insensitive}`"
            ])
    }

    @Test func aMessageInAnotherLineIsPointedOut() async throws {
        let results = try await test("jsonl") {
            $0.behaviours["heard"]?.scenarioText =
                "<~ message(from: {{from}}, room: \"other\", text: {{text}})\n"
        }
        let error = results.tests.first { $0.title == "say, heard" }?.result?.diagnostics.first
        let help = error?.notes.first { $0.text.hasPrefix("bob received the text in `{") }
        #expect(titles(results, .failed) == ["say, heard"])
        #expect(help?.text.hasSuffix("compare this line with `heard`") == true)
    }

    @Test func aTokenThatTheServerDoesNotRepeatIsExplained() async throws {
        let results = try await test("jsonl") {
            $0.behaviours["probe"]?.scenarioText =
                "-> ping(token: \"x\")\n<~ pong(token: {{token}})\n"
        }
        let error = results.tests.first { $0.title == "probe" }?.result?.diagnostics.first
        #expect(verdict(results, "probe") == .failed)
        #expect(
            error?.notes.contains {
                $0.kind == .help && $0.text.hasPrefix("if the server does not repeat the token")
            } == true)
    }

    @Test func ownBehavioursAreTestedOrNeedTheirParameters() async throws {
        let results = try await test("jsonl") { dialect in
            dialect.behaviours["part"] = Behaviour(
                name: "part", parameters: ["room"],
                scenarioText: "-> leave(room: {{room}})\n<~ left(room: {{room}})\n", line: 1,
                column: 1)
            dialect.behaviours["shout"] = Behaviour(
                name: "shout", parameters: ["volume"],
                scenarioText: "-> say(room: \"x\", text: {{volume}})\n", line: 2, column: 1)
            dialect.behaviours["welcomed"] = Behaviour(
                name: "welcomed", scenarioText: "<~ welcome()\n", line: 3, column: 1)
        }
        #expect(verdict(results, "part") == .passed)
        #expect(note(results, "shout") == "needs --var volume=VALUE")
        #expect(
            note(results, "welcomed")
                == "only waits for lines, and no other behaviour triggers them")
    }

    // MARK: Pings

    @Test func anIdleConnectionStaysOpen() async throws {
        let results = try await test("jsonl", only: ["server pings"], idle: 90_000_000_000)
        #expect(verdict(results, "server pings") == .passed)
        #expect(
            note(results, "server pings")
                == "the connection stayed open without answers to pings")
        #expect(results.exitCode == .ok)
    }

    @Test func anIdleConnectionThatTheServerClosesFails() async throws {
        let results = try await test(
            "livechat", only: ["server pings"], idle: 90_000_000_000
        ) {
            $0.behaviours["keepalive"] = nil
            $0.behaviours["probe"] = nil
        }
        #expect(
            note(results, "server pings") == "the server closed the idle connection")
    }
}

/// An executor that adds the last received line to the transcript again.
private struct EchoingExecutor: ScenarioExecutor {
    let server: SimulatedServer

    func run(
        _ program: Program, options: ExecutionOptions, at endpoint: Endpoint
    ) async -> SessionOutcome {
        var outcome = await server.run(program, options: options, at: endpoint)
        let last = outcome.result.transcript.last { $0.kind == .received }
        if let last { outcome.result.transcript.append(last) }
        return outcome
    }
}

/// An executor whose server is reachable for a limited number of runs.
private final class LimitedExecutor: ScenarioExecutor {
    private let server: SimulatedServer
    private let runsLeft: Mutex<Int>

    init(server: SimulatedServer, runsMax: Int) {
        self.server = server
        runsLeft = Mutex(runsMax)
    }

    func run(
        _ program: Program, options: ExecutionOptions, at endpoint: Endpoint
    ) async -> SessionOutcome {
        let isReachable = runsLeft.withLock { left in
            left -= 1
            return left >= 0
        }
        if isReachable { return await server.run(program, options: options, at: endpoint) }
        return SessionOutcome(
            result: ScenarioOutcome(outcome: .inconclusive), connectFailure: "refused")
    }
}
