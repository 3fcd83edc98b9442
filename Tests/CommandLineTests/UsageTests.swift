import Foundation
import Testing

/// What is said to somebody who does not know, or mistypes, the command line.
struct UsageTests {
    static let commands = [
        [], ["run"], ["fmt"], ["lint"], ["dialect"], ["dialect", "list"], ["dialect", "show"],
        ["dialect", "lint"], ["dialect", "explain"], ["dialect", "new"], ["serve"], ["decode"],
        ["record"], ["load"], ["report"], ["compare"],
    ]

    @Test(arguments: commands)
    func helpFitsInEightyColumns(_ command: [String]) async throws {
        let outcome = try await Command(command + ["--help"]).run()
        #expect(outcome.status == 0)
        for line in outcome.output.split(separator: "\n") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    @Test(arguments: commands)
    func everyOptionOfTheHelpStandsInTheReference(_ command: [String]) async throws {
        let pages = ["command-line", "load"].map { Files.root.appending(path: "docs/\($0).md") }
        let page = try pages.map(Files.text).joined(separator: "\n")
        let help = try await Command(command + ["--help"]).run().output
        for option in Set(help.matches(of: /--[a-z][a-z-]*/).map { String($0.output) }) {
            #expect(page.contains("`\(option)") || page.contains(" \(option)"), "\(option)")
        }
    }

    @Test func theReferenceAndTheHelpNameTheSameExitCodes() async throws {
        let pages = ["command-line", "load"].map { Files.root.appending(path: "docs/\($0).md") }
        let page = try pages.map(Files.text).joined(separator: "\n")
        let help = try await Command("run", "--help").run().output
        for code in [0, 1, 2, 64, 65, 66, 69, 70, 130] {
            #expect(help.contains("\n  \(code) "), "\(code)")
            #expect(page.contains("\n| \(code) |"), "\(code)")
        }
        #expect(help.contains("143 by SIGTERM"))
        #expect(page.contains("\n| 143 |"))
    }

    @Test func aloneItSaysInShortWhatItCanDo() async throws {
        let outcome = try await Command().run()
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("linejudge run FILES"))
        #expect(outcome.output.split(separator: "\n").count < 20)
    }

    @Test(arguments: [
        (["rnu"], "did you mean `linejudge run`?"),
        (["dialects"], "did you mean `linejudge dialect`?"),
        (["dialect", "lsit"], "did you mean `linejudge dialect list`?"),
        (["frobnicate"], "there are: run, check, fmt, lint, dialect, serve"),
    ])
    func aSlipOfThePenIsAnsweredAndNotObeyed(_ words: [String], _ answer: String) async throws {
        let outcome = try await Command(words).run()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(answer), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test(arguments: [
        ["run", "--bogus"], ["run", "--jobs", "0", "x"], ["run", "--jobs", "many", "x"],
        ["run", "--retry", "-1", "x"], ["run", "--timeout-step", "5", "x"],
        ["run", "--timeout-step", "0s", "x"], ["run", "--segment", "bytes", "x"],
        ["run", "--report", "pdf=x", "x"], ["run", "--report", "json", "x"],
        ["run", "--report", "json=-", "--format", "tap", "x"], ["run", "-q", "-v", "x"],
        ["run", "--format", "html", "x"], ["run", "--color", "maybe", "x"], ["run"], ["fmt"],
        ["lint"],
        ["run", "--server", "htp://x", "x"], ["run", "--var", "novalue", "x"],
        ["run", "--software", "@1", "x"], ["run", "--tls-ca", "/nonexistent", "x"],
        ["serve", "--listen", "nowhere"], ["serve", "--tls-cert", "x"],
        ["serve", "--history", "-1"],
    ])
    func aWrongCommandLineIs64AndSaysWhy(_ words: [String]) async throws {
        let outcome = try await Command(words).run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains("error: "), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test(arguments: [
        (
            ["--segment", "random"], "`random` is no value for --segment",
            "write random:7. There are: whole,"
        ),
        (["--segment", "bytes"], "`bytes` is no value for --segment", "did you mean byte?"),
        (["--timeout-step", "5"], "`5` is no value for --timeout-step", "write 5s for seconds"),
        (
            ["--timeout-file", "soon"], "`soon` is no value for --timeout-file",
            "such as 500ms, 5s or 1m"
        ),
        (["--timeout-file", "0s"], "`0s` is no value", "longer than 0"),
        (["--retry", "-1"], "`-1` is no value for --retry", "a number from 0 to 100, such as 2"),
        (["-j", "0"], "`0` is no value for -j", "a number from 1 to 1024, such as 4"),
        (["--seed", "x"], "`x` is no value for --seed", "such as 42"),
        (["--report", "jsn=x"], "`jsn=x` is no value for --report", "did you mean json?"),
        (["--report", "json"], "`json` is no value for --report", "write json=FILE"),
        (["--format", "html"], "`html` is no value for --format", "there are: pretty, json,"),
        (["--serevr", "x"], "there is no option --serevr", "did you mean --server?"),
        (["--server"], "--server lacks its value, <url>", "host:port"),
    ])
    func aWrongValueIsAnsweredWithWhatIsExpected(
        _ words: [String], _ message: String, _ help: String
    ) async throws {
        let outcome = try await Command(["run", "x.chat"] + words).run()
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: \(message)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("help: ") && outcome.errors.contains(help))
        #expect(outcome.errors.hasSuffix("more: linejudge run --help\n"), "\(outcome.errors)")
    }

    @Test(arguments: [
        ["--listen", "x"], ["--history", "-1"], ["--max-connections", "0"], ["--ping-expiry", "5"],
    ])
    func aWrongValueForServeIsAnsweredToo(_ words: [String]) async throws {
        let outcome = try await Command(["serve"] + words).run()
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: `\(words[1])` is no value for \(words[0])\n"))
    }

    @Test func theVersionIsANumberAlone() async throws {
        let outcome = try await Command("--version").run()
        #expect(outcome.status == 0)
        #expect(outcome.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil, "\(outcome.output)")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func aCompletionScriptCanBeWritten(_ shell: String) async throws {
        let outcome = try await Command("--generate-completion-script", shell).run()
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("last-failed"))
    }
}

