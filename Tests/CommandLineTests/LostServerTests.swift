import Foundation
import TestServers
import Testing

/// A server that is lost during the checks: earlier results are kept in the results file.
struct LostServerTests {
    @Test func aServerThatDiesLeavesVerdictsForTheRest() async throws {
        let server = try #require(FailingServer(.dies, after: 40))
        defer { server.stop() }
        try await Files.with { folder in
            let outcome = try await Command(
                "check", "--dialect", "irc+inspircd", "--server", "127.0.0.1:\(server.port)",
                "--only",
                "cmd", "--only", "arity.few", "--only", "phase.before", "--skip", "cmd.direction",
                "--quiet", "--seed", "1", "--repeat", "0", "--report", "json=check.json"
            ).within(folder).run()
            // The check during which the server dies may fail: the server closes the connection.
            #expect([1, 2].contains(outcome.status), "\(outcome.all)")
            #expect(
                outcome.output.contains("the server no longer accepts connections"),
                "\(outcome.all)")
            let json = try JSONSerialization.jsonObject(
                with: Data(try Files.text(folder.appending(path: "check.json")).utf8))
            let checks = (json as? [String: Any])?["checks"] as? [[String: Any]] ?? []
            let verdicts = checks.compactMap { $0["verdict"] as? String }
            // Every check has a verdict, and some passed.
            #expect(verdicts.count == checks.count && checks.count > 20)
            #expect(verdicts.contains("passed"), "\(outcome.all)")
            #expect(verdicts.count { $0 == "inconclusive" } > 10, "\(outcome.all)")
            #expect(
                verdicts.count { $0 == "failed" } == (outcome.status == 1 ? 1 : 0), "\(outcome.all)"
            )
            let reasons = checks.filter { $0["verdict"] as? String == "inconclusive" }
                .compactMap { $0["reason"] as? String }
            #expect(reasons.allSatisfy { !$0.isEmpty })
        }
    }
}
