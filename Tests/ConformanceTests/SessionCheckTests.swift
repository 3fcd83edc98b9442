import Conformance
import LineProtocol
import Results
import Testing

/// Checks of session expiry, and of what connections leave behind.
struct SessionCheckTests {
    /// Sessions that expire after one second, so that tests need not wait half a minute.
    private static let quick = Timing(
        keepaliveInterval: 300_000_000, expiresAfter: 1_000_000_000, loginWithin: 1_000_000_000)

    @Test func connectionsThatComeAndGoLeaveNothingBehind() async throws {
        let results = try await check("livechat", only: ["leak.churn"], overSockets: true)
        #expect(results.map(\.verdict) == [.passed], "\(results.map(\.reason))")
    }

    @Test func answersToTheServersOwnQuestionAreServed() async throws {
        let results = try await check("irc", only: ["live.pong"], timing: Self.quick)
        #expect(results.map(\.verdict) == [.observed, .passed, .observed])
        #expect(results.map(\.reason) == ["ignore", "", "serve"])
    }

    @Test(arguments: [("close", "ignore"), ("ignore", "close")])
    func anAnswerWithAnotherWordIsHeldAgainstThePolicy(does: String, says: String) async throws {
        let same = { (dialect: inout Dialect) in dialect.policies["wrong-pong"] = does }
        let results = try await check(
            "irc", only: ["live.pong:wrong"], timing: Self.quick, changing: same)
        #expect(results.map(\.verdict) == [.passed])
        let other = try await check(
            "irc", only: ["live.pong:wrong"], timing: Self.quick,
            changing: { $0.policies["wrong-pong"] = says }, serving: same)
        #expect(other.map(\.verdict) == [.failed])
        #expect(other.map(\.finding?.kind) == [does == "close" ? "closed" : "not-closed"])
    }

    @Test func waitsThatAreLongAreOnlyMadeWhenAskedFor() async throws {
        let results = try await check("livechat", only: ["live.expiry", "live.keepalive"])
        #expect(results.count == 3)
        #expect(results.allSatisfy { $0.verdict == .skipped && $0.reason.contains("--slow") })
    }
}
