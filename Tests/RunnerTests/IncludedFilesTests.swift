import Diagnostics
import Scenario
import Session
import Testing

@testable import Runner

/// Fragments of other files.
struct IncludedFilesTests {
    private static let main = """
        dialect plain
        include "steps.chat"
        operators a, b

        use greet as a, b (word: "x")

        """
    private static let steps = "fragment greet(word) {\n    -> HELLO {{word}}\n    <- HI\n}\n"

    private func load(_ files: [String: String], _ name: String = "main.chat") async throws
        -> LoadedScenario
    {
        try await withFolder(files) { folder in
            ScenarioLoader().load(FoundScenario(path: folder(name)))
        }
    }

    /// Returns the position and the message of the first error, without the folder.
    private func error(_ files: [String: String]) async throws -> String? {
        let loaded = try await load(files)
        #expect(loaded.program == nil)
        guard let first = loaded.diagnostics.first(where: { $0.severity == .error }),
            let location = first.location
        else { return nil }
        let file = location.source.path.split(separator: "/").last ?? ""
        let position = location.position
        return "\(file):\(position.line):\(position.column) \(first.message)"
    }

    @Test func fragmentsOfOtherFilesCanBeUsed() async throws {
        let loaded = try await load(["main.chat": Self.main, "steps.chat": Self.steps])
        #expect(loaded.diagnostics == [])
        #expect(loaded.program?.operators == ["a", "b"])
    }

    @Test func pathsAreRelativeToTheIncludingFile() async throws {
        let loaded = try await load([
            "main.chat": "dialect plain\ninclude \"x/one.chat\"\n\nuse both as a\n",
            "x/one.chat":
                "include \"y/two.chat\"\n\nfragment both {\n    use greet (word: \"x\")\n}\n",
            "x/y/two.chat": "# Only this.\ntitle Steps\ndialect plain\n\(Self.steps)",
        ])
        #expect(loaded.diagnostics == [])
        #expect(loaded.program != nil)
    }

    @Test func fileIsIncludedOnce() async throws {
        let loaded = try await load([
            "main.chat": Self.main.replacing(
                "include", with: "include \"one.chat\"\ninclude \"./x/../steps.chat\"\ninclude"),
            "one.chat": "include \"steps.chat\"\n", "steps.chat": Self.steps, "x/y.chat": "",
        ])
        #expect(loaded.diagnostics == [])
    }

    static let mistakes: [([String: String], String)] = [
        ([:], "main.chat:2:9 cannot read"),
        (["steps.chat": "fragment greet(word) {\n    -> {{\n}\n"], "steps.chat:2:8 "),
        (["steps.chat": steps + "a -> x\n"], "steps.chat:5:1 only fragments can be included"),
        (["steps.chat": "set x = 1\n" + steps], "steps.chat:1:5 only fragments can be included"),
        (["steps.chat": "tags x\nwait 1s\n"], "steps.chat:1:6 only fragments can be included"),
        (["steps.chat": "include \"main.chat\"\n" + steps], "steps.chat:1:9 `"),
        (["steps.chat": "include \"steps.chat\"\n" + steps], "steps.chat:1:9 `"),
        (
            ["steps.chat": "include \"t.chat\"\n" + steps, "t.chat": steps],
            "t.chat:1:10 fragment `greet` is defined twice"
        ),
        (
            ["steps.chat": "fragment greet(word) {\n    c -> x\n}\n"],
            "steps.chat:2:5 `c` is not one of the operators of"
        ),
        (
            ["steps.chat": "fragment greet(wort) {\n    -> x\n}\n"],
            "main.chat:5:20 `greet` has no parameter"
        ),
        (["steps.chat": "fragment other {\n    -> x\n}\n"], "main.chat:5:5 there is no fragment"),
        (
            ["steps.chat": "fragment greet(word) {\n    use greet (word: \"x\")\n}\n"],
            "steps.chat:2:9 fragment `greet` uses itself"
        ),
    ]

    @Test(arguments: mistakes)
    func mistakeIsLocatedInItsFile(_ files: [String: String], _ expected: String) async throws {
        let found = try await error(files.merging(["main.chat": Self.main]) { $1 })
        #expect(found?.hasPrefix(expected) == true, "\(found ?? "no error")")
    }

    @Test func cycleNamesTheFile() async throws {
        let found = try await error([
            "main.chat": Self.main, "steps.chat": "include \"main.chat\"\n" + Self.steps,
        ])
        #expect(found?.hasSuffix("main.chat` includes itself") == true)
    }

    @Test(arguments: [(8, true), (9, false)])
    func depthIsLimited(_ depth: Int, _ isValid: Bool) async throws {
        var files = ["main.chat": "dialect plain\ninclude \"1.chat\"\n\nuse last as a\n"]
        for number in 1..<depth { files["\(number).chat"] = "include \"\(number + 1).chat\"\n" }
        files["\(depth).chat"] = "fragment last {\n    -> x\n    <- y\n}\n"
        let loaded = try await load(files)
        #expect((loaded.program != nil) == isValid, "\(loaded.diagnostics)")
    }

    @Test func otherFilesAreRefused() async throws {
        let main = Self.main.replacing("steps.chat", with: "steps.txt")
        let found = try await error(["main.chat": main, "steps.txt": Self.steps])
        #expect(found?.contains("is not a scenario file") == true)
    }

    // MARK: Linter

    @Test func fileOfFragmentsIsLintedByItself() async throws {
        let steps = "dialect plain\n\nfragment greet {\n    -> HELLO {{word}}\n    <- HI\n}\n"
        try await withFolder(["steps.chat": steps]) { folder in
            let found = try ScenarioLint.findings(in: folder("steps.chat"), dialect: nil)
            #expect(found == [])
        }
    }

    @Test func linterFollowsIncludes() async throws {
        let main =
            "dialect plain\ninclude \"steps.chat\"\noperators a, b\n\n"
            + "a <- {{word}}\nuse greet as a\n"
        let steps = "fragment greet {\n    -> HELLO {{word}}\n    b <- {{word}}\n}\n"
        try await withFolder(["main.chat": main, "steps.chat": steps]) { folder in
            #expect(try ScenarioLint.findings(in: folder("main.chat"), dialect: nil) == [])
            try folder.write("steps.chat", "fragment greet {\n    ->\n}\n")
            let found = try ScenarioLint.findings(in: folder("main.chat"), dialect: nil)
            #expect(found.map(\.code) == ["scenario.missing-text"])
            #expect(found.first?.location?.source.path == folder("steps.chat"))
        }
    }
}
