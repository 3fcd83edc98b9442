import Conformance
import Results
import Testing

/// Checks in the profile whose login requests IRCv3 capabilities.
struct ModernClientTests {
    @Test func aHealthyServerFailsNoCheck() async throws {
        let dialect = try MatrixDialect("irc+ircv3")
        let entries = dialect.sample(perRule: 2)
        #expect(entries.contains { $0.id.rule == "tag.limit" })
        for result in try await dialect.check(entries).results {
            #expect(
                [.passed, .observed, .skipped].contains(result.verdict),
                "\(result.id): \(result.verdict) \(result.reason)")
        }
    }

    @Test func theLoginIsNotDelayedIfItNegotiatesItself() throws {
        let entry = try MatrixDialect("irc+ircv3").catalogue.entries
            .first { $0.id.rule == "cap.held" }
        guard case .notApplicable(_, let reason) = entry else {
            Issue.record("cap.held applies")
            return
        }
        #expect(reason == "the dialect's login negotiates features itself")
    }
}
