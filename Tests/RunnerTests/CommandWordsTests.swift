import Diagnostics
import Testing

@testable import Runner

struct CommandWordsTests {
    private func split(_ text: String) throws -> CommandWords {
        try CommandWords(text, source: SourceText(path: "--exec", text: text))
    }

    @Test(arguments: [
        ("a b  c", ["a", "b", "c"]), ("'a b' c", ["a b", "c"]),
        (#""a \"b\" \n" c"#, [#"a "b" \n"#, "c"]),
        (#"a\ b c"#, ["a b", "c"]), ("a''b ''", ["ab", ""]),
        ("sh -c 'exec x $Y | z'", ["sh", "-c", "exec x $Y | z"]),
        (#"x "'" '"'"#, ["x", "'", "\""]), ("  x\t--y=z ", ["x", "--y=z"]),
    ])
    func wordsAreSplitLikeInAShell(text: String, words: [String]) throws {
        #expect(try split(text).words == words)
    }

    @Test func leadingAssignmentsSetTheEnvironment() throws {
        let words = try split("PORT=70 A_1='x y' run B=2")
        #expect(words.environment.map(\.name) == ["PORT", "A_1"])
        #expect(words.environment.map(\.value) == ["70", "x y"])
        #expect(words.words == ["run", "B=2"])
    }

    @Test(arguments: [
        "", "  ", "A=1", "'a", "\"a", "a\\", "a | b", "a > f", "run $HOME", "run \"$HOME\"", "a; b",
        "a & b", "run *.cfg", "run `x`", "~/x",
    ])
    func shellFeaturesAreRejected(text: String) {
        #expect(throws: Diagnosed.self) { try split(text) }
    }
}
