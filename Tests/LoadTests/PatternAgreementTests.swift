import DialectFiles
import DialectModel
import Diagnostics
import LineProtocol
import Scenario
import Testing

@testable import Load

/// The matcher that explains mismatches and the flat rules of load tests agree on every pattern
/// without variables.
struct PatternAgreementTests {
    /// Pieces of patterns and lines. With few pieces, near matches are frequent.
    private static let words = ["a", "b", "ab", "aba", "#a", "1"]

    private struct Generator {
        var random: SeededRandom

        mutating func pick<Element>(_ list: [Element]) -> Element {
            list[random.next(below: list.count)]
        }

        mutating func argument() -> String {
            switch random.next(below: 7) {
            case 0: "{{_}}"
            case 1: pick(words) + "{{_}}"
            case 2: "{{_}}" + pick(words)
            case 3: pick(words) + "{{_}}" + pick(words)
            case 4: "{{/[ab]+/}}"
            default: pick(words)
            }
        }

        mutating func pattern(_ separator: String) -> String {
            let count = random.next(below: 4)
            var parts = [pick(["PRIVMSG", "NOTICE", "372", "{{_}}"])]
            for _ in 0..<count { parts.append(argument()) }
            switch random.next(below: 4) {
            case 0: parts.append("{{...}}")
            case 1: parts.append("{{end}}")
            default: break
            }
            return parts.joined(separator: separator)
        }

        mutating func line(_ separator: String) -> String {
            var parts = [pick(["PRIVMSG", "privmsg", "NOTICE", "372", "ZZZ"])]
            for _ in 0..<random.next(below: 5) { parts.append(pick(words)) }
            return parts.joined(separator: separator)
        }
    }

    @Test(arguments: [("irc", " "), ("livechat", "|")])
    func theExplainingMatcherAndFlatRulesAgree(_ name: String, _ separator: String) throws {
        let bound = try BoundDialect.find(name)
        var generator = Generator(random: SeededRandom(seed: 7))
        var matches = 0
        for _ in 0..<600 {
            let text = generator.pattern(separator)
            let source = SourceText(path: "pattern", text: "<- \(text)")
            let steps = ScenarioParser.parseFragment(
                source.bytes, in: source, line: 1, column: 1
            ).steps
            guard let pattern = steps.first?.awaited else { continue }
            var compiler = PatternCompiler(bound.dialect)
            let context = CompileContext(source: source, scope: compiler.root.child())
            let made = compiler.pattern(pattern, nil, context)
            let compiled = try #require(made, "\(text)")
            let lines = LineCompiler(dialect: bound.dialect, widths: SlotWidths(text: 40))
            var names = CaptureNames()
            var book = MatchRules()
            book.add(try lines.rule(pattern, &names), for: .reject)
            book.seal(bound.dialect)
            var reader = RuleMatcher(book, bound.dialect)
            var matcher = LineMatcher(bound.dialect)
            var state = MatchContext(
                variables: Variables(count: compiler.table.names.count),
                bools: bound.dialect.boolSpellings)
            for _ in 0..<20 {
                let line = Array(generator.line(separator).utf8)
                let explained = matcher.mismatch(compiled, ReceivedLine(line), &state) == nil
                let frame = Frame(line: 0..<line.count, whole: 0..<line.count)
                let flat = reader.firstRule(of: line.span, frame) != nil
                if explained { matches += 1 }
                #expect(
                    explained == flat,
                    "\(text) on \(String(decoding: line, as: UTF8.self)): \(explained), flat \(flat)"
                )
            }
        }
        #expect(matches > 100)
    }
}
