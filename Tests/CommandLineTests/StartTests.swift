import Foundation
import Glibc
import Testing

/// Starting servers, waiting for them, and finding the wrong one.
struct StartTests {
    /// A chat server for one line that starts to listen after some time.
    static let late = """
        import socket, sys, time
        time.sleep(float(sys.argv[2]))
        server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
        print("listening", flush=True)
        while True:
            peer, _ = server.accept()
            peer.sendall(b"hello\\r\\n")

        """

    static let files = [
        "late.py": late,
        "hello.chat": "title Hello\ndialect plain\n\nalice connect\nalice <- hello\n",
        "irc.chat": "title Login\ndialect irc\noperators alice\n\nuse login\n",
        "ssh.py": late.replacingOccurrences(of: "hello", with: "SSH-2.0-x"),
        "silent.py": """
        import socket, sys
        server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
        peers = []
        while True: peers.append(server.accept())

        """,
    ]

    @Test func serverThatStartsTooLateNamesTheOption() async throws {
        try await Files.with(Self.files) { folder in
            let words = ["hello.chat", "--exec", "python3 late.py {{port}} 1.5"]
            let late = try await Command(["run"] + words + ["--start-timeout", "300ms"])
                .within(folder).run()
            #expect(late.status == 69, "\(late.all)")
            #expect(late.output.contains("after 300 ms"), "\(late.all)")
            #expect(late.output.contains("--start-timeout"))
            let early = try await Command(["run"] + words).within(folder).run()
            #expect(early.status == 0, "\(early.all)")
        }
    }

    @Test func runWaitsForAServer() async throws {
        try await Files.with(Self.files) { folder in
            let port = try Self.freePort()
            var server = Command("late.py", "\(port)", "1").within(folder)
            server.program = URL(filePath: "/usr/bin/python3")
            let running = try server.start()
            defer { running.kill() }
            let words = ["run", "hello.chat", "--server", "127.0.0.1:\(port)"]
            let outcome = try await Command(words + ["--wait", "30s"]).within(folder).run()
            #expect(outcome.status == 0, "\(outcome.all)")
        }
    }

