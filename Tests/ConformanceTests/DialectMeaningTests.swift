import Conformance
import DialectFiles
import DialectModel
import Diagnostics
import LineProtocol
import Results
import Testing

/// The spelling of a dialect's behaviours makes no difference to the checks.
struct DialectMeaningTests {
    private func subject(
        login: String, ignores: [String] = []
    ) throws -> Subject {
        let file = try DialectLibrary.find("irc")
        var dialect = file.dialect
        dialect.behaviours["login"] = Behaviour(
            name: "login", parameters: ["name"], scenarioText: login, line: 1, column: 1)
        dialect.ignores += ignores.map {
            Behaviour(name: "ignore", scenarioText: $0, line: 1, column: 4)
        }
        return try Subject(BoundDialect(dialect, source: file.source))
    }

    private func earlyCommands(_ subject: Subject) -> Set<String> {
        Set(
            Catalogue(subject).entries.map(\.id).filter { $0.rule == "phase.before" }
                .compactMap(\.parameter))
    }

    @Test func aCommandIsAllowedBeforeTheLoginByItsNameAndNotByAPrefix() throws {
        let checked = earlyCommands(
            try subject(login: "-> USERHOST {{name}}\n<~ 302 {{...}}"))
        #expect(checked.contains("USER"))
        #expect(!checked.contains("USERHOST"))
    }

    @Test(arguments: [
        "-> USER {{name}} 0 * :x", "->    USER {{name}} 0 * :x", "-> user {{name}} 0 * :x",
        "-> user(username: {{name}}, mode: \"0\", unused: \"*\", realname: \"x\")",
    ])
    func theSpellingOfASendMakesNoDifference(_ send: String) throws {
        let checked = earlyCommands(try subject(login: "\(send)\n<~ 001 {{...}}"))
        #expect(!checked.contains("USER"))
        #expect(checked.contains("USERHOST"))
    }

    @Test func aCommandOfAStandingReplyIsAllowedBeforeTheLogin() throws {
        let login = "-> NICK {{name}}\n<~ 001 {{...}}"
        let rule = "on <- PING {{token}}  reply -> PONG {{token}}\n"
        #expect(earlyCommands(try subject(login: login)).contains("PONG"))
        #expect(!earlyCommands(try subject(login: rule + login)).contains("PONG"))
    }

    @Test func aDialectThatIgnoresEveryTextIsRefused() throws {
        let error = #expect(throws: Diagnosed.self) {
            try subject(login: "-> NICK {{name}}\n<~ 001 {{...}}", ignores: ["privmsg()"])
        }
        #expect(error?.diagnostics.map(\.code.word).contains("dialect.ignored-text") == true)
    }
}
