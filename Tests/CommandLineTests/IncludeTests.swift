import Foundation
import Testing

/// Steps shared between files, through the executable.
struct IncludeTests {
    static let files = [
        "talk.chat": """
        title     Text arrives
        dialect   irc
        include   "shared/steps.chat"
        operators alice, bob

        use login
        use tell as alice (to: "bob", text: "hello")
        bob <~ PRIVMSG bob :hello

        """,
        "bad.chat": """
        title     Text does not arrive
        dialect   irc
        include   "shared/steps.chat"
        operators alice

        use login
        use tell as alice (to: "nobody", text: "hello")

        """,
        "shared/steps.chat": """
        dialect   irc

        fragment tell(to, text) {
            -> PRIVMSG {{to}} :{{text}}
            <! 401
        }

        """,
    ]

    @Test func failureShowsTheIncludedStep() async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command("run", ".").within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(outcome.output.contains("✓ pass  Text arrives"), "\(outcome.output)")
            #expect(outcome.output.contains("--> ./shared/steps.chat:5:8\n"), "\(outcome.output)")
            #expect(outcome.output.contains("--> ./bad.chat:7:5\n"), "\(outcome.output)")
            #expect(outcome.output.contains(#/  > .* alice  ←  .* 401 /#), "\(outcome.output)")
            #expect(outcome.output.contains("2 scenarios in"), "\(outcome.output)")
        }
    }

    @Test func transcriptNamesTheIncludedStepAndItsUse() async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command(
                "run", "bad.chat", "--transcript", "--report", "json=run.json"
            ).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(
                outcome.output.contains(
                    "PRIVMSG nobody :hello  (shared/steps.chat:4, used on line 7)\n"),
                "\(outcome.output)")
            let json = try Data(contentsOf: folder.appending(path: "run.json"))
            let results = try #require(
                try JSONSerialization.jsonObject(with: json) as? [String: Any])
            let scenario = try #require((results["scenarios"] as? [[String: Any]])?.first)
            #expect(scenario["dialectFile"] as? String == "built-in/irc.yaml")
            let transcript = try #require(scenario["transcript"] as? [[String: Any]])
            let sent = transcript.filter { $0["kind"] as? String == "sent" }
            let step = try #require(sent.last { $0["included"] != nil && $0["role"] == nil })
            #expect(step["line"] as? Int == 7)
            let included = try #require(step["included"] as? [String: Any])
            #expect(included["file"] as? String == "shared/steps.chat")
            #expect(included["line"] as? Int == 4)
        }
    }

    @Test func fileOfFragmentsIsNotRunByItself() async throws {
        try await Files.with(Self.files) { folder in
            let list = try await Command("run", ".", "--list").within(folder).run()
            #expect(!list.output.contains("steps"), "\(list.all)")
            let alone = try await Command("run", "shared/steps.chat").within(folder).run()
            #expect(alone.status == 65, "\(alone.all)")
        }
    }

    @Test func filesAreLintedAndFormatted() async throws {
        try await Files.with(Self.files) { folder in
            let lint = try await Command("lint", ".").within(folder).run()
            #expect(lint.status == 0, "\(lint.all)")
            let check = try await Command("fmt", "--check", ".").within(folder).run()
            #expect(check.status == 0, "\(check.all)")
        }
    }
}
