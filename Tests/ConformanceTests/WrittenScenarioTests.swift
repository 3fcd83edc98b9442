import Conformance
import Diagnostics
import DialectFiles
import ReferenceServer
import Results
import Scenario
import Session
import Testing

/// The scenario that is written down for a failure says what is wrong: played again it fails against the server that has
/// the fault, and passes against one that has none.
struct WrittenScenarioTests {
    /// A fault, and the dialects in which it is looked for.
    struct Fixture: CustomTestStringConvertible {
        var fault: Fault
        var dialects: [String]
        /// The checks that are played, if not all of the fault's row.
        var only: String?
        /// Whether it is made smaller first, which takes long.
        var shrinks = false

        var testDescription: String { fault.rawValue }
    }

    static let fixtures: [Fixture] = [
        Fixture(fault: .drop, dialects: ["irc"], shrinks: true),
        Fixture(fault: .duplicate, dialects: ["livechat", "irc"]),
        Fixture(fault: .swap, dialects: ["livechat", "irc"]),
        Fixture(fault: .leak, dialects: ["livechat", "irc"]),
        Fixture(fault: .mutate, dialects: ["irc"]),
        Fixture(fault: .namesExact, dialects: ["livechat"]),
        Fixture(fault: .nameTakenTwice, dialects: ["livechat"], shrinks: true),
        Fixture(fault: .longNameCut, dialects: ["livechat"]),
        Fixture(fault: .badNameTaken, dialects: ["livechat", "irc"]),
        Fixture(fault: .silentRename, dialects: ["irc"]),
        Fixture(fault: .payloadOffByOne, dialects: ["nats"]),
        Fixture(fault: .wrongLengthsDeafen, dialects: ["nats"], only: "pay.len:PUB"),
        Fixture(fault: .nulTruncates, dialects: ["livechat"]),
        Fixture(fault: .nulDeafens, dialects: ["livechat"]),
        Fixture(fault: .badUTF8Replaced, dialects: ["livechat"]),
        Fixture(fault: .controlsStripped, dialects: ["livechat"], only: "frame.ctrl"),
        Fixture(fault: .unknownEscapesClose, dialects: ["livechat"]),
        Fixture(fault: .forgedSource, dialects: ["irc"]),
        Fixture(fault: .crInjects, dialects: ["livechat"]),
        Fixture(
            fault: .fewArgumentsClose, dialects: ["irc"], only: "arity.few:JOIN", shrinks: true),
        Fixture(fault: .wedgeLongLine, dialects: ["irc"], only: "frame.max:over"),
        Fixture(fault: .tailRuns, dialects: ["irc"], only: "frame.max:tail"),
        Fixture(fault: .ghostAfterFinWithData, dialects: ["irc"]),
        Fixture(fault: .floodLoses, dialects: ["livechat"]),
        Fixture(fault: .fewArgumentsLeave, dialects: ["irc"], only: "arity.few:state"),
        Fixture(fault: .emptyArgumentsClose, dialects: ["irc"], only: "arity.empty:AWAY"),
        Fixture(fault: .blankLinesDeafen, dialects: ["irc"], only: "frame.ws:line"),
        Fixture(fault: .leaversHear, dialects: ["irc"], only: "msg.history:stays", shrinks: true),
        Fixture(fault: .answersUnescaped, dialects: ["livechat"], only: "esc.roundtrip:probe"),
    ]

    @Test(arguments: fixtures)
    func aWrittenScenarioFailsWhereTheFaultIsAndPassesElsewhere(fixture: Fixture) async throws {
        for dialect in fixture.dialects {
            let results = try await check(
                dialect, fault: fixture.fault, only: [fixture.only ?? fixture.fault.row],
                shrinks: fixture.shrinks)
            let written = results.compactMap { result in
                result.scenario.map { (result.id, $0) }
            }
            #expect(!written.isEmpty, "\(dialect): nothing is written down")
            for (id, text) in written {
                let faulty = try await replayed(text, dialect, fault: fixture.fault)
                let sound = try await replayed(text, dialect, fault: nil)
                #expect(faulty.outcome == .failed, "\(dialect) \(id):\n\(text)")
                #expect(
                    sound.outcome == .passed,
                    "\(dialect) \(id): \(sound.diagnostic?.message ?? "")\n\(text)")
            }
        }
    }
}
