import Diagnostics
import Results
import Session
import Testing
import SessionTransport
import Transport

@testable import Runner

/// Runs of scenario files against a real server over sockets.
@Suite(.timeLimit(.minutes(5)))
struct EndToEndTests {
    static let good = """
        title  An echo
        dialect plain
        operators a, b
        a -> hello {{server.port}}
        a <- hello {{server.port}}
        b -> "x" | 5ms | "y\\n"
        b <- xy
        """
    static let bad = """
        dialect plain
        timeout step 500ms
        a -> hello
        a <- good bye
        """

    @Test func folderRunsAgainstAStartedServer() async throws {
        let files = [
            "echo.py": ServerUnderTestTests.echo, "good.chat": Self.good, "bad.chat": Self.bad,
            "broken.chat": "nonsense\n",
        ]
        try await withFolder(files) { folder in
            let loader = ScenarioLoader()
            let scenarios = try ScenarioFinder.find([folder.path]).map { loader.load($0) }
            var options = RunOptions(toolVersion: "test", startedAt: 0)
            options.command = ServerCommand("python3 \(folder("echo.py")) {{port}}")
            options.jobs = 2
            options.segmentations = [.whole, .byte]
            let results = await ScenarioRunner(options, executor: SessionDriver()).run(scenarios)
            let verdicts = results.scenarios.map {
                "\($0.title) \($0.segmentation.word) \($0.verdict)"
            }
            #expect(
                verdicts == [
                    "bad whole failed", "bad byte failed", "broken whole error",
                    "An echo whole passed",
                    "An echo byte passed",
                ])
            #expect(results.scenarios[0].line == 4)
            #expect(results.scenarios[3].transcript.contains { $0.kind == .received })
            // Each of the two workers has its own server.
            #expect(results.server.endpoint.isEmpty)
            #expect(results.exitCode == .failed)
        }
    }

    @Test func execLineStartsTheServer() async throws {
        try await withFolder(["echo.py": ServerUnderTestTests.echo]) { folder in
            let text = "exec \"python3 {{where}}/echo.py {{port}}\"\n" + Self.good
            var options = RunOptions(toolVersion: "test", startedAt: 0)
            options.variables.values["where"] = Array(folder.path.utf8)
            let loader = ScenarioLoader(variables: ["where"])
            let scenario = loader.load(SourceText(path: "x.chat", text: text))
            let results = await ScenarioRunner(options, executor: SessionDriver()).run([scenario])
            #expect(results.scenarios.map(\.reason) == [""])
            #expect(results.exitCode == .ok)
        }
    }

    @Test func serverOutputIsKeptOnFailure() async throws {
        try await withFolder(["echo.py": ServerUnderTestTests.echo]) { folder in
            let text = "exec \"python3 \(folder("echo.py")) {{port}}\"\n" + Self.bad
            let scenario = ScenarioLoader().load(SourceText(path: "x.chat", text: text))
            let options = RunOptions(toolVersion: "test", startedAt: 0)
            let results = await ScenarioRunner(options, executor: SessionDriver()).run([scenario])
            let result = try #require(results.scenarios.first)
            #expect(result.verdict == .failed)
            #expect(String(decoding: result.serverOutput, as: UTF8.self) == "about to listen\n")
        }
    }

    @Test func secretsAreMaskedInServerOutput() async throws {
        let script = ServerUnderTestTests.echo.replacing("about to listen", with: "key: hunter2")
        try await withFolder(["echo.py": script]) { folder in
            let text = "exec \"python3 \(folder("echo.py")) {{port}}\"\nsecret key\n" + Self.bad
            var options = RunOptions(toolVersion: "test", startedAt: 0)
            options.variables = try RunVariables(
                environment: [:], given: GivenVariables(options: ["key=hunter2"]))
            let loader = ScenarioLoader(variables: ["key"])
            let scenario = loader.load(SourceText(path: "x.chat", text: text))
            let results = await ScenarioRunner(options, executor: SessionDriver()).run([scenario])
            let output = results.scenarios.first?.serverOutput ?? []
            #expect(String(decoding: output, as: UTF8.self) == "key: ***\n")
        }
    }

    @Test func secretsAreRejectedInCommands() async throws {
        let text = "exec \"server {{port}} {{key}}\"\nsecret key\n" + Self.good
        var options = RunOptions(toolVersion: "test", startedAt: 0)
        options.variables = try RunVariables(
            environment: [:], given: GivenVariables(options: ["key=hunter2"]))
        let loader = ScenarioLoader(variables: ["key"])
        let scenario = loader.load(SourceText(path: "x.chat", text: text))
        let results = await ScenarioRunner(options, executor: SessionDriver()).run([scenario])
        let expected =
            "a command cannot contain a secret, because other users can see command lines"
        #expect(results.scenarios.map(\.reason) == [expected])
    }

    @Test func commandsThatAreNotAllowedHaveTheirOwnCode() async throws {
        let text = "exec \"server {{port}}\"\n" + Self.good
        var options = RunOptions(toolVersion: "test", startedAt: 0)
        options.allowsCommands = false
        let scenario = ScenarioLoader().load(SourceText(path: "x.chat", text: text))
        let results = await ScenarioRunner(options, executor: SessionDriver()).run([scenario])
        #expect(results.scenarios.map(\.verdict) == [.inconclusive])
        let codes = results.scenarios.flatMap(\.diagnostics).map(\.code)
        #expect(codes == ["run.exec-not-allowed"])
    }

    @Test func refusedConnectionIsInconclusive() async throws {
        var options = RunOptions(toolVersion: "test", startedAt: 0)
        let port = ReservedPort.find()
        let number = try #require(port?.number)
        options.endpoint = Endpoint(.host("127.0.0.1", port: number))
        let scenario = ScenarioLoader().load(SourceText(path: "x.chat", text: Self.good))
        let results = await ScenarioRunner(options, executor: SessionDriver()).run([scenario])
        #expect(results.exitCode == .unavailable)
        let shown = results.scenarios.first?.diagnostics.map { "\($0.message) \($0.notes)" }
            .joined()
        #expect(shown?.contains("refused the connection") == true)
    }
}
