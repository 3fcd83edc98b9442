import Conformance
import LineProtocol
import ReferenceServer
import Results
import Testing

/// Faults of sessions, of connections and of memory: each is found by the row that names it.
struct SessionFaultTests {
    /// Sessions that expire in a second, so that a test need not wait for half a minute.
    private static let quick = Timing(
        keepaliveInterval: 300_000_000, expiresAfter: 1_000_000_000, loginWithin: 1_000_000_000)

    /// The row that counts the server's sockets, which only the kernel knows.
    private static let leakRow = "leak.churn"

    /// A fault, and the dialects in which it can be seen.
    struct Found: CustomTestStringConvertible {
        var fault: Fault
        var dialects: [String]
        var timing: Timing?

        var testDescription: String { fault.rawValue }
    }

    static let found: [Found] = [
        Found(fault: .lateExpiry, dialects: ["livechat"], timing: quick),
        Found(fault: .expiryUntold, dialects: ["livechat"], timing: quick),
        Found(fault: .keepaliveIgnored, dialects: ["livechat"], timing: quick),
        Found(fault: .wrongPongsClose, dialects: ["irc"], timing: quick),
        Found(fault: .wrongPongsAsked, dialects: ["irc"], timing: quick),
        Found(fault: .pongsIgnored, dialects: ["irc"], timing: quick),
        Found(fault: .slowReaderBlocks, dialects: ["livechat"]),
        Found(fault: .descriptorLeak, dialects: ["livechat"]),
        Found(fault: .amplify, dialects: ["livechat", "irc"]),
    ]

    @Test(arguments: found)
    func aFaultIsFoundByTheRowThatNamesIt(found: Found) async throws {
        let row = found.fault.row
        for dialect in found.dialects {
            let results = try await check(
                dialect, fault: found.fault, only: [row], timing: found.timing,
                overSockets: row == Self.leakRow)
            #expect(
                failedRows(results) == [row],
                "\(dialect): \(results.map { "\($0.id) \($0.verdict) \($0.reason)" })")
        }
    }

    @Test(arguments: ["live.expiry", "live.keepalive", "slow.reader", "leak.churn"])
    func withoutAFaultNothingIsFound(row: String) async throws {
        let timing = row.hasPrefix("live") ? Self.quick : nil
        let results = try await check(
            "livechat", only: [row], timing: timing, overSockets: row == Self.leakRow)
        #expect(!results.isEmpty)
        for result in results {
            #expect(result.verdict == .passed, "\(result.id): \(result.verdict) \(result.reason)")
        }
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
