import Foundation
import Testing

/// One secret through outputs that only some commands have, such as logs, metrics and comparisons.
struct CanaryOutputTests {
    private static let word = "Canary7-Zq"
    private static let environment = ["LINEJUDGE_SECRET_password": CanaryTests.canary]
    private static let load = [
        "load", "say.chat", "--exec", "python3 server.py {{port}}", "--dialect", "plain",
        "--operators", "2", "--rate", "5", "--for", "1s", "--drain", "200ms",
    ]

    /// Runs `body` with the address of a server that speaks IRC.
    private static func withServer<Result>(
        _ options: String..., body: (String) async throws -> Result
    ) async throws -> Result {
        let server = try Command(["serve", "--dialect", "irc"] + options).start()
        let address = try #require(try server.line().split(separator: "/").last)
        let result = try await body("irc://\(address)")
        server.send(SIGTERM)
        _ = try await server.outcome()
        return result
    }

    @Test(arguments: [[], ["--processes", "2"]])
    func loadsAndComparisonsHideSecrets(_ options: [String]) async throws {
        try await Files.with(CanaryTests.files) { folder in
            for name in ["one", "two"] {
                let outcome = try await Command(
                    Self.load + options + [
                        "--report", "json=\(name).json", "--report", "openmetrics=\(name).om",
                        "--report", "influx=\(name).influx", "--report", "hgrm=\(name).hgrm",
                        "--live", "127.0.0.1:0", "--metrics", "127.0.0.1:0",
                    ]
                ).with(environment: Self.environment).within(folder).run()
                #expect(outcome.output.contains("metrics at"), "\(outcome.all)")
                try CanaryTests.check(outcome, folder, "load \(options)")
            }
            let compared = try await Command(
                "compare", "one.json", "two.json", "--report", "html=compared.html"
            ).within(folder).run()
            #expect(!compared.output.isEmpty, "\(compared.all)")
            try CanaryTests.check(compared, folder, "compare")
        }
    }

    /// Reads the pages of a load test while it runs.
    private static let reader = """
        import sys, time, urllib.request
        for line in sys.stdin:
            words = line.split()
            if words[:2] in (["metrics", "at"], ["live", "page"]):
                # Before the first second has ended, there are no metrics, and the page says that
                # the load test has not started yet.
                for _ in range(100):
                    text = urllib.request.urlopen(words[-1], timeout=10).read().decode()
                    if text and "has not started" not in text:
                        break
                    time.sleep(0.1)
                print(text, flush=True)
        """

    @Test func pagesOfALoadHideSecrets() async throws {
        try await Files.with(CanaryTests.files) { folder in
            try Data(Self.reader.utf8).write(to: folder.appending(path: "reader.py"))
            let words =
                Self.load.map { $0 == "1s" ? "5s" : $0 } + [
                    "--live", "127.0.0.1:0", "--metrics", "127.0.0.1:0",
                ]
            let line = words.map { "'\($0)'" }.joined(separator: " ")
            var command = Command("-c", "\"$LJ\" \(line) | python3 reader.py")
            command.program = URL(filePath: "/bin/sh")
            let outcome = try await command.with(
                environment: Self.environment.merging(["LJ": Command.executable.path]) { $1 }
            ).within(folder).run()
            #expect(outcome.output.contains("linejudge_"), "\(outcome.all)")
            #expect(outcome.output.contains("</html>"), "\(outcome.all)")
            try CanaryTests.check(
                outcome, folder, "the pages of load", besides: ["reader.py"])
        }
    }

    @Test func logsOfTheReferenceServerHideItsAccounts() async throws {
        let server = try Command(
            "serve", "--dialect", "irc", "-vv", "--account", "al:\(Self.word)", "--metrics",
            "127.0.0.1:0"
        ).start()
        let address = try #require(try server.line().split(separator: "/").last)
        let metrics = try #require(try server.line().split(separator: " ").last)
        let client = """
            import socket, sys, urllib.request
            host, port = sys.argv[1].rsplit(":", 1)
            client = socket.create_connection((host, int(port)), timeout=10)
            client.sendall(b"PASS al:\(Self.word)\\r\\nNICK al\\r\\nUSER al 0 * :al\\r\\n"
                b"PRIVMSG al :\(Self.word)\\r\\nOPER al \(Self.word)\\r\\nPING end\\r\\n")
            text = b""
            while b"end" not in text:
                text += client.recv(65536)
            print(urllib.request.urlopen(sys.argv[2], timeout=10).read().decode())
            client.sendall(b"QUIT :leaving \(Self.word) now\\r\\n")
            while client.recv(65536):
                pass
            """
        var command = Command("-c", client, String(address), String(metrics))
        command.program = URL(filePath: "/usr/bin/python3")
        let talked = try await command.run()
        server.send(SIGTERM)
        let outcome = try await server.outcome()
        #expect(talked.status == 0, "\(talked.all)")
        CanaryTests.check(talked.output, "the metrics of serve")
        #expect(outcome.errors.contains("logged in"), "\(outcome.all)")
        #expect(outcome.errors.contains("leaving *** now"), "\(outcome.all)")
        CanaryTests.check(outcome.errors, "the log of serve")
    }

