import Diagnostics
import LineProtocol
import Scenario
import Testing

/// Parsing any input terminates, and diagnostics point into the text. Whatever parses can be
/// formatted and linted.
struct RobustnessTests {
    /// Returns the texts of all fixtures except those that are merely long.
    private static func texts() throws -> [(name: String, bytes: [UInt8])] {
        let folders = ["bad", "format", "lint"]
        return try folders.flatMap { folder in
            try Files.names(in: folder, ending: ".chat").map {
                ($0, try Files.bytes("\(folder)/\($0)"))
            }
        }.filter { $0.1.count < 4096 }
    }

    private func judge(_ bytes: [UInt8]) {
        let text = SourceText(path: "x.chat", bytes: bytes)
        let outcome = ScenarioParser.parse(text)
        for diagnostic in outcome.diagnostics {
            let range = diagnostic.location?.range ?? anywhere
            #expect(range.start >= 0 && range.end <= bytes.count)
        }
        if outcome.diagnostics.isEmpty {
            _ = ScenarioLinter.lint(outcome.file)
            checkFormatting(outcome.file)
        } else {
            _ = rendered(outcome.diagnostics)
        }
    }

    private func checkFormatting(_ file: ScenarioFile) {
        do {
            let once = SourceText(path: "x.chat", text: try ScenarioFormatter.format(file.source))
            #expect(try ScenarioParser.file(from: once) == file, "\(once.bytes)")
            let twice = try ScenarioFormatter.format(once)
            #expect(Array(twice.utf8) == once.bytes, "\(twice)")
        } catch {
            Issue.record("formatting broke a scenario: \(error)")
        }
    }

    @Test func parsingAnyPrefixOfAFixtureTerminates() throws {
        for (_, bytes) in try Self.texts() {
            let step = max(1, bytes.count / 80)
            for count in stride(from: 0, through: bytes.count, by: step) {
                judge(Array(bytes.prefix(count)))
            }
        }
    }

    @Test func parsingDamagedFixturesTerminates() throws {
        var random = SeededRandom(seed: 42)
        let likely = Array("{}\"\\/#()[]<>-~?!:|,.* \t\n\r0s".utf8)
        for (_, original) in try Self.texts() where !original.isEmpty {
            for _ in 0..<30 {
                var bytes = original
                for _ in 0...random.next(below: 4) where !bytes.isEmpty {
                    let index = random.next(below: bytes.count)
                    switch random.next(below: 4) {
                    case 0: bytes.remove(at: index)
                    case 1: bytes[index] = UInt8(random.next(below: 256))
                    case 2: bytes.insert(likely[random.next(below: likely.count)], at: index)
                    default: bytes[index] = likely[random.next(below: likely.count)]
                    }
                }
                judge(bytes)
            }
        }
    }

    @Test func parsingDamagedScenariosTerminates() throws {
        var random = SeededRandom(seed: 16)
        let likely = Array("{}\"\\/#()[]<>-~?!:|,.* \t\n\r0s".utf8)
        let texts = try Files.shipped()
        #expect(texts.count > 40)
        for original in texts {
            judge(original)
            for _ in 0..<4 {
                var bytes = original
                for _ in 0...random.next(below: 3) {
                    let index = random.next(below: bytes.count)
                    switch random.next(below: 4) {
                    case 0: bytes.remove(at: index)
                    case 1: bytes[index] = UInt8(random.next(below: 256))
                    case 2: bytes.insert(contentsOf: bytes[index...].prefix(30), at: index)
                    default: bytes[index] = likely[random.next(below: likely.count)]
                    }
                }
                judge(bytes)
            }
        }
    }

    @Test func parsingMixedFixturesTerminates() throws {
        var random = SeededRandom(seed: 3)
        let lines = try Self.texts().flatMap { $0.bytes.split(separator: UInt8(ascii: "\n")) }
        for _ in 0..<250 {
            let chosen = (0..<random.next(below: 12)).map { _ in
                lines[random.next(below: lines.count)]
            }
            judge(Array(chosen.joined(separator: [UInt8(ascii: "\n")])))
        }
    }

    @Test(arguments: [
        "(", "[", "{", "{{", "\"", "a(b: [", "{{/(", "repeat 2 {\n", "x -> {{\"a\"}}",
    ])
    func parsingLongRunsOfOpenersTerminates(_ opener: String) {
        for prefix in ["", "alice -> ", "alice <- f(a: ", "alice <- {{/"] {
            let line = Array((prefix + String(repeating: opener, count: 2000)).utf8.prefix(12_000))
            judge(line)
            let outcome = ScenarioParser.parse(SourceText(path: "x.chat", bytes: line))
            #expect(outcome.diagnostics.count <= ScenarioLimits.errorsMax)
        }
    }

    /// As many different names as a file can contain, of every kind.
    @Test(arguments: [
        "o# -> x", "set v# = 1", "a <- x {{c#}}", "a -> {{v#}}", "use f#", "sync o#, p#",
        "fragment f# {\n-> x\n}", "a closed", "repeat 2 {\nb# close\n}", "use f as b#",
        "on <- {{x#}}  reply -> {{x#}}",
    ])
    func parsingAFileFullOfNamesTerminates(_ line: String) {
        var text = ""
        var number = 0
        while text.utf8.count < 60_000 {
            text += line.replacing("#", with: String(number)) + "\n"
            number += 1
        }
        let outcome = ScenarioParser.parse(source(text))
        _ = ScenarioLinter.lint(outcome.file)
        #expect(outcome.diagnostics.count <= ScenarioLimits.errorsMax)
    }
}
