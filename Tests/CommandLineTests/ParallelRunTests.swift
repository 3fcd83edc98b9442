import Foundation
import Testing

/// Scenarios that run at the same time, and servers that earlier scenarios broke.
struct ParallelRunTests {
    /// A server that accepts no login after a client has said `wedge`, in the dialect `greet`.
    static let wedging = """
        import socket, sys, threading
        wedged = False
        names = set()
        def serve(peer):
            global wedged
            name = None
            for line in peer.makefile("r", newline="\\n"):
                words = line.split()
                if words[0] == "HI" and not wedged:
                    if words[1] in names:
                        peer.sendall(b"TAKEN\\r\\n")
                        continue
                    name = words[1]
                    names.add(name)
                    peer.sendall(f"HELLO {name}\\r\\n".encode())
                elif words[0] == "WEDGE":
                    wedged = True
                    peer.sendall(b"DONE\\r\\n")
            names.discard(name)
        server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
        while True:
            threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()

        """

    static let dialect = """
        name: greet
        framing: {terminator: CRLF}
        fields: {separator: ' '}
        commands:
          hi: {wire: HI, from: client, arguments: [name: text]}
          hello: {wire: HELLO, from: server, arguments: [name: text]}
          taken: {wire: TAKEN, from: server}
          wedge: {wire: WEDGE, from: client}
          done: {wire: DONE, from: server}
        behaviours:
          login: |
            -> hi(name: {{name}})
            <~ hello(name: {{name}})
        rejects: [taken()]

        """

    private static func scenario(_ title: String, _ steps: String) -> String {
        "title \(title)\ndialect greet.yaml\noperators alice\n\nuse login\n\(steps)\n"
    }

    static let files = [
        "server.py": wedging, "greet.yaml": dialect,
        "a.chat": scenario("A", "wait 300ms"), "b.chat": scenario("B", "wait 300ms"),
        "c.chat": scenario("C", "wait 300ms"),
        "k-wedge.chat": scenario("Wedge", "alice -> WEDGE\nalice <- DONE"),
        "bob.chat": scenario("Bob", "wait 1ms").replacingOccurrences(of: "alice", with: "bob"),
        "x.chat": scenario("X", "wait 1ms"), "y.chat": scenario("Y", "wait 1ms"),
    ]

    private func run(_ folder: URL, _ words: String...) async throws -> Command.Outcome {
        try await Command(["run"] + words + ["--timeout-step", "500ms"]).within(folder).run()
    }

