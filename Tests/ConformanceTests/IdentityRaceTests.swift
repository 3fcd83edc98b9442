import Results
import Testing

@testable import Conformance

/// When many clients request the same name at once, one of them gets it.
struct IdentityRaceTests {
    /// The judgement if all clients receive a welcome, and the server then closes all connections
    /// except these.
    private func judgement(staying: Set<String>) throws -> Judgement {
        let subject = try EvidenceTable.subject("irc")
        let check = try #require(Catalogue(subject).checks.first { "\($0.id)" == "id.race" })
        let testCase = try #require(check.cases(subject, seed: 1).first)
        let rows = testCase.actors.flatMap { actor -> [EvidenceTable.Row] in
            let welcome = EvidenceTable.Row.received(actor.handle, ":s 001 racer :Welcome")
            guard !staying.contains(actor.handle) else { return [welcome] }
            let close = EvidenceTable.Row(
                during: .question, handle: actor.handle, kind: .closedByPeer, text: "")
            return [welcome, close]
        }
        return try EvidenceTable.judgement(testCase, subject, rows)
    }

    @Test func theNameBelongsToTheOnlyClientThatStaysConnected() throws {
        #expect(try judgement(staying: ["racer7"]) == .passed)
    }

    @Test func twoClientsThatStayConnectedHaveTheSameName() throws {
        #expect(try judgement(staying: ["racer7", "racer8"]).kind == "taken-twice")
    }
}
