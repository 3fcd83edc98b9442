import Diagnostics
import Testing

@testable import Runner

/// Scenarios of several dialects for one server.
struct ServerDialectTests {
    private func loaded(_ names: [String]) -> [LoadedScenario] {
        names.map { name in
            var scenario = ScenarioLoader().load(
                .init(path: "\(name).chat", text: "dialect plain\na -> x\n"))
            scenario.dialect = name
            return scenario
        }
    }

    static let mixes: [([String], String?, [String], Bool)] = [
        (["irc", "nats", "irc"], "irc", ["irc", "irc"], true), (["irc"], "irc", ["irc"], false),
        (["irc", "mine"], "irc", ["irc", "mine"], false),
        // A file with errors has no dialect, and is reported.
        (["irc", ""], "irc", ["irc", ""], false), (["irc", "mine"], nil, ["irc", "mine"], false),
        (["mine", "yours"], nil, ["mine", "yours"], false),
    ]

    @Test(arguments: mixes)
    func scenariosOfOtherDialectsAreLeftOut(
        _ names: [String], _ server: String?, _ expected: [String], _ isNoted: Bool
    ) throws {
        let fitting = try ServerDialect(loaded(names), speaking: server)
        #expect(fitting.scenarios.map(\.dialect) == expected)
        #expect((fitting.note != nil) == isNoted)
    }

    @Test func severalDialectsNeedAnAddressThatNamesOne() {
        let error = #expect(throws: ServerDialectError.self) {
            try ServerDialect(loaded(["irc", "nats"]), speaking: nil)
        }
        #expect(error?.message.contains("irc (irc.chat) and nats (nats.chat)") == true)
    }

    @Test func nothingForTheServerIsAnError() {
        let error = #expect(throws: ServerDialectError.self) {
            try ServerDialect(loaded(["nats", "msnp"]), speaking: "irc")
        }
        #expect(
            error?.message
                == "the server speaks irc, but the scenarios are written for msnp, nats")
    }
}
