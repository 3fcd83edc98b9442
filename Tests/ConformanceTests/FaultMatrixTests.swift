import Conformance
import Foundation
import ReferenceServer
import Results
import Testing

/// The proof that checks work: each fault of the reference server is found by the row that names it, and by
/// no other; without faults nothing is found.
struct FaultMatrixTests {
    static let dialects = ["livechat", "irc", "msnp", "nats", "plain", "teamspeak"]

    @Test(arguments: dialects)
    func nothingIsWrongWithAServerWithoutFaults(dialect: String) async throws {
        // Every check takes minutes: for who has changed something that many rest on.
        let isThorough = ProcessInfo.processInfo.environment["CHECK_ALL"] == "1"
        for result in try await check(dialect, perRow: isThorough ? nil : 1) {
            #expect(
                [.passed, .observed, .skipped].contains(result.verdict),
                "\(result.id): \(result.verdict) \(result.reason)")
        }
    }

    /// A fault, and the dialects in which it can be seen.
    struct Found: CustomTestStringConvertible {
        var fault: Fault
        var dialects: [String]
        /// Rows that find it besides, because what they rest on is no more.
        var alsoFoundBy: Set<String> = []

        var testDescription: String { fault.rawValue }
    }

    /// One or two dialects for each, those in which it is seen at once: where silence has to decide, and where
    /// operators cannot be kept apart, a check takes long.
    static let found: [Found] = [
        Found(fault: .fewArgumentsClose, dialects: ["irc"]),
        Found(fault: .fewArgumentsLeave, dialects: ["irc"]),
        // A line of blanks has no command that is known, either.
        Found(fault: .unknownCommandsClose, dialects: ["irc"], alsoFoundBy: ["frame.ws"]),
        Found(fault: .verbCaseIgnored, dialects: ["livechat", "nats"]),
        Found(fault: .emptyLinesDeafen, dialects: ["irc"]),
        Found(fault: .extraArgumentsJoined, dialects: ["livechat"]),
        Found(fault: .extraArgumentsClose, dialects: ["irc"]),
        Found(fault: .emptyArgumentsDropped, dialects: ["livechat"]),
        Found(fault: .emptyArgumentsClose, dialects: ["irc", "livechat"]),
        Found(fault: .blankLinesDeafen, dialects: ["irc"]),
        Found(
            fault: .segmentEndsLine, dialects: ["livechat", "nats"],
            alsoFoundBy: ["frame.eof", "pipe.order"]),
        Found(fault: .loneLFIgnored, dialects: ["irc"]),
        Found(fault: .trailingBlanksEaten, dialects: ["irc"]),
        Found(fault: .defaultsIgnored, dialects: ["livechat"]),
        Found(fault: .pipelinedLoginLost, dialects: ["irc"]),
        Found(fault: .wedgeLongLine, dialects: ["irc"]),
        Found(fault: .tailRuns, dialects: ["irc"]),
        Found(fault: .partialLineRuns, dialects: ["teamspeak"]),
        Found(fault: .lostUnterminated, dialects: ["irc"]),
        Found(fault: .halfCloseUnanswered, dialects: ["livechat", "nats"]),
        Found(
            fault: .pipelineReversed, dialects: ["livechat"],
            // Where a barrier overtakes what stands before it, nothing that rests on barriers holds.
            alsoFoundBy: [
                "cmd.unknown", "cmd.case", "arity.few", "frame.term", "frame.seg", "pipe.preauth",
            ]),
    ]

    @Test(arguments: found)
    func aFaultIsFoundByTheRowThatNamesIt(found: Found) async throws {
        for (place, dialect) in found.dialects.enumerated() {
            // That no other row finds it is looked at in the first dialect.
            let results =
                place == 0
                ? try await check(dialect, fault: found.fault, sampledBeside: found.fault.row)
                : try await check(dialect, fault: found.fault, only: [found.fault.row])
            let rows = failedRows(results)
            #expect(rows.contains(found.fault.row), "\(dialect): \(rows.sorted())")
            #expect(
                rows.subtracting(found.alsoFoundBy) == [found.fault.row],
                "\(dialect): \(rows.sorted())")
        }
    }
}
