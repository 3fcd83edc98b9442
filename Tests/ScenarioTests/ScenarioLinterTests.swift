import Diagnostics
import Scenario
import Testing

struct ScenarioLinterTests {
    @Test(arguments: Files.names(in: "lint", ending: ".chat"))
    func lintFindsLikelyMistakes(_ name: String) throws {
        let bytes = try Files.bytes("lint/\(name)")
        let file = try ScenarioParser.file(from: SourceText(path: name, bytes: bytes))
        let text = rendered(ScenarioLinter.lint(file))
        #expect(text == (try Files.golden("lint/\(name.dropLast(5)).lint", now: text)))
    }

    @Test func cleanScenarioHasNoFindings() throws {
        #expect(try Files.golden("lint/clean.lint", now: "") == "")
        for example in try LanguageDocumentTests.examples() {
            let file = try ScenarioParser.file(from: source(example))
            #expect(rendered(ScenarioLinter.lint(file)) == "", "\(example)")
        }
    }

    @Test func variableFromOutsideNeedsNoCapture() throws {
        let file = try ScenarioParser.file(from: source("alice -> JOIN {{room}}\n"))
        #expect(ScenarioLinter.lint(file).map(\.code) == ["scenario.unbound-variable"])
        let context = ScenarioLinter.Context(variables: ["room"])
        #expect(ScenarioLinter.lint(file, context: context) == [])
    }

    @Test func unknownFragmentIsAnErrorIfTheDialectIsKnown() throws {
        let file = try ScenarioParser.file(from: source("use logn as alice\n"))
        #expect(ScenarioLinter.lint(file) == [])
        let context = ScenarioLinter.Context(behaviours: ["login", "relay"])
        let found = ScenarioLinter.lint(file, context: context)
        #expect(found.map(\.code) == ["scenario.unknown-fragment"])
        #expect(found.hasErrors)
        #expect(found.first?.notes.map(\.text) == ["did you mean `login`?"])
    }
}