/// Options from the environment.
struct EnvironmentTests {
    @Test(arguments: ["run", "load", "decode", "record", "fmt", "lint", "serve"])
    func everyOptionHasAVariable(_ command: String) async throws {
        let help = try await Command(command, "--help").run().output
        let options = help.matches(of: /\n +(?:-\w, )?--([a-z-]+)/).map { String($0.output.1) }
        let names = options.filter { !["help", "version"].contains($0) }
            .map { "LINEJUDGE_" + $0.uppercased().replacing("-", with: "_") }
        #expect(!names.isEmpty)
        let variables = Dictionary(uniqueKeysWithValues: names.map { ($0, "") })
        let outcome = try await Command("dialect", "list").with(environment: variables).run()
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test func aVariableIsAnOption() async throws {
        try await Files.with(["a.chat": "title   x\n"]) { folder in
            let command = Command("fmt", "a.chat").within(folder)
            let on = try await command.with(environment: ["LINEJUDGE_CHECK": "1"]).run()
            #expect(on.status == 1, "\(on.all)")
            let off = try await command.with(environment: ["LINEJUDGE_CHECK": "no"]).run()
            #expect(off.status == 0, "\(off.all)")
        }
    }

    @Test(arguments: [
        (["LINEJUDGE_JOBS": "many"], "the value comes from LINEJUDGE_JOBS"),
        (["LINEJUDGE_INSECURE": "2"], "LINEJUDGE_INSECURE is `2`; expected 1 or 0"),
        (["LINEJUDGE_VERBOSE": "lots"], "expected a number from 0 to 9"),
    ])
    func aWrongVariableIsNamed(_ environment: [String: String], _ text: String) async throws {
        let outcome = try await Command("run", "x").with(environment: environment).run()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }

    @Test func whatIsTypedCountsMoreThanTheEnvironment() async throws {
        let outcome = try await Command("run", "--jobs=2", "/nonexistent.chat")
            .with(environment: ["LINEJUDGE_JOBS": "many"]).run()
        #expect(outcome.status == 66)
    }

    @Test func aVariableThatStandsForNothingIsTold() async throws {
        let outcome = try await Command("dialect", "list")
            .with(environment: ["LINEJUDGE_JOBBS": "2", "LINEJUDGE_VAR_x": "1"]).run()
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("did you mean LINEJUDGE_JOBS?"))
        #expect(!outcome.errors.contains("LINEJUDGE_VAR_x"))
    }
}
