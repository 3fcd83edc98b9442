import Conformance
import ReferenceServer
import Results
import Testing

/// Faults of what is inside of texts, of values, phases, names and delivery: each is found by the row that names it.
struct TextFaultTests {
    /// A fault, and the dialects in which it can be seen.
    struct Found: CustomTestStringConvertible {
        var fault: Fault
        var dialects: [String]

        var testDescription: String { fault.rawValue }
    }

    /// How the names of these rows begin.
    static let groups = [
        "esc.", "inj.", "frame.nul", "frame.utf8", "frame.ctrl", "pay.", "type", "phase",
        "cmd.direction", "id.", "reconn.", "slow.", "msg.", "flood",
    ]

    static let found: [Found] = [
        Found(fault: .escapeDecodedTwice, dialects: ["livechat", "teamspeak"]),
        Found(fault: .escapeEncodedTwice, dialects: ["livechat", "teamspeak"]),
        Found(fault: .answersUnescaped, dialects: ["livechat"]),
        Found(fault: .unknownEscapesClose, dialects: ["livechat", "teamspeak"]),
        Found(fault: .escapeLost, dialects: ["livechat", "teamspeak"]),
        Found(fault: .crInjects, dialects: ["livechat", "plain"]),
        Found(fault: .forgedSource, dialects: ["irc"]),
        Found(fault: .nulTruncates, dialects: ["livechat"]),
        Found(fault: .nulDeafens, dialects: ["livechat"]),
        Found(fault: .badUTF8Replaced, dialects: ["livechat"]),
        Found(fault: .controlsStripped, dialects: ["livechat"]),
        Found(fault: .payloadOffByOne, dialects: ["nats"]),
        Found(fault: .wrongLengthsDeafen, dialects: ["nats"]),
        Found(fault: .numbersWrap, dialects: ["livechat"]),
        Found(fault: .badValuesClose, dialects: ["livechat"]),
        Found(fault: .serverVerbsClose, dialects: ["livechat", "irc", "teamspeak"]),
        Found(fault: .earlyCommandsClose, dialects: ["livechat", "irc", "teamspeak"]),
        Found(fault: .namesExact, dialects: ["livechat"]),
        Found(fault: .longNameCut, dialects: ["livechat"]),
        Found(fault: .badNameTaken, dialects: ["livechat", "irc", "teamspeak"]),
        Found(fault: .nameTakenTwice, dialects: ["livechat", "irc"]),
        Found(fault: .silentRename, dialects: ["irc"]),
        Found(fault: .ghostAfterFinWithData, dialects: ["livechat", "irc"]),
        Found(fault: .slowWriterBlocks, dialects: ["livechat", "irc"]),
        Found(fault: .drop, dialects: ["livechat", "irc"]),
        Found(fault: .duplicate, dialects: ["livechat", "irc"]),
        Found(fault: .swap, dialects: ["livechat", "irc"]),
        Found(fault: .leak, dialects: ["livechat", "irc"]),
        Found(fault: .leaversHear, dialects: ["livechat", "irc"]),
        Found(fault: .mutate, dialects: ["irc"]),
        Found(fault: .floodLoses, dialects: ["livechat", "irc"]),
    ]

    @Test(arguments: found)
    func aFaultIsFoundByTheRowThatNamesIt(found: Found) async throws {
        let row = found.fault.row
        for dialect in found.dialects {
            let results = try await check(dialect, fault: found.fault, only: [row])
            let rows = failedRows(results)
            #expect(
                rows.contains { $0 == row || $0.hasPrefix(row + ".") },
                "\(dialect): \(results.map { "\($0.id) \($0.verdict) \($0.reason)" })")
        }
    }
}
