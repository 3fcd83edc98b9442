import LineProtocol
import ReferenceServer
import Results
import Testing

/// Capabilities that clients turn on and off again.
struct OptionalLinesTests {
    private static let credentials = ["credentials": Array(ServerOptions.testCredentials.utf8)]

    @Test(arguments: [
        "account-notify", "account-tag", "echo-message", "multi-prefix", "userhost-in-names",
    ])
    func aCapabilityThatStaysInEffectIsFound(capability: String) async throws {
        let only = ["cap.off:\(capability)"]
        let faulty = try await check(
            "irc", fault: .capabilitiesKept, only: only, variables: Self.credentials)
        #expect(faulty.map(\.verdict) == [.failed], "\(faulty.map(\.reason))")
        #expect(faulty.map(\.finding?.kind) == ["extra-line"])
        let sound = try await check("irc", only: only, variables: Self.credentials)
        #expect(sound.map(\.verdict) == [.passed], "\(sound.map(\.reason))")
    }

    @Test func capabilitiesOfAccountsNeedCredentials() async throws {
        let results = try await check("irc", only: ["cap.off:account-*"])
        #expect(results.map(\.verdict) == [.skipped, .skipped])
        #expect(
            results.allSatisfy { $0.reason == "needs a value: pass `--var credentials=VALUE`" })
    }

    @Test func wrongCredentialsDecideNothing() async throws {
        let results = try await check(
            "irc", only: ["cap.off:account-*"], variables: ["credentials": Array("AGEAYg==".utf8)])
        #expect(results.map(\.verdict) == [.inconclusive, .inconclusive])
    }
}
