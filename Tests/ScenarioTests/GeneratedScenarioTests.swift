import Diagnostics
import Testing

@testable import Scenario

/// Scenarios created in memory print to text that parses to the same values, at the same places.
struct GeneratedScenarioTests {
    private static let text = #"""
        # first comment
        #
        title     every kind of line
        dialect   irc
        include   "more.chat"
        operators alice, bob
        tags      one, two
        cite      RFC 2812, section 3 §3.1.2 must "A \"quoted\" rule"
        timeout   step 250us
        timeout   file 90s
        set       greeting = "Hello \x01"
        set       count = 7
        secret    password
        data      "rows.csv"
        known failure on ngircd <26 until 2027-01-31 "it \"differs\""
        skip on   ergo "another reason"
        needs     cap batch
        exec      "server {{env.PORT}}"

        # Log in
        alice connect
        bob   -> PRIVMSG alice :Gr{{"\x01"}}e {{greeting}}  payload "a{{"x" * 20}}b"
        bob   -> "\r\n" | 2ms | "{{greeting}}"
        bob   -> join(room: ["#a", "#b"], flag: true, level: 1.5, size: -7, kind: word)

        # Expected
        alice <- PONG {{token:word}} {{/a\/b+/}} {{...}}  within 1s..2s
        alice <~ "{{_}}{{length}}"
        alice <? join(room: any order ["#a", {{room}}], size: {{count + 1 - room}})
        alice <! {{base64 "a{{greeting}}b"}}{{end}}  for 500ms
        alice closed by reset within 3s
        alice quiet for 2s
        alice half-close
        alice pause
        alice resume
        alice abort
        alice starttls
        name "alice" free within 5s
        wait 50ms
        think 100ms..2s
        sync
        sync alice, bob
        use login as alice, bob (name: "x", room: 7)
        any order {
            alice <- ONE
            bob   <~ TWO
        }
        one of {
            alice <- ONE
            repeat 3 as round every 20ms {
                bob   -> "{{round}}"
            }
        } or {
            alice closed
        }
        eventually {
            alice -> PING
        }
        eventually within 5s {
            alice -> PING
        }
        outcome of {
            alice -> a
        } same as {
            alice -> "a" | "b"
        }
        on <- PING {{token}}  reply -> PONG {{token}}
        on alice <- PING {{token}}  reply -> PONG {{token}}
        ignore NOTICE {{...}}
        alice ignore NOTICE {{...}}

        fragment both(text, other) {
            -> SAY {{text}}
            bob   <~ {{other}}
            use login as self
        }

        fragment none {
            connect
        }

        """#

    private static func generated() throws -> GeneratedScenario {
        let parsed = try ScenarioParser.file(from: SourceText(path: "x.chat", text: text))
        var scenario = GeneratedScenario([
            GeneratedScenario.Section(Array(parsed.steps.prefix(4)), comment: "Log in"),
            GeneratedScenario.Section(Array(parsed.steps.dropFirst(4)), comment: "Expected"),
        ])
        scenario.comments = ["first comment", ""]
        scenario.header = parsed.header
        scenario.fragments = parsed.fragments
        return scenario
    }

    @Test func everyKindOfLineIsPrinted() throws {
        let printed = try Self.generated().printed(path: "x.chat")
        #expect(String(decoding: printed.source.bytes, as: UTF8.self) == Self.text)
        #expect(try ScenarioFormatter.format(printed.source) == Self.text)
    }

    @Test func rangesAreThoseOfTheParser() throws {
        let printed = try Self.generated().printed(path: "x.chat")
        let parsed = try ScenarioParser.file(from: printed.source)
        #expect(printed == parsed)
        for (left, right) in zip(printed.steps, parsed.steps) {
            #expect(String(reflecting: left) == String(reflecting: right))
        }
        for (left, right) in zip(printed.fragments, parsed.fragments) {
            #expect(String(reflecting: left) == String(reflecting: right))
        }
        #expect(String(reflecting: printed.comments) == String(reflecting: parsed.comments))
    }

    @Test func valuesWithoutRangesGetThem() {
        let steps = [
            Step.connect("alice"), .send("alice", .line(Array("PING x".utf8))),
            .expect(
                "alice", .skip, .raw(Template(Array("PONG \u{1}".utf8))), within: 1_500_000_000),
            .repeated(
                2, every: 20_000_000, [.use("say", as: "bob", [Argument("text", .text("x"))])]),
        ]
        let file = GeneratedScenario([GeneratedScenario.Section(steps)]).printed(path: "x.chat")
        let source = file.source
        #expect(
            file.steps.map { String(decoding: source.bytes(in: $0.range), as: UTF8.self) } == [
                "alice connect", "alice -> PING x", #"alice <~ "PONG \x01"  within 1500ms"#,
                "repeat 2 every 20ms {\n    use say as bob (text: \"x\")\n}",
            ])
        let pattern = file.steps[2].pattern?.range ?? .none
        #expect(String(decoding: source.bytes(in: pattern), as: UTF8.self) == #""PONG \x01""#)
    }

    @Test func literalsNextToEachOtherAreJoined() {
        let name = Template(Array("say bob, bobby and {{x}} bob".utf8))
        let new = Template.Piece.literal(Template.Literal(Array("eve".utf8), range: .none))
        let bob = Array("bob".utf8)
        #expect(
            name.replacing(bob, with: new, isWord: true)
                == Template(Array("say eve, bobby and {{x}} eve".utf8)))
        #expect(
            name.replacing(bob, with: new)
                == Template(Array("say eve, eveby and {{x}} eve".utf8)))
        let variable = Template.Piece.placeholder(Placeholder(.variable("name"), range: .none))
        #expect(Template(bob).replacing(bob, with: variable).pieces == [variable])
    }
}
