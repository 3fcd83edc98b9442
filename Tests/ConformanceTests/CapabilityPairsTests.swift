import LineProtocol
import ReferenceServer
import Results
import Testing

@testable import Conformance

/// Pairs of capabilities, of which clients have turned on one or both.
struct CapabilityPairsTests {
    private static let credentials = ["credentials": Array(ServerOptions.testCredentials.utf8)]
    private static let names = "cap.pair:multi-prefix+userhost-in-names"

    private func pairs(_ dialect: String, _ variables: [String: [UInt8]]) throws -> [Check] {
        let bound = try EvidenceTable.subject(dialect).bound
        return try Catalogue(Subject(bound, variables: variables)).checks
            .filter { $0.id.rule == CapabilityPairs.ruleID }
    }

    @Test func thePairsThatChangeTheSameLineComeFirst() throws {
        let ids = try pairs("irc", [:]).map(\.id.description)
        #expect(ids.count == 9 * 8 / 2)
        #expect(Set(ids).count == ids.count)
        #expect(
            ids.prefix(2) == ["cap.pair:echo-message+server-time", Self.names], "\(ids)")
        #expect(ids.last == "cap.pair:setname+userhost-in-names")
        #expect(try pairs("livechat", [:]).isEmpty)
    }

    /// With an account, there are 11 capabilities and 55 pairs.
    @Test func theNumberOfPairsIsLimited() throws {
        let checks = try pairs("irc", Self.credentials)
        #expect(checks.count == CapabilityPairs.pairsMax)
        #expect(checks.contains { $0.id.description == "cap.pair:account-tag+server-time" })
    }

    /// A client that leaves the room is not an operator when it comes back.
    @Test func theRoomIsLeftLast() throws {
        let check = try #require(
            pairs("irc", [:]).first { "\($0.id)" == "cap.pair:extended-join+multi-prefix" })
        let testCase = try #require(
            check.cases(EvidenceTable.subject("irc"), seed: 1).first)
        #expect(testCase.title == "multi-prefix for bob, extended-join for dave, both for erin")
    }

    @Test(arguments: ["irc", "irc+ircv3"])
    func everyPairOfTheReferenceServerPasses(dialect: String) async throws {
        let results = try await check(
            dialect, only: [CapabilityPairs.ruleID], variables: Self.credentials)
        #expect(results.count == CapabilityPairs.pairsMax)
        for result in results {
            #expect(result.verdict == .passed, "\(result.id): \(result.reason)")
        }
    }

    @Test(arguments: [
        (Fault.capabilitiesImplied, "extra-line"), (.capabilitiesExclusive, "lost"),
    ])
    func onlyThePairShowsThatCapabilitiesInteract(fault: Fault, kind: String) async throws {
        let results = try await check("irc", fault: fault, only: ["cap"])
        let failed = results.filter { $0.verdict == .failed }
        #expect(failed.map(\.id.description) == [Self.names])
        #expect(failed.map(\.finding?.kind) == [kind])
        #expect(results.allSatisfy { $0.verdict != .inconclusive })
    }
}
