import Foundation
import Testing

/// A short version of the survival part of `make bench-server`, with bounded time and traffic.
@Suite(.serialized) struct SurvivalTests {
    @Test(arguments: ["livechat", "irc", "msnp", "nats", "plain", "teamspeak"])
    func abuseLeavesNoFileAndNoSessionAndAnHonestPairIsServed(_ dialect: String) async throws {
        var command = Command(
            Files.root.appending(path: "Benchmarks/Server/survive.py").path,
            Command.executable.path, "--seconds", "1", "--abusers", "4",
            "--flood-bytes", "16384", "--dialect", dialect)
        command.program = URL(filePath: "/usr/bin/python3")
        let outcome = try await command.with(environment: ["PYTHONDONTWRITEBYTECODE": "1"]).run()
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains(" after "))
    }
}
