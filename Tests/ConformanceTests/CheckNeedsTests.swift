import Conformance
import LineProtocol
import Results
import Testing

/// Checks that apply only if the server supports certain features.
struct CheckNeedsTests {
    private func results(needing kind: String, _ name: String) async throws -> [CheckResult] {
        try await check("irc", only: ["reply.long:members"]) { dialect in
            dialect.behaviours["members"]?.needs = [OfferedName(kind: kind, name: name)]
        }
    }

    @Test(arguments: [
        ("cap", "multi-prefix"), ("isupport", "NICKLEN"), ("mode", "k"), ("command", "WHOIS"),
    ])
    func checksRunIfTheServerOffersWhatTheyNeed(kind: String, name: String) async throws {
        let results = try await results(needing: kind, name)
        #expect(results.map(\.verdict) == [.passed], "\(results.map(\.reason))")
    }

    @Test(arguments: [("cap", "frob"), ("isupport", "FROB"), ("mode", "F"), ("command", "FROB")])
    func otherChecksAreNotApplicable(kind: String, name: String) async throws {
        let results = try await results(needing: kind, name)
        #expect(results.map(\.verdict) == [.skipped])
        #expect(
            results.map(\.reason) == ["needs \(kind) \(name), which the server does not offer"])
    }

    @Test func aSurveyThatFailsDecidesNothing() async throws {
        let results = try await check("irc", only: ["reply.long:members"]) { dialect in
            dialect.behaviours["members"]?.needs = [OfferedName(kind: "cap", name: "batch")]
            dialect.behaviours["survey"]?.scenarioText = "-> CAP LS\n<~ NEVER  within 100ms\n"
        }
        #expect(results.map(\.verdict) == [.inconclusive])
        #expect(
            results.allSatisfy {
                $0.reason.hasPrefix("needs cap batch, but the server could not be queried: ")
            })
    }

    @Test func theDialectStatesWhatACheckNeeds() throws {
        let checks = try MatrixDialect("irc").catalogue.checks
        let bans = try #require(checks.first { "\($0.id)" == "reply.long:bans" })
        #expect(bans.needs == [OfferedName(kind: "mode", name: "b")])
    }
}
