import Diagnostics
import Testing

@testable import Runner

/// The linter on scenarios whose dialect is known.
struct ScenarioLintTests {
    /// Returns the line, the severity and the message of each finding.
    private func findings(
        _ text: String, _ others: [String: String] = [:], dialect: String? = nil
    ) async throws -> [String] {
        let files = others.merging(["a.chat": text]) { first, _ in first }
        return try await withFolder(files) { folder in
            try ScenarioLint.findings(in: folder("a.chat"), dialect: dialect).map {
                "\($0.location?.position.line ?? 0) \($0.severity): \($0.message)"
            }
        }
    }

    private static let call = """
        use login as alice (name: "a")
        alice -> privmsg(target: "bob", text: "hi", colour: "red")
        alice <~ welcome(client: "a", foo: "b")

        """
    private static let errors = [
        "4 error: `privmsg` has no argument `colour`", "5 error: `welcome` has no argument `foo`",
    ]

    @Test func stepsThatDoNotMatchTheDialectAreErrors() async throws {
        let text = "dialect irc\noperators alice\n" + Self.call
        #expect(try await findings(text) == Self.errors)
        let other = "title a\noperators alice\n" + Self.call
        #expect(try await findings(other, dialect: "irc") == Self.errors)
        #expect(try await findings(other) == [])
    }

    @Test func secretsNeedNotBeSet() async throws {
        let text = """
            dialect   irc
            operators alice
            secret    password

            alice -> PASS {{password}}
            alice <~ ERROR {{...}}

            """
        #expect(try await findings(text) == [])
    }

    @Test func aMistakeIsReportedOnce() async throws {
        let unbound = "dialect plain\na -> {{word}}\na <- x\n"
        #expect(
            try await findings(unbound) == [
                "2 warning: `word` has no value"
            ])
        let unknown = "dialect nosuch\na -> x\na <- x\n"
        #expect(try await findings(unknown).count == 1)
        let empty = "dialect plain\n"
        #expect(
            try await findings(empty) == [
                "1 error: the scenario tests nothing, so it would always pass"
            ])
    }

    @Test func filesWithOnlyFragmentsAreNotCompiled() async throws {
        let text = "dialect plain\n\nfragment greet(word) {\n    -> HELLO {{word}}\n    <- HI\n}\n"
        #expect(try await findings(text) == [])
    }
}
