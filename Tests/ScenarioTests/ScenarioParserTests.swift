import Diagnostics
import LineProtocol
import RegularExpressions
import Scenario
import Testing

/// Syntax trees of statements.
struct ScenarioParserTests {
    private func kind(_ line: String) throws -> Step.Kind {
        try #require(try steps(line).first).kind
    }

    private func literal(_ text: String) -> Template {
        Template([.literal(.init(Array(text.utf8), range: anywhere))], range: anywhere)
    }

    private func placeholder(_ kind: Placeholder.Kind) -> Template {
        Template([.placeholder(Placeholder(kind, range: anywhere))], range: anywhere)
    }

    private func time(_ nanoseconds: Int64) -> DurationLiteral {
        DurationLiteral(nanoseconds: nanoseconds, range: anywhere)
    }

    private func window(from earliest: Int64? = nil, to latest: Int64) -> Window {
        Window(earliest: earliest.map(time), latest: time(latest), range: anywhere)
    }

    @Test(arguments: [
        ("PING", "PING"), ("PING  ", "PING"), ("PING a  b", "PING a  b"),
        ("JOIN #room", "JOIN #room"), ("JOIN #room # the first", "JOIN #room"),
        ("JOIN #", "JOIN"), ("JOIN a#", "JOIN a#"), ("a #b# c", "a #b# c"),
        ("say \"hi\"", "say \"hi\""), ("{a}", "{a}"), ("a}}b", "a}}b"),
        (": smile :)", ": smile :)"),
        ("back within 2s", "back within 2s"), ("done.  for me", "done.  for me"),
        ("a  within reason", "a  within reason"), ("f (x)", "f (x)"), ("f(x) y", "f(x) y"),
        ("repeat 2 {", "repeat 2 {"), ("tab\there", "tab\there"),
    ])
    func wireTextIsSentUnchanged(_ text: String, _ sent: String) throws {
        #expect(try kind("alice -> \(text)\n") == .send(.wire(literal(sent), payload: nil)))
    }

    @Test(
        arguments: [
            ("{{name}}", .variable("name")), ("{{ name }}", .variable("name")),
            ("{{self}}", .variable("self")), ("{{server.host}}", .variable("server.host")),
            ("{{name:int}}", .typed(name: "name", type: .int)),
            ("{{_:word}}", .typed(name: nil, type: .word)), ("{{_}}", .anything),
            ("{{...}}", .rest(name: nil)),
            ("{{left...}}", .rest(name: "left")), ("{{end}}", .end), ("{{length}}", .length),
            ("{{env.HOME}}", .environment("HOME")),
            ("{{\"a\\r\\n\\x00\\u{e9}\\\"}}\"}}", .bytes(Array("a\r\n\0é\"}}".utf8), count: 1)),
            ("{{\"x\" * 600}}", .bytes([0x78], count: 600)),
        ] as [(String, Placeholder.Kind)])
    func everyKindOfPlaceholderIsParsed(_ text: String, _ expected: Placeholder.Kind) throws {
        let pattern = Pattern.wire(placeholder(expected), payload: nil)
        #expect(try kind("alice <- \(text)\n") == .expect(Expectation(.next, pattern)))
    }

    @Test(
        arguments: [
            ("{{n:/[a-z]+\\/\\d/}}", "n", "[a-z]+/\\d"), ("{{/a{2}}/}}", nil, "a{2}}"),
            ("{{_:/x/}}", nil, "x"),
        ] as [(String, String?, String)])
    func regularExpressionsAreParsed(_ text: String, _ name: String?, _ source: String) throws {
        let kind = Placeholder.Kind.regex(name: name, expression: try RegularExpression(source))
        try everyKindOfPlaceholderIsParsed(text, kind)
    }

    @Test(
        arguments: [
            ("2s", 2_000_000_000), ("1.5s", 1_500_000_000), ("250us", 250_000),
            ("500ms", 500_000_000),
            ("1m", 60_000_000_000), ("0.25m", 15_000_000_000), ("0s", 0),
            ("1440m", 86_400_000_000_000),
        ] as [(String, Int64)])
    func durationsAreNanoseconds(_ text: String, _ expected: Int64) throws {
        #expect(try kind("wait \(text)\n") == .wait(time(expected)))
    }

    @Test(arguments: zip(["<-", "<~", "<?", "<!"], Expectation.Mode.allCases))
    func everyArrowHasItsMode(_ arrow: String, _ mode: Expectation.Mode) throws {
        let expected = Expectation(mode, .wire(literal("PONG"), payload: nil))
        #expect(try kind("alice \(arrow) PONG\n") == .expect(expected))
    }

    @Test func modifiersFollowTwoSpaces() throws {
        let text = "alice <- A b  payload \"xyz\"   within 1s..2.5s\n"
        let pattern = Pattern.wire(literal("A b"), payload: literal("xyz"))
        let expected = Expectation(
            .next, pattern, window: window(from: 1_000_000_000, to: 2_500_000_000))
        #expect(try kind(text) == .expect(expected))
        let never = Expectation(
            .never, .wire(literal("A"), payload: nil), window: window(to: 500_000_000))
        #expect(try kind("alice <! A\t\tfor 500ms # why\n") == .expect(never))
    }