    @Test func startedServersAreNotShared() async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await run(
                folder, "a.chat", "b.chat", "c.chat", "-j", "3", "--exec",
                "python3 server.py {{port}}", "--keep-names")
            #expect(outcome.status == 0, "\(outcome.all)")
        }
    }

    @Test func namesDifferOnASharedServer() async throws {
        try await Files.with(Self.files) { folder in
            let port = try StartTests.freePort()
            var server = Command("server.py", "\(port)").within(folder)
            server.program = URL(filePath: "/usr/bin/python3")
            let running = try server.start()
            defer { running.kill() }
            let words = ["a.chat", "b.chat", "c.chat", "-j", "3", "--server", "127.0.0.1:\(port)"]
            let unique = try await Command(
                ["run"] + words + ["--wait", "20s", "--transcript", "-v"]
            )
            .within(folder).run()
            #expect(unique.status == 0, "\(unique.all)")
            #expect(unique.output.firstMatch(of: /HI al[0-9a-v]{3}\n/) != nil)
            let kept = try await Command(["run"] + words + ["--keep-names"]).within(folder).run()
            #expect(kept.status == 1, "\(kept.all)")
            #expect(kept.output.contains("TAKEN"))
        }
    }

    /// Other lengths of names would change what fits into a line.
    @Test func scenariosThatCountBytesPassUnderOtherNames() async throws {
        let server = try Command("serve", "--dialect", "irc").start()
        defer { server.kill() }
        let url = String(try server.line().dropFirst("listening on ".count))
        let outcome = try await Command(
            "run", "Scenarios/irc/long-line.chat", "Scenarios/irc/overlong-line.chat", "-j", "2",
            "--segment", "all", "--server", url, "--transcript", "-v"
        ).within(Files.root).run()
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.firstMatch(of: /NICK al[0-9a-v]{3}\n/) != nil, "\(outcome.all)")
    }

    @Test func scenarioThatWedgedTheServerIsNamed() async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await run(
                folder, "a.chat", "k-wedge.chat", "x.chat", "y.chat", "--exec",
                "python3 server.py {{port}}")
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.output.contains("1 flaky, 3 passed"), "\(outcome.all)")
            #expect(
                outcome.output.contains(
                    "no login succeeded after k-wedge.chat on the same server"), "\(outcome.all)")
        }
    }

    /// Starts the server on a free port until `body` ends.
    private func withServer(
        _ folder: URL, _ body: (_ port: Int) async throws -> Void
    ) async throws {
        let port = try StartTests.freePort()
        var server = Command("server.py", "\(port)").within(folder)
        server.program = URL(filePath: "/usr/bin/python3")
        let running = try server.start()
        defer { running.kill() }
        try await body(port)
    }

    /// Logs in as `alice` until `body` ends.
    private func withStaleSession(at port: Int, _ body: () async throws -> Void) async throws {
        var client = Command(
            "-c",
            """
            import socket, sys, time
            while True:
                try: peer = socket.create_connection(("127.0.0.1", int(sys.argv[1]))); break
                except OSError: time.sleep(0.05)
            peer.sendall(b"HI alice\\r\\n")
            print(peer.recv(100).decode().strip(), flush=True)
            time.sleep(600)
            """, "\(port)")
        client.program = URL(filePath: "/usr/bin/python3")
        let stale = try client.start()
        defer { stale.kill() }
        #expect(try stale.line() == "HELLO alice")
        try await body()
    }

    @Test func sessionThatAnEarlierRunLeftIsNamed() async throws {
        try await Files.with(Self.files) { folder in
            try await withServer(folder) { port in
                try await withStaleSession(at: port) {
                    let outcome = try await run(
                        folder, "bob.chat", "a.chat", "x.chat", "--server", "127.0.0.1:\(port)")
                    #expect(outcome.status == 1, "\(outcome.all)")
                    #expect(outcome.output.contains("2 failed, 1 passed"), "\(outcome.all)")
                    #expect(
                        outcome.output.contains("or an earlier run has left a session"),
                        "\(outcome.all)")
                    #expect(outcome.output.contains("with {{nonce}}"))
                    #expect(!outcome.output.contains("no login has succeeded"), "\(outcome.all)")
                }
            }
        }
    }

    @Test func loginRefusedUnderAnyNameIsNotBlamedOnAStaleSession() async throws {
        try await Files.with(Self.files) { folder in
            let refusing = try Files.text(folder.appending(path: "server.py"))
                .replacing("if words[1] in names", with: "if True")
            try Data(refusing.utf8).write(to: folder.appending(path: "server.py"))
            try await withServer(folder) { port in
                let outcome = try await run(
                    folder, "a.chat", "b.chat", "--server", "127.0.0.1:\(port)", "--wait", "20s")
                #expect(outcome.status == 1, "\(outcome.all)")
                #expect(outcome.output.contains("refused it with"), "\(outcome.all)")
                #expect(!outcome.output.contains("has left a session"), "\(outcome.all)")
            }
        }
    }

    @Test func sharedCauseIsExplainedOnce() async throws {
        try await Files.with(Self.files) { folder in
            // A server at a given address is not replaced.
            let port = try StartTests.freePort()
            let outcome = try await run(
                folder, "a.chat", "k-wedge.chat", "x.chat", "y.chat", "--exec",
                "python3 server.py \(port)", "--server", "127.0.0.1:\(port)")
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(
                outcome.output.contains("no login has succeeded since k-wedge.chat ended"),
                "\(outcome.all)")
            #expect(outcome.output.contains("FAIL  1 more scenario for the same reason"))
        }
    }
}