    @Test(arguments: [
        ["run", "irc.chat", "--server", "127.0.0.1:1"], ["check", "--server", "irc://127.0.0.1:1"],
        ["load", "--server", "irc://127.0.0.1:1"],
    ])
    func waitEndsWithTheReason(_ words: [String]) async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command(words + ["--wait", "300ms"]).within(folder).run()
            #expect(outcome.status == 69, "\(outcome.all)")
            #expect((outcome.output + outcome.errors).contains("refused the connection"))
        }
    }

    @Test(arguments: [
        (["run", "irc.chat", "--wait", "1s"], "--wait requires --server"),
        (["run", "irc.chat", "--wait", "1s", "--exec", "x {{port}}"], "use --start-timeout"),
        (["run", "irc.chat", "--start-timeout", "1s", "--server", "x:1"], "use --wait"),
        (["check", "--start-timeout", "1s", "--dialect", "irc"], "requires --exec"),
        (["load", "--start-timeout", "1s"], "requires --exec"),
        (["load", "--exec", "x {{port}}"], "missing dialect for the server started by --exec"),
        (["load", "--exec", "x", "--dialect", "irc"], "the server's address is unknown"),
        (
            ["load", "--exec", "x {{port}}", "--dialect", "irc", "--shard", "0/2"],
            "--shard requires --server"
        ),
        (
            [
                "run", Files.root.appending(path: "Scenarios/irc/nickname-case.chat").path,
                "--server", "x:1", "--server-name", "y",
            ], "require a TLS server"
        ),
    ])
    func optionsWithoutEffectAreRefused(_ words: [String], _ message: String) async throws {
        let outcome = try await Command(words).run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func loadStartsAServer() async throws {
        let program = Command.executable.path
        let outcome = try await Command(
            "load", "--dialect", "irc", "--operators", "4", "--for", "1s", "--rate", "20/s",
            "--exec", "\(program) serve --dialect irc --listen 127.0.0.1:{{port}}"
        ).run()
        // On a busy machine, the load generator itself may be too slow.
        let isSlow = outcome.output.contains("INCONCLUSIVE: the load generator was the bottleneck")
        #expect(outcome.status == (isSlow ? 2 : 0), "\(outcome.all)")
        #expect(isSlow || outcome.output.contains("PASSED"))
    }

    @Test func loadOfAServerThatDoesNotStartIsUnavailable() async throws {
        let outcome = try await Command(
            "load", "--dialect", "irc", "--exec", "sh -c 'echo broken; exit 3' {{port}}"
        ).run()
        #expect(outcome.status == 69, "\(outcome.all)")
        #expect(outcome.errors.contains("| broken"), "\(outcome.errors)")
    }

    @Test(arguments: ["run hello.chat", "check --dialect plain", "load --dialect plain"])
    func unknownProgramIsASingleError(_ words: String) async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command(
                words.split(separator: " ").map(String.init) + [
                    "--exec", "no-such-program {{port}}",
                ]
            ).within(folder).run()
            #expect(outcome.status == 69, "\(outcome.all)")
            #expect(outcome.errors.contains("error: program not found: `no-such-program`"))
            #expect(!outcome.output.contains("inconclusive"), "\(outcome.output)")
        }
    }

    @Test func scenarioWithoutADialectNamesThoseToChooseFrom() async throws {
        try await Files.with(["a.chat": "title A\n\nalice connect\n"]) { folder in
            let outcome = try await Command("run", "a.chat", "--server", "127.0.0.1:1")
                .within(folder).run()
            #expect(outcome.status == 65, "\(outcome.all)")
            #expect(outcome.output.contains("`dialect plain` for your own protocol"))
            #expect(outcome.output.contains("`linejudge dialect list`"))
        }
    }

    @Test func otherProtocolsAreRecognised() async throws {
        try await Files.with(Self.files) { folder in
            let ssh = try await Command(
                "run", "irc.chat", "--exec", "python3 ssh.py {{port}} 0", "--timeout-step", "300ms"
            ).within(folder).run()
            #expect(ssh.output.contains("the server speaks SSH"), "\(ssh.all)")
            let http = try await Command(
                "run", "irc.chat", "--exec",
                "python3 -m http.server --bind 127.0.0.1 {{port}}"
            ).within(folder).run()
            #expect(http.output.contains("the server speaks HTTP"), "\(http.all)")
            let silent = try await Command(
                "run", "irc.chat", "--exec", "python3 silent.py {{port}}", "--timeout-step",
                "300ms"
            ).within(folder).run()
            #expect(silent.status == 1)
            #expect(!silent.output.contains("the server speaks"), "\(silent.all)")
        }
    }

    @Test(arguments: [
        ["run", "irc.chat"], ["check", "--only", "cmd.unknown", "--repeat", "0"],
        ["load", "--operators", "2", "--for", "200ms"],
    ])
    func serverThatExpectsTLSIsRecognised(_ words: [String]) async throws {
        try await Files.with(Self.files) { folder in
            var openssl = Command(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-subj", "/CN=x", "-addext",
                "subjectAltName=DNS:chat.example", "-keyout", "key.pem", "-out", "cert.pem")
            openssl.program = URL(filePath: "/usr/bin/openssl")
            #expect(try await openssl.within(folder).run().status == 0)
            let serve = Command(
                "serve", "--dialect", "irc", "--listen", "127.0.0.1:0", "--tls-cert", "cert.pem",
                "--tls-key", "key.pem"
            ).within(folder)
            let running = try serve.start()
            defer { running.kill() }
            let line = try running.line()
            let port = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/), "\(line)").1
            let outcome = try await Command(
                words + ["--server", "irc://127.0.0.1:\(port)"]
            ).within(folder).run()
            #expect(
                (outcome.output + outcome.errors).contains(
                    "the server speaks TLS: use --server ircs://127.0.0.1:\(port)"),
                "\(outcome.all)")
            let named = try await Command(
                "run", "irc.chat", "--server", "ircs://127.0.0.1:\(port)", "--tls-ca", "cert.pem"
            ).within(folder).run()
            #expect(named.output.contains("is for chat.example, not for `127.0.0.1`"))
            let given = try await Command(
                "run", "irc.chat", "--server", "ircs://127.0.0.1:\(port)", "--tls-ca", "cert.pem",
                "--server-name", "chat.example"
            ).within(folder).run()
            #expect(given.status == 0, "\(given.all)")
        }
    }

    /// A port at which nothing listens.
    static func freePort() throws -> Int {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let size = length
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, size) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        try #require(isBound)
        return Int(in_port_t(bigEndian: address.sin_port))
    }

    @Test func aReportForCIShowsWhyTheServerDidNotStart() async throws {
        let files = ["a.chat": "dialect irc\noperators a\n\na connect\n"]
        try await Files.with(files) { folder in
            let outcome = try await Command(
                "run", "a.chat", "--exec", "sh -c 'echo no config >&2; exit 7' {{port}}",
                "--report", "junit=out.xml"
            ).within(folder).run()
            #expect(outcome.status == 69, "\(outcome.all)")
            let report = try Files.text(folder.appending(path: "out.xml"))
            #expect(report.contains("type=\"run.server-not-started\""), "\(report)")
            #expect(report.contains("| no config"), "\(report)")
        }
    }
}
