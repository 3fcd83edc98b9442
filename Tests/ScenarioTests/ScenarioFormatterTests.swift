import Diagnostics
import Scenario
import Testing

struct ScenarioFormatterTests {
    @Test(arguments: Files.names(in: "format", ending: ".chat"))
    func scenarioIsFormatted(_ name: String) throws {
        let before = SourceText(path: name, bytes: try Files.bytes("format/\(name)"))
        let text = try ScenarioFormatter.format(before)
        #expect(text == (try Files.golden("format/\(name.dropLast(5)).formatted", now: text)))
    }

    @Test(arguments: Files.names(in: "format", ending: ".chat"))
    func formattingIsIdempotent(_ name: String) throws {
        let before = SourceText(path: name, bytes: try Files.bytes("format/\(name)"))
        let once = try ScenarioFormatter.format(before)
        #expect(try ScenarioFormatter.format(source(once)) == once)
    }

    @Test(arguments: Files.names(in: "format", ending: ".chat"))
    func formattingKeepsTheMeaning(_ name: String) throws {
        let before = SourceText(path: name, bytes: try Files.bytes("format/\(name)"))
        let after = SourceText(path: name, text: try ScenarioFormatter.format(before))
        #expect(try ScenarioParser.file(from: before) == ScenarioParser.file(from: after))
    }

    @Test func examplesOfTheReferenceAreFormatted() throws {
        for example in try LanguageDocumentTests.examples() {
            let formatted = try ScenarioFormatter.format(source(example))
            #expect(formatted == example, "\(formatted)")
        }
    }

    @Test func invalidScenarioIsNotFormatted() {
        #expect(throws: Diagnosed.self) { try ScenarioFormatter.format(source("alice ->\n")) }
    }
}