    @Test func typedCommandHasNamedValues() throws {
        let text = """
            maria -> say(from: 431, chat: {{chat:int}}, text: "a|b\\n{{x}}", d: -2.5, e: true, \
            f: private-chat, g: [1, "b", []])

            """
        func value(_ kind: Value.Kind) -> Value { Value(kind, range: anywhere) }
        func argument(_ name: String, _ kind: Value.Kind) -> Argument {
            Argument(name: Name(name, range: anywhere), value: value(kind))
        }
        let string = Template(
            literal("a|b\n").pieces + placeholder(.variable("x")).pieces, range: anywhere)
        let chat = Placeholder(.typed(name: "chat", type: .int), range: anywhere)
        let list: [Value] = [value(.int(1)), value(.string(literal("b"))), value(.list([]))]
        let arguments = [
            argument("from", .int(431)), argument("chat", .placeholder(chat)),
            argument("text", .string(string)), argument("d", .decimal("-2.5")),
            argument("e", .bool(true)), argument("f", .name("private-chat")),
            argument("g", .list(list)),
        ]
        let call = TypedCall(
            name: Name("say", range: anywhere), arguments: arguments, range: anywhere)
        #expect(try kind(text) == .send(.typed(call)))
    }

    @Test func textAfterAnEmptyPlaceholderIsNotACall() throws {
        let text = Template(
            placeholder(.bytes([], count: 1)).pieces + literal("hello(world)").pieces,
            range: anywhere)
        #expect(try kind("alice -> {{\"\"}}hello(world)\n") == .send(.wire(text, payload: nil)))
    }

    @Test func rawSendHasSegmentsAndWaits() throws {
        let expected: [RawSegment] = [
            .bytes(literal("NI")), .wait(time(20_000_000)), .bytes(literal("CK x\r\n")),
        ]
        #expect(try kind("alice -> \"NI\" | 20ms|\"CK x\\r\\n\"\n") == .send(.raw(expected)))
    }

    @Test(
        arguments: [
            ("alice connect", .connect), ("alice close", .close), ("alice half-close", .halfClose),
            ("alice abort", .abort), ("alice closed", .closed(by: nil, nil)),
            ("alice closed by reset", .closed(by: .reset, nil)), ("alice quiet", .quiet(for: nil)),
            ("sync", .sync([])),
        ] as [(String, Step.Kind)])
    func actionsNeedNoArrow(_ text: String, _ expected: Step.Kind) throws {
        #expect(try kind(text) == expected)
    }

    @Test func blocksContainTheirSteps() throws {
        let all = try steps(
            """
            any order {
                a <- X
                b <~ Y
            }
            repeat 10 as i every 100ms {
                outcome of {
                    a -> 1
                } same as {
                    a -> 2
                    a -> 3
                }
            }
            eventually within 5s {
            }
            """)
        #expect(all.count == 3)
        #expect(all[0].inner.count == 2)
        guard case .repeated(let repetition) = all[1].kind,
            case .outcome(let first, let second) = repetition.steps.first?.kind
        else {
            Issue.record("no outcome in a repetition")
            return
        }
        #expect(repetition.count == 10)
        #expect(repetition.counter?.text == "i")
        #expect(repetition.every == time(100_000_000))
        #expect(first.count == 1)
        #expect(second.count == 2)
        #expect(all[2].kind == .eventually(window(to: 5_000_000_000), []))
    }

    @Test func citationAppliesToFollowingStepsOfItsBlock() throws {
        let text = """
            cite RFC 1 §1
            a -> 0
            cite RFC 2 §2 "MUST"
            a -> 1
            repeat 2 {
                cite RFC 3
                a -> 2
            }
            a -> 3
            """
        let file = try ScenarioParser.file(from: source(text))
        #expect(file.header.citations.map(\.summary) == ["RFC 1 §1 (policy)"])
        #expect(file.bodyCitations.map(\.summary) == ["RFC 2 §2 (must)", "RFC 3 (policy)"])
        var cited: [String?] = []
        file.steps.walk { cited.append($0.citation?.document) }
        #expect(cited == [nil, "RFC 2", "RFC 2", "RFC 3", "RFC 2"])
    }

    @Test(arguments: [
        ("The server MUST answer, it SHOULD be quick", RequirementLevel.must),
        ("SHALL NOT", .must), ("is RECOMMENDED", .should), ("MAY", .may), ("must", nil),
    ])
    func levelIsDerivedFromTheQuote(_ quote: String, _ level: RequirementLevel?) {
        #expect(RequirementLevel(quote: quote) == level)
    }

    @Test func operatorsAreInferredFromSteps() throws {
        let text =
            "fragment f {\n    -> x\n    dave -> y\n}\non zoe <- a  reply -> b\n"
            + "bob -> x\nalice <- y\nbob close\nuse f as carol\n"
        let outcome = ScenarioParser.parse(source(text))
        #expect(outcome.file.operatorNames == ["dave", "bob", "alice", "carol"])
        #expect(outcome.diagnostics.map(\.code) == ["scenario.unknown-operator"])
    }

    @Test func everyNodeHasItsRange() throws {
        let text = "# é\nalice <- A {{x}}  within 2s\n"
        let file = try ScenarioParser.file(from: source(text))
        let step = try #require(file.steps.first)
        func slice(_ range: SourceRange) -> String {
            String(decoding: file.source.bytes(in: range), as: UTF8.self)
        }
        #expect(slice(step.range) == "alice <- A {{x}}  within 2s")
        guard case .expect(let expectation) = step.kind else { return }
        #expect(slice(expectation.pattern.range) == "A {{x}}")
        #expect(expectation.pattern.placeholders.map { slice($0.range) } == ["{{x}}"])
        #expect(expectation.window.map { slice($0.range) } == "within 2s")
        #expect(step.actor.map { slice($0.range) } == "alice")
        #expect(file.comments.map { slice($0.range) } == ["# é"])
    }
}
