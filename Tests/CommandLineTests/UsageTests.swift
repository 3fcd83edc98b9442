import Foundation
import Testing

/// Help texts and usage errors.
struct UsageTests {
    static let commands = [
        [], ["run"], ["check"], ["fmt"], ["lint"], ["dialect"], ["dialect", "list"],
        ["dialect", "show"],
        ["dialect", "lint"], ["dialect", "explain"], ["dialect", "new"], ["dialect", "test"],
        ["serve"], ["decode"], ["record"], ["load"], ["report"], ["compare"],
    ]

    /// `linejudge help` lists the commands, and `linejudge dialect --help` its subcommands.
    @Test func theListOfCommandsIsComplete() async throws {
        var found: [[String]] = [[]]
        var pending: [[String]] = [[]]
        while let command = pending.popLast() {
            let help = try await Command(command + ["--help"]).run().output
            let section = help.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().first ?? ""
            let names = section.components(separatedBy: "\n\n")[0].matches(of: /(?m)^  ([a-z]+)/)
            let subcommands = names.map { command + [String($0.1)] }
            found += subcommands
            pending += subcommands
        }
        #expect(Set(found) == Set(Self.commands))
    }

    @Test(arguments: commands, [60, 80])
    func helpFitsTheTerminal(_ command: [String], _ columns: Int) async throws {
        let outcome = try await Command(command + ["--help"])
            .with(environment: ["COLUMNS": "\(columns)"]).run()
        #expect(outcome.status == 0)
        for line in outcome.output.split(separator: "\n") {
            #expect(line.count <= columns, "\(line)")
        }
        let tail = outcome.output.split(separator: "EXIT CODES:\n").dropFirst().joined()
        for line in tail.split(separator: "\n") { #expect(line.hasPrefix("  "), "\(line)") }
    }

    @Test(arguments: commands.filter { !$0.isEmpty && $0 != ["dialect"] })
    func helpHasExamples(_ command: [String]) async throws {
        let help = try await Command(command + ["--help"]).run().output
        #expect(help.contains("\nEXAMPLES:\n  "))
        #expect(help.contains("\n    linejudge \(command.joined(separator: " "))"))
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
        (["format", "x.chat"], "did you mean `linejudge fmt`?"),
        (["frobnicate"], "commands: run, check, fmt, lint, dialect, serve"),
    ])
    func unknownCommandIsRefusedWithASuggestion(_ words: [String], _ answer: String) async throws {
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
    func usageErrorExitsWith64(_ words: [String]) async throws {
        let outcome = try await Command(words).run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains("error: "), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test(arguments: [
        (
            ["--segment", "random"], "invalid value `random` for --segment",
            "write random:7; values: whole,"
        ),
        (["--segment", "bytes"], "invalid value `bytes` for --segment", "did you mean byte?"),
        (["--timeout-step", "5"], "invalid value `5` for --timeout-step", "write 5s for seconds"),
        (
            ["--timeout-file", "soon"], "invalid value `soon` for --timeout-file",
            "such as 500ms, 5s or 1m"
        ),
        (["--timeout-file", "0s"], "invalid value `0s`", "above 0"),
        (["--retry", "-1"], "invalid value `-1` for --retry", "a number from 0 to 100, such as 2"),
        (["-j", "0"], "invalid value `0` for -j", "a number from 1 to 1024, such as 4"),
        (["--seed", "x"], "invalid value `x` for --seed", "such as 42"),
        (["--report", "jsn=x"], "invalid value `jsn=x` for --report", "did you mean json?"),
        (["--report", "json"], "invalid value `json` for --report", "write json=FILE"),
        (["--format", "html"], "invalid value `html` for --format", "values: pretty, json,"),
        (["--serevr", "x"], "unknown option --serevr", "did you mean --server?"),
        (["--server"], "--server requires a value: <url>", "host:port"),
    ])
    func invalidValueIsReportedWithTheExpectedOnes(
        _ words: [String], _ message: String, _ help: String
    ) async throws {
        let outcome = try await Command(["run", "x.chat"] + words).run()
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: \(message)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("help: ") && outcome.errors.contains(help))
        #expect(
            outcome.errors.hasSuffix("for more information, run: linejudge run --help\n"),
            "\(outcome.errors)")
    }

