import DialectFiles
import DialectModel
import Diagnostics
import LineProtocol
import Scenario
import Testing

@testable import Load

/// The matcher that explains mismatches and the flat rules of load tests agree on which lines match
/// a pattern, and on the values that it captures.
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

    /// Typed messages of one dialect, and lines that may match them.
    struct TypedSample: Sendable, CustomTestStringConvertible {
        var dialect: String
        var command: String
        var arguments: [String]
        /// Wire text in which `$` stands for a value.
        var lines: [String]

        var testDescription: String { dialect }
    }

    private static let samples = [
        TypedSample(
            dialect: "irc", command: "privmsg", arguments: ["target", "text"],
            lines: ["PRIVMSG $ :$", ":$ PRIVMSG $ $", "PRIVMSG $", "NOTICE $ :$"]),
        TypedSample(
            dialect: "teamspeak", command: "textMessage", arguments: ["msg", "invokername"],
            lines: [
                "notifytextmessage targetmode=1 msg=$ invokerid=1 invokername=$",
                "notifytextmessage invokername=$ invokerid=1 msg=$ targetmode=1",
                "notifytextmessage targetmode=1 msg=$", "error id=0 msg=$",
            ]),
        TypedSample(
            dialect: "jsonl", command: "message", arguments: ["from", "text", "room"],
            lines: [
                #"{"type":"message","from":"$","text":"$"}"#,
                #"{"room":"$","text":"$","type":"message","from":"$"}"#,
                #"{"type":"message","text":"$"}"#, #"{"type":"left","room":"$"}"#,
            ]),
    ]

    /// Each argument is compared with a text, part of it is captured, or both.
    @Test(arguments: samples)
    func theyAgreeOnTypedMessagesAndCaptures(_ sample: TypedSample) throws {
        let bound = try BoundDialect.find(sample.dialect)
        var generator = Generator(random: SeededRandom(seed: 11))
        var (matches, captures) = (0, 0)
        for _ in 0..<300 {
            let text = typedPattern(sample, &generator)
            let pair = try #require(try Matchers(text, bound), "\(text)")
            for _ in 0..<20 {
                var line: [UInt8] = []
                for byte in generator.pick(sample.lines).utf8 {
                    line +=
                        byte == UInt8(ascii: "$") ? Array(generator.pick(Self.words).utf8) : [byte]
                }
                let (explained, flat) = pair.captures(of: line)
                #expect(explained == flat, "\(text) on \(String(decoding: line, as: UTF8.self))")
                if let explained {
                    matches += 1
                    captures += explained.count
                }
            }
        }
        #expect(matches > 100)
        #expect(captures > 100)
    }

    private func typedPattern(_ sample: TypedSample, _ generator: inout Generator) -> String {
        var given: [String] = []
        for (index, name) in sample.arguments.enumerated() {
            let variable = "{{v\(index)}}"
            switch generator.random.next(below: 6) {
            case 0: given.append("\(name): \(variable)")
            case 1: given.append("\(name): \"\(generator.pick(Self.words))\(variable)\"")
            case 2: given.append("\(name): \"\(variable)\(generator.pick(Self.words))\"")
            case 3: given.append("\(name): \"\(generator.pick(Self.words)){{_}}\"")
            case 4: given.append("\(name): \"\(generator.pick(Self.words))\"")
            default: break
            }
        }
        return "\(sample.command)(\(given.joined(separator: ", ")))"
    }

    /// Both matchers of one pattern.
    private final class Matchers {
        private let pattern: LinePattern
        private let variables: [String]
        private let names: CaptureNames
        private let bools: [BoolSpelling]
        private var matcher: LineMatcher
        private var reader: RuleMatcher

        init?(_ text: String, _ bound: BoundDialect) throws {
            let source = SourceText(path: "pattern", text: "<- \(text)")
            let steps = ScenarioParser.parseFragment(
                source.bytes, in: source, line: 1, column: 1
            ).steps
            var compiler = PatternCompiler(bound.dialect)
            let context = CompileContext(source: source, scope: compiler.root.child())
            guard let awaited = steps.first?.awaited,
                let compiled = compiler.pattern(awaited, nil, context)
            else { return nil }
            pattern = compiled
            variables = compiler.table.names
            bools = bound.dialect.boolSpellings
            let lines = LineCompiler(dialect: bound.dialect, widths: SlotWidths(text: 40))
            var names = CaptureNames(capturesAll: true)
            var book = MatchRules()
            book.add(try lines.rule(awaited, &names), for: .reject)
            book.seal(bound.dialect)
            self.names = names
            reader = RuleMatcher(book, bound.dialect)
            matcher = LineMatcher(bound.dialect)
        }

        /// Returns the values that each matcher captures, by name; nil if the line does not match.
        func captures(
            of line: [UInt8]
        ) -> (explained: [String: [UInt8]]?, flat: [String: [UInt8]]?) {
            var state = MatchContext(
                variables: Variables(count: variables.count), bools: bools)
            var explained: [String: [UInt8]]?
            if matcher.mismatch(pattern, ReceivedLine(line), &state) == nil {
                explained = [:]
                for capture in state.captures {
                    explained?[variables[capture.variable]] = capture.bytes
                }
            }
            let frame = Frame(line: 0..<line.count, whole: 0..<line.count)
            guard reader.firstRule(of: line.span, frame) != nil else { return (explained, nil) }
            var flat: [String: [UInt8]] = [:]
            for (index, name) in names.names.enumerated() {
                guard let slot = Slot.capture(index) else { continue }
                flat[name] = reader.withSlot(slot, line.span) { $0.array(0..<$0.count) }
            }
            return (explained, flat)
        }
    }
}
