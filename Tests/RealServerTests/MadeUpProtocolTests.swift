import FoundationEssentials
import Runner
import Session
import Testing
import SessionTransport

@Suite struct MadeUpProtocolTests {
    @Test func aDialectWrittenFromScratchRunsAgainstASmallScript() async throws {
        var options = runOptions()
        let script = Project.path("Tests/RealServerTests/Fixtures/tilde-server.py")
        options.command = ServerCommand("python3 '\(script)' {{port}}")
        let loaded = try scenarios("Tests/RealServerTests/Fixtures/tilde.chat")
        let results = await ScenarioRunner(options, executor: SessionDriver()).run(loaded)
        expectClean(results, skippedMax: 0)
    }

    @Test func thatDialectHasFewerThanThirtyLines() throws {
        let path = Project.path("Tests/RealServerTests/Fixtures/tilde.yaml")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.split(separator: "\n").count < 30)
    }
}