    @Test(arguments: [
        ("--as", "values: log, json, lines, ladder,"), ("--from", "+90s after the first packet"),
        ("--time", "values: clock, relative, full"),
    ])
    func invalidValueForDecodeIsReported(option: String, help: String) async throws {
        let outcome = try await Command("decode", "x.pcap", option, "foo").run()
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: invalid value `foo` for \(option)\n"))
        #expect(outcome.errors.contains(" = help: ") && outcome.errors.contains(help))
    }

    @Test(arguments: [
        ["--listen", "x"], ["--history", "-1"], ["--max-connections", "0"], ["--ping-expiry", "5"],
    ])
    func invalidValueForServeIsReported(_ words: [String]) async throws {
        let outcome = try await Command(["serve"] + words).run()
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: invalid value `\(words[1])` for \(words[0])\n"))
    }

    @Test func versionIsPrintedAlone() async throws {
        let outcome = try await Command("--version").run()
        #expect(outcome.status == 0)
        #expect(outcome.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil, "\(outcome.output)")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionScriptIsGenerated(_ shell: String) async throws {
        let outcome = try await Command("--generate-completion-script", shell).run()
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("last-failed"))
    }
}

/// Options from the environment.
struct EnvironmentTests {
    @Test(arguments: [
        "run", "check", "load", "decode", "record", "fmt", "lint", "serve", "report", "compare",
    ])
    func everyOptionHasAVariable(_ command: String) async throws {
        let help = try await Command(command, "--help").run().output
        let options = help.matches(of: /\n +(?:-\w, )?--([a-z-]+)/).map { String($0.output.1) }
        let names = options.filter { !["help", "version"].contains($0) }
            .map { "LINEJUDGE_" + $0.uppercased().replacing("-", with: "_") }
        #expect(!names.isEmpty)
        let variables = Dictionary(names.map { ($0, "") }, uniquingKeysWith: { first, _ in first })
        let outcome = try await Command("dialect", "list").with(environment: variables).run()
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test func variableSetsAnOption() async throws {
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
        (["LINEJUDGE_INSECURE": "2"], "invalid value `2` for LINEJUDGE_INSECURE: expected 1 or 0"),
        (["LINEJUDGE_VERBOSE": "lots"], "expected a number from 0 to 9"),
    ])
    func invalidVariableIsNamed(_ environment: [String: String], _ text: String) async throws {
        let outcome = try await Command("run", "x").with(environment: environment).run()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(text), "\(outcome.errors)")
    }

    @Test func earlierSpellingsStillWork() async throws {
        let words = ["check", "--dialect", "livechat", "--lock", "a", "--characterise", "b"]
        let outcome = try await Command(words).run()
        #expect(outcome.errors.contains("--write-baseline and --baseline"), "\(outcome.errors)")
        let load = try await Command("load", "--processes", "0")
            .with(environment: ["LINEJUDGE_QUANTUM": "2ms"]).run()
        #expect(load.status == 64)
        #expect(!load.errors.contains("LINEJUDGE_QUANTUM"), "\(load.errors)")
    }

    @Test func commandLineTakesPrecedence() async throws {
        let outcome = try await Command("run", "--jobs=2", "/nonexistent.chat")
            .with(environment: ["LINEJUDGE_JOBS": "many"]).run()
        #expect(outcome.status == 66)
    }

    @Test func unknownVariableIsReported() async throws {
        let outcome = try await Command("dialect", "list")
            .with(environment: ["LINEJUDGE_JOBBS": "2", "LINEJUDGE_VAR_x": "1"]).run()
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("did you mean LINEJUDGE_JOBS?"))
        #expect(!outcome.errors.contains("LINEJUDGE_VAR_x"))
    }
}
