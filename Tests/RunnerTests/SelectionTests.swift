import Diagnostics
import Results
import Testing

@testable import Runner

struct SelectionTests {
    static let scenarios = [
        loaded("irc/nick.chat", title: "A nickname is unique", tags: ["irc", "names"]),
        loaded("irc/join.chat", title: "Joining a room", tags: ["irc", "slow"]),
        loaded("chat/talk.chat", title: "Talking", tags: ["fast"]),
    ]

    static func loaded(_ path: String, title: String, tags: [String]) -> LoadedScenario {
        var scenario = ScenarioLoader().load(.init(path: path, text: "dialect plain\na -> x\n"))
        scenario.title = title
        scenario.tags = tags
        return scenario
    }

    @Test(
        arguments: [
            (["nick"], [], ["irc/nick.chat"]), (["JOINING"], [], ["irc/join.chat"]),
            (["irc/*"], [], ["irc/nick.chat", "irc/join.chat"]),
            (["Talk*"], [], ["chat/talk.chat"]),
            (["nick", "Talk"], [], ["irc/nick.chat", "chat/talk.chat"]),
            ([], ["irc"], ["irc/nick.chat", "irc/join.chat"]),
            ([], ["irc,fast"], ["irc/nick.chat", "irc/join.chat", "chat/talk.chat"]),
            ([], ["irc", "!slow"], ["irc/nick.chat"]), ([], ["irc, !slow"], ["irc/nick.chat"]),
            ([], ["!irc"], ["chat/talk.chat"]), (["irc"], ["slow"], ["irc/join.chat"]),
        ] as [([String], [String], [String])])
    func filtersAndTagsSelect(filters: [String], tags: [String], expected: [String]) throws {
        var selection = ScenarioSelection()
        selection.filters = filters
        selection.tags = tags
        #expect(try selection.apply(to: Self.scenarios).map(\.path) == expected)
    }

    @Test func emptySelectionIsExplained() throws {
        var selection = ScenarioSelection()
        selection.tags = ["nmaes"]
        let error = #expect(throws: NothingFound.self) {
            try selection.apply(to: Self.scenarios)
        }
        let diagnostic = try #require(error?.diagnostic)
        #expect(diagnostic.message == "none of the 3 scenarios matches")
        #expect(
            diagnostic.notes.map(\.text) == [
                "selected by --tag nmaes", "did you mean --tag names?",
            ])
    }

    @Test func tagsDoNotHideFilesWithErrors() throws {
        let broken = ScenarioLoader().load(.init(path: "x.chat", text: "nonsense\n"))
        var selection = ScenarioSelection()
        selection.tags = ["irc"]
        #expect(try selection.apply(to: [broken]).map(\.path) == ["x.chat"])
    }

    @Test func lastFailedSelectsScenariosUntilTheyPass() async throws {
        try await withFolder { folder in
            func run(_ verdicts: [String: Verdict]) throws {
                var results = RunResults(
                    toolVersion: "1", seed: 1, server: .init(endpoint: ""), startedAt: 0)
                results.scenarios = verdicts.map {
                    ScenarioResult(path: $0.key, title: "", verdict: $0.value)
                }
                var state = LastFailed(folder: folder("cache"))
                state.update(with: results)
                try state.write(folder: folder("cache"))
            }
            func selected() throws -> [String] {
                var selection = ScenarioSelection()
                selection.lastFailed = LastFailed(folder: folder("cache"))
                return try selection.apply(to: Self.scenarios).map(\.path)
            }
            #expect(throws: NothingFound.self) { try selected() }
            try run(["./irc/nick.chat": .failed, "irc/join.chat": .error, "-": .failed])
            #expect(try selected() == ["irc/nick.chat", "irc/join.chat"])
            try run(["irc/../irc/nick.chat": .passed, "chat/talk.chat": .inconclusive])
            #expect(try selected() == ["irc/join.chat", "chat/talk.chat"])
        }
    }
}
