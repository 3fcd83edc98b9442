import Diagnostics
import Scenario
import Testing

struct ScenarioOutlineTests {
    private let text = """
        title  Names
        dialect irc
        tags a, b

        alice -> x
        repeat 2 {
            alice -> y
        }
        # end
        bob <- z

        """

    @Test func outlineHasTitleDialectAndTags() throws {
        let outline = ScenarioOutline(try ScenarioParser.file(from: source(text)))
        #expect(outline.title == "Names")
        #expect(outline.dialect == "irc")
        #expect(outline.tags == ["a", "b"])
        #expect(outline.operators == ["alice", "bob"])
        #expect(outline.stepLines == [5...5, 6...8, 10...10])
    }

    @Test(arguments: [(1, 0), (5, 0), (6, 1), (7, 1), (9, 2), (10, 2), (11, nil)])
    func lineSelectsItsStepOrTheNext(_ line: Int, _ step: Int?) throws {
        let outline = ScenarioOutline(try ScenarioParser.file(from: source(text)))
        #expect(outline.step(atLine: line) == step)
    }

    @Test(arguments: [("a/b/nick-case.chat", "nick-case"), ("-", "-"), ("x", "x")])
    func titleDefaultsToTheFileName(_ path: String, _ title: String) throws {
        let file = try ScenarioParser.file(from: SourceText(path: path, text: "a -> x\n"))
        #expect(ScenarioOutline(file).title == title)
    }
}