    @Test func dialectTestsHideSecrets() async throws {
        try await Self.withServer { address in
            try await Files.with { folder in
                let outcome = try await Command(
                    "dialect", "test", "irc", "--server", address
                ).with(environment: ["LINEJUDGE_SECRET_password": Self.word]).within(folder).run()
                #expect(outcome.output.contains("login"), "\(outcome.all)")
                try CanaryTests.check(outcome, folder, "dialect test")
            }
        }
    }

    @Test(arguments: [
        ["--fuzz", "2s", "--corpus", "corpus", "--out", "found"],
        ["--only", "arity.few", "--write-baseline", "irc.baseline"],
        ["--only", "arity.few", "--write-baseline", "-"],
    ])
    func fuzzingAndBaselinesHideSecrets(_ options: [String]) async throws {
        try await Self.withServer("--fault", "few-arguments-close") { address in
            try await Files.with { folder in
                let outcome = try await Command(
                    ["check", "--server", address, "--report", "json=out.json"] + options
                ).with(environment: ["LINEJUDGE_SECRET_password": Self.word]).within(folder).run()
                #expect([0, 1, 2].contains(outcome.status), "\(outcome.all)")
                try CanaryTests.check(outcome, folder, "check \(options)")
            }
        }
    }

    @Test func driftFromABaselineHidesSecrets() async throws {
        try await Files.with { folder in
            let options = ["check", "--only", "arity.few", "--server"]
            let environment = ["LINEJUDGE_SECRET_password": Self.word]
            let written = try await Self.withServer { address in
                try await Command(options + [address, "--write-baseline", "irc.baseline"])
                    .with(environment: environment).within(folder).run()
            }
            #expect(written.status == 0, "\(written.all)")
            let compared = try await Self.withServer("--fault", "few-arguments-close") {
                try await Command(
                    options + [$0, "--baseline", "irc.baseline", "--report", "html=out.html"]
                ).with(environment: environment).within(folder).run()
            }
            #expect([1, 4].contains(compared.status), "\(compared.all)")
            try CanaryTests.check(compared, folder, "check --baseline")
        }
    }

    /// Lint, format and dialect errors show lines of the files.
    @Test(arguments: [
        ["lint", "bad.chat"], ["lint", "bad.chat", "--format", "json"],
        ["lint", "bad.chat", "--format", "sarif"], ["run", "--dry-run", "bad.chat"],
        ["dialect", "lint", "bad.yaml"],
    ])
    func excerptsHideSecrets(_ words: [String]) async throws {
        let files = [
            "bad.chat": "dialect irc\noperators a\n\na -> PASS \(Self.word)\na -> FOO {{\n",
            "bad.yaml": "name: \(Self.word)\nframing: {\(Self.word): 1}\n",
        ]
        try await Files.with(files) { folder in
            let outcome = try await Command(words)
                .with(environment: ["LINEJUDGE_SECRET_word": Self.word]).within(folder).run()
            #expect(outcome.status != 0, "\(outcome.all)")
            try CanaryTests.check(outcome, folder, "\(words)", besides: ["bad.chat", "bad.yaml"])
        }
    }

    @Test func watchedRunsHideSecrets() async throws {
        try await Files.with(CanaryTests.files) { folder in
            let run = try Command(
                "run", "say.chat", "--exec", "python3 server.py {{port}}", "--watch", "-v",
                "--transcript", "--timeout-step", "300ms"
            ).with(environment: Self.environment).within(folder).start()
            var errors = ""
            while !errors.contains("waiting for changes") { errors += try run.errorLine() + "\n" }
            run.send(SIGINT)
            let outcome = try await run.outcome()
            CanaryTests.check(errors, "the errors of run --watch")
            try CanaryTests.check(outcome, folder, "run --watch")
        }
    }
}
