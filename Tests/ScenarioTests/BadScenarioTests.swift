import Diagnostics
import Scenario
import Testing

/// Error messages for invalid scenarios.
struct BadScenarioTests {
    @Test(arguments: Files.names(in: "bad", ending: ".chat"))
    func errorsAreExplainedAtTheirPosition(_ name: String) throws {
        let bytes = try Files.bytes("bad/\(name)")
        let outcome = ScenarioParser.parse(SourceText(path: name, bytes: bytes))
        #expect(outcome.diagnostics.hasErrors)
        let text = rendered(outcome.diagnostics)
        #expect(text == (try Files.golden("bad/\(name.dropLast(5)).err", now: text)))
    }

    @Test func noMoreThanTwentyErrorsAreReported() throws {
        let bytes = try Files.bytes("bad/too-many-errors.chat")
        let outcome = ScenarioParser.parse(SourceText(path: "x.chat", bytes: bytes))
        #expect(outcome.diagnostics.count == ScenarioLimits.errorsMax)
    }

    @Test func fileSizeIsLimitedToOneMebibyte() {
        let line = Array("# 3456789012345\n".utf8)
        var bytes = Array(repeatElement(line, count: (1 << 20) / 16).joined())
        #expect(ScenarioParser.parse(SourceText(path: "x", bytes: bytes)).diagnostics == [])
        bytes.append(UInt8(ascii: "\n"))
        let found = ScenarioParser.parse(SourceText(path: "x", bytes: bytes)).diagnostics
        #expect(found.map(\.code) == ["scenario.too-large"])
    }

    @Test func lineLengthIsLimitedToSixteenKibibytes() {
        let most = "alice -> " + String(repeating: "x", count: (16 << 10) - 9)
        #expect(ScenarioParser.parse(source(most)).diagnostics == [])
        let found = ScenarioParser.parse(source(most + "x")).diagnostics
        #expect(found.map(\.code) == ["scenario.line-too-long"])
    }

    @Test func allErrorsAreThrown() {
        #expect(throws: Diagnosed.self) {
            _ = try ScenarioParser.file(from: source("alice ->\nbob ->\n"))
        }
    }
}
