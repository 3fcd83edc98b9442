import DialectFiles
import DialectModel
import LineProtocol
import Results
import Testing

@testable import Conformance

/// Earlier IDs of checks in options and dialects.
struct EarlierCheckIDTests {
    private static let current = CheckID("live.pong", "unsolicited")

    @Test func earlierIDsSelectTheCurrentCheck() throws {
        let file = try DialectLibrary.find("irc")
        var dialect = file.dialect
        dialect.timing.expiresAfter = 1_000_000_000
        let catalogue = Catalogue(try Subject(BoundDialect(dialect, source: file.source)))
        let selected = try catalogue.entries(only: ["live.pong:unasked"])
        #expect(selected.map(\.id) == [Self.current])
        let others = try catalogue.entries(only: ["live.pong"], skip: ["live.pong:unasked"])
        #expect(others.map(\.id.parameter) == ["late", "wrong"])
    }

    @Test(arguments: [
        ("live.pong:unasked", true), ("live.pong:unsolicited", true), ("live.pong", true),
        ("live.pong:late", false),
    ])
    func knownFailuresApplyUnderAnEarlierID(id: String, applies: Bool) {
        let rule = KnownFailureRule(KnownFailure(check: id, reason: "a known bug"))
        #expect(rule.applies(to: Self.current, CheckOptions(seed: 1)) == applies)
    }
}
