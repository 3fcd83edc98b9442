import Foundation
import Testing

/// Output on CI systems.
struct CITests {
    /// A server whose lines and log are workflow commands.
    static let hostile = """
        import socket, sys
        lines = ["::set-output name=a::b", "::stop-commands::x", "::endgroup::", "##[add-mask]a",
                 "%0A::error::x"]
        for line in lines: print(line, flush=True)
        server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
        while True:
            peer, _ = server.accept()
            try: peer.sendall("".join(line + "\\r\\n" for line in lines).encode())
            except OSError: pass
        """

    static let files = [
        "hostile.py": hostile,
        "hello.chat": """
        title     Hello ::group::
        dialect   irc
        operators alice

        use login
        alice quiet

        """,
        "wire.chat": """
        title     Wire
        dialect   irc

        bob   connect
        alice connect
        alice <- 001 {{...}}  within 300ms

        """,
    ]

    private static func job(_ folder: URL) -> [String: String] {
        [
            "GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_WORKSPACE": folder.path,
            "GITHUB_STEP_SUMMARY": folder.appending(path: "summary.md").path,
        ]
    }

    /// Names of the commands that the runner would execute.
    private static func commands(_ outcome: Command.Outcome) -> [String] {
        (outcome.output + outcome.errors).split(whereSeparator: \.isNewline).compactMap { line in
            let line = line.drop(while: \.isWhitespace)
            if line.contains("##[") { return "##[" }
            guard line.hasPrefix("::") else { return nil }
            return String(line.dropFirst(2).prefix { $0 != " " && $0 != ":" })
        }
    }

    @Test func failuresAreAnnotatedAtTheScenarioAndSummarised() async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command(
                "run", "hello.chat", "wire.chat", "--exec", "python3 hostile.py {{port}}",
                "--timeout-step", "300ms"
            ).with(environment: Self.job(folder)).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            let names = Self.commands(outcome)
            #expect(names.filter { $0 == "group" }.count == 3, "\(names)")
            #expect(names.filter { $0 == "endgroup" }.count == 3, "\(names)")
            #expect(Set(names) == ["group", "endgroup", "error", "warning", "notice"])
            #expect(outcome.output.contains("::error file=hello.chat,line=5"), "\(outcome.output)")
            #expect(outcome.output.contains("::error file=wire.chat,line=6"))
            #expect(outcome.output.contains("::group::transcript ("))
            let summary = try Files.text(folder.appending(path: "summary.md"))
            #expect(summary.hasPrefix("### ❌ linejudge run"))
            #expect(summary.contains("<details><summary>transcript"))
        }
    }

    /// Scenario paths as a user or the action writes them, all for the same file.
    @Test(arguments: [
        ("sub", "."), ("sub", "../sub/wire.chat"), ("", "./sub"), ("other", "{{folder}}/sub"),
    ])
    func annotatedPathsAreRelativeToTheRepository(_ inside: String, _ words: String) async throws {
        let files = [
            "sub/wire.chat": try #require(Self.files["wire.chat"]), "hostile.py": Self.hostile,
            "other/empty": "",
        ]
        try await Files.with(files) { folder in
            let command = Command(
                "run", words.replacing("{{folder}}", with: folder.path),
                "--exec", "python3 \(folder.path)/hostile.py {{port}}"
            ).with(environment: Self.job(folder)).within(folder.appending(path: inside))
            for options in [[], ["--format", "github"]] {
                var command = command
                command.arguments += options
                let outcome = try await command.run()
                #expect(outcome.status == 1, "\(outcome.all)")
                #expect(
                    outcome.output.split(separator: "\n")
                        .contains { $0.hasPrefix("::error file=sub/wire.chat,line=6,") },
                    "\(outcome.output)")
            }
        }
    }

    @Test func serverThatDoesNotStartIsAnErrorWithoutAFile() async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command(
                "run", "hello.chat", "--exec", "python3 missing.py {{port}}"
            ).with(environment: Self.job(folder)).within(folder).run()
            #expect(outcome.status == 69, "\(outcome.all)")
            #expect(
                outcome.output.contains("\n::error::error: the server exited with 2 before"),
                "\(outcome.output)")
            #expect(!outcome.output.contains("::error file="))
        }
    }

    @Test(arguments: [
        ["run", "hello.chat"], ["check", "--dialect", "irc"],
        ["load", "--dialect", "irc", "--for", "1s"],
    ])
    func unreachableServerIsAnError(_ words: [String]) async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command(words + ["--server", "127.0.0.1:1"])
                .with(environment: Self.job(folder)).within(folder).run()
            #expect(outcome.status == 69, "\(outcome.all)")
            #expect(Self.commands(outcome).count { $0 == "error" } == 1, "\(outcome.all)")
            #expect((outcome.output + outcome.errors).contains("refused"))
        }
    }

    @Test(arguments: [
        ["check", "--dialect", "plain", "--only", "frame.term"],
        ["load", "--dialect", "plain", "--operators", "2", "--for", "300ms", "--drain", "100ms"],
    ])
    func checksAndLoadsAreSummarised(_ words: [String]) async throws {
        try await Files.with { folder in
            let outcome = try await Command(words).with(environment: Self.job(folder))
                .within(folder).run()
            #expect(outcome.output.contains("::notice title=linejudge \(words[0])::"))
            let summary = try Files.text(folder.appending(path: "summary.md"))
            #expect(summary.contains("linejudge \(words[0])"))
        }
    }

    @Test func optionTurnsItOffButServersStillHaveNoCommands() async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command(
                "run", "wire.chat", "--exec", "python3 hostile.py {{port}}", "--no-ci",
                "--transcript"
            ).with(environment: Self.job(folder)).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(Self.commands(outcome).isEmpty, "\(outcome.all)")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/summary.md"))
        }
    }

    @Test func askedAnnotationsAreNotRepeated() async throws {
        try await Files.with(RunTests.files) { folder in
            let outcome = try await Command("run", "bad.chat", "--report", "github=-")
                .with(environment: Self.job(folder)).within(folder).run()
            #expect(outcome.status == 1)
            #expect(outcome.output.split(separator: "\n").count == 2, "\(outcome.output)")
            #expect(!outcome.errors.contains("::error"))
        }
    }

    @Test func summaryThatCannotBeWrittenIsAWarning() async throws {
        try await Files.with(RunTests.files) { folder in
            let environment = Self.job(folder).merging(["GITHUB_STEP_SUMMARY": "/proc/no/file"]) {
                $1
            }
            let outcome = try await Command("run", "good.chat").with(environment: environment)
                .within(folder).run()
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("warning: cannot write the step summary"))
        }
    }

    @Test func errorsBeforeTheRunAreAnnotated() async throws {
        let outcome = try await Command("run", "missing.chat")
            .with(environment: ["GITHUB_ACTIONS": "true"]).run()
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("\n::error::error: "))
    }

    @Test(arguments: [(["CI": "true"], false), ([:], true)])
    func progressMovesTheCursorOnlyOutsideOfCI(
        _ environment: [String: String], _ moves: Bool
    ) async throws {
        try await Files.with(RunTests.files) { folder in
            let line = "\(Command.executable.path) run good.chat"
            var command = Command("-qec", line, "/dev/null").within(folder)
            command.program = URL(filePath: "/usr/bin/script")
            let outcome = try await command.with(
                environment: environment.merging(["TERM": "xterm"]) { $1 }
            ).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.output.contains("\u{1B}[") == moves, "\(outcome.output)")
        }
    }
}
