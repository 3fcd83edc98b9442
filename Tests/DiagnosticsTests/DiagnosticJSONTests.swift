import Diagnostics
import Foundation
import Testing

struct DiagnosticJSONTests {
    private struct Location: Decodable, Equatable {
        var file: String
        var line: Int
        var column: Int
        var endLine: Int
        var endColumn: Int
        var offset: Int
        var length: Int
        var label: String?
    }

    private struct Note: Decodable, Equatable {
        var kind: String
        var text: String
    }

    private struct Object: Decodable, Equatable {
        var severity: String
        var code: String
        var message: String
        var notes: [Note]?
        var related: [Location]?
    }

    @Test func aDiagnosticIsOneObjectInOneLine() throws {
        let source = SourceText(path: "a.chat", text: "é\nalcie -> x\n")
        let location = DiagnosticLocation(
            source: source, range: SourceRange(start: 3, end: 8), label: "here")
        let found = Diagnostic(.warning, "scenario.x", "what \"now\"?", at: location)
            .help("line\none").related(location)
        #expect(!found.json.contains("\n"))
        let data = Data(found.json.utf8)
        let expected = Location(
            file: "a.chat", line: 2, column: 1, endLine: 2, endColumn: 6, offset: 3, length: 5,
            label: "here")
        #expect(try JSONDecoder().decode(Location.self, from: data) == expected)
        let object = try JSONDecoder().decode(Object.self, from: data)
        #expect(
            object
                == Object(
                    severity: "warning", code: "scenario.x", message: "what \"now\"?",
                    notes: [Note(kind: "help", text: "line\none")], related: [expected]))
    }

    @Test func everyCharacterIsReadBackAsItWas() throws {
        let text = String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init)))
        let all = text + "\u{2028}\u{2029}日本👍🏽"
        let found = Diagnostic(.error, "c", all)
        let object = try JSONDecoder().decode(Object.self, from: Data(found.json.utf8))
        #expect(object.message == all)
        for scalar in found.json.unicodeScalars {
            #expect(scalar.properties.generalCategory != .control)
        }
    }
}
