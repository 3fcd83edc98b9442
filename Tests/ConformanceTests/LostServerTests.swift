import DialectFiles
import DialectModel
import Results
import SessionTransport
import TestServers
import Testing
import Transport

@testable import Conformance

/// Servers that are lost during the checks: earlier results are kept, and the remaining checks are
/// inconclusive.
struct LostServerTests {
    private static let reasons: [FailingServer.Failure: String] = [
        .wedges: "the server no longer accepts logins",
        .dies: "the server no longer accepts connections",
        .floods: "the server no longer accepts logins",
    ]

    @Test(arguments: FailingServer.Failure.allCases)
    func checksAfterTheServerWasLostAreInconclusive(failure: FailingServer.Failure) async throws {
        let server = try #require(FailingServer(failure, after: 40))
        defer { server.stop() }
        let file = try DialectLibrary.find("irc+inspircd")
        let subject = try Subject(BoundDialect.of(file))
        let entries = try Catalogue(subject).entries(
            only: ["cmd", "arity.few", "phase.before"], skip: ["cmd.direction"])
        let runner = CheckRunner(
            subject, CheckOptions(seed: 1, repetitions: 0, patience: 1_000_000_000),
            executor: SocketExecutor(
                SessionDriver(), at: Endpoint(.host("127.0.0.1", port: server.port))),
            watch: LoopbackWatch(port: server.port))
        let results = await runner.run(entries)
        // Every check has a verdict, and those before the loss passed.
        #expect(results.count == entries.count && results.count > 20)
        #expect(results.contains { $0.verdict == .passed })
        #expect(!results.contains { $0.verdict == .failed })
        let lost = results.filter { $0.verdict == .inconclusive }
        #expect(lost.count > 10)
        #expect(lost.allSatisfy { !$0.reason.isEmpty })
        let reason = try #require(Self.reasons[failure])
        // On a busy machine a server that dies may first be noticed by logins in progress.
        let either = failure == .dies ? Set(Self.reasons.values) : [reason]
        #expect(lost.contains { either.contains($0.reason) }, "\(lost.map(\.reason))")
    }

    /// If no login succeeded before the checks either, few attempts are enough.
    @Test(arguments: [true, false]) func checksThatNeverLogInEndEarly(loginsFail: Bool) throws {
        let subject = try Subject(BoundDialect.of(try DialectLibrary.find("livechat")))
        let check = try #require(Catalogue(subject).checks.first)
        let silent = CheckResult(check, .inconclusive, reason: "\(Control.noLogin): no answer")
        let health = ServerHealth(silentMax: 12, loginsFail: loginsFail)
        func note(_ result: CheckResult, _ count: Int) {
            for _ in 0..<count {
                _ = health.end(result, begun: health.begin(), isControlled: true)
            }
        }
        note(silent, 2)
        #expect(health.loss == nil)
        note(silent, 1)
        #expect(health.loss == (loginsFail ? .noLogin : nil))
        // A success shows that logins work.
        note(CheckResult(check), 1)
        note(silent, 11)
        #expect(health.loss == nil)
        note(silent, 1)
        #expect(health.loss == .logins)
    }
}
