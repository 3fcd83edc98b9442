import Foundation
import Glibc
import Testing

/// The command `dialect test`, with servers in Python.
struct DialectTestTests {
    private static let tilde = Files.root.appending(path: "Examples/tilde/tilde.yaml")

    /// Returns a command that starts a server from the examples.
    private static func server(_ path: String) -> String {
        "python3 '\(Files.root.appending(path: path).path)' {{port}}"
    }

    /// Tests the tilde dialect, changed by a replacement, on its server.
    private func test(
        replacing text: String = "", with other: String = "", _ more: String...
    ) async throws -> Command.Outcome {
        try await Files.with { folder in
            let dialect = folder.appending(path: "mychat.yaml")
            try Files.text(Self.tilde).replacing(text, with: other)
                .write(to: dialect, atomically: true, encoding: .utf8)
            return try await Command(
                [
                    "dialect", "test", "mychat.yaml", "--exec",
                    Self.server("Examples/tilde/server.py"),
                ]
                    + ["--timeout-step", "1s"] + more
            ).within(folder).run()
        }
    }

    @Test(arguments: [
        ("Examples/tilde/tilde.yaml", "Examples/tilde/server.py"),
        ("Examples/jsonl/chat.yaml", "Examples/jsonl/server.py"),
    ])
    func theExamplesFitTheirServers(dialect: String, server: String) async throws {
        let outcome = try await Command(
            "dialect", "test", Files.root.appending(path: dialect).path, "--exec",
            Self.server(server)
        ).run()
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains("\n✓ login"), "\(outcome.all)")
        #expect(outcome.output.contains("\n✓ say, heard"), "\(outcome.all)")
        #expect(!outcome.output.contains("✗"), "\(outcome.all)")
    }

    @Test func aWrongCommandNameIsReportedWithTheEntryToAdd() async throws {
        let outcome = try await test(replacing: "wire: SAID", with: "wire: MSG")
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("\n✗ say, heard\n"), "\(outcome.all)")
        #expect(outcome.output.contains("\n✓ probe"), "\(outcome.all)")
        #expect(outcome.output.contains("--> mychat.yaml:20:"), "\(outcome.all)")
        #expect(
            outcome.output.contains(
                "add to `commands`:  said2: {wire: SAID, from: server, arguments: [argument1: text, argument2: text]}"
            ), "\(outcome.all)")
    }

    @Test func aWrongTypeIsReportedAlthoughTheBehavioursHold() async throws {
        let outcome = try await test(
            replacing: "{wire: SAID, from: server, arguments: [name: text, text: text]}",
            with: "{wire: SAID, from: server, tolerance: {too-few: reject}, "
                + "arguments: [name: text, text: text, time: int]}")
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("\n✓ say, heard"), "\(outcome.all)")
        #expect(
            outcome.output.contains("✗ server lines that violate the dialect"),
            "\(outcome.all)")
        #expect(outcome.output.contains(" × SAID: 1 argument missing"), "\(outcome.all)")
    }

    @Test func aWrongTerminatorFailsAtTheLogin() async throws {
        let outcome = try await test(replacing: "terminator: CR,", with: "terminator: LF,")
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("\n✗ login\n"), "\(outcome.all)")
        #expect(outcome.output.contains("(lines to the server end in LF)"), "\(outcome.all)")
        #expect(
            outcome.output.contains("– say, heard          not tested: `login` fails"),
            "\(outcome.all)")
    }

    @Test func anHTTPServerIsNamed() async throws {
        let outcome = try await Command(
            "dialect", "test", Self.tilde.path, "--exec",
            "python3 -m http.server {{port}} --bind 127.0.0.1", "--timeout-step", "1s"
        ).run()
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("the server speaks HTTP"), "\(outcome.all)")
    }

    @Test func aServerThatEndsIsReported() async throws {
        try await Files.with { folder in
            // Serves one connection after the one that shows that it listens.
            let script = """
                import socket, sys
                server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
                for _ in range(2):
                    client, _ = server.accept()
                    while client.recv(65536):
                        pass
                print("enough")
                """
            let file = folder.appending(path: "server.py")
            try script.write(to: file, atomically: true, encoding: .utf8)
            let outcome = try await Command(
                "dialect", "test", Self.tilde.path, "--exec", "python3 -u server.py {{port}}",
                "--timeout-step", "1s"
            ).within(folder).run()
            #expect(outcome.status != 0, "\(outcome.all)")
            #expect(outcome.errors.contains("during the tests"), "\(outcome.all)")
            #expect(outcome.errors.contains("| enough"), "\(outcome.all)")
        }
    }

    @Test func aSignalEndsTheTests() async throws {
        let running = try Command(
            "dialect", "test", Self.tilde.path, "--exec",
            "python3 -m http.server {{port}} --bind 127.0.0.1", "--timeout-step", "60s"
        ).start()
        for _ in 0..<3 { _ = try running.line() }
        running.send(SIGINT)
        let outcome = try await running.outcome()
        #expect(outcome.status == 130, "\(outcome.all)")
        #expect(
            outcome.output.contains("interrupted: the remaining behaviours were not tested"),
            "\(outcome.all)")
    }

    @Test func unreachableServersAndMistakesOnTheCommandLineHaveTheirExitCodes() async throws {
        let path = Self.tilde.path
        let cases: [(arguments: [String], status: Int32, message: String)] = [
            ([path, "--server", "127.0.0.1:1"], 69, "127.0.0.1:1"),
            ([path], 64, "--server or --exec is required"),
            ([path, "--server", "127.0.0.1"], 64, "has no port"),
            (
                [path, "--server", "127.0.0.1:1", "--only", "hear"], 64,
                "did you mean `heard`?"
            ),
            (["missing.yaml", "--server", "127.0.0.1:1"], 66, "missing.yaml"),
        ]
        for (arguments, status, message) in cases {
            let outcome = try await Command(["dialect", "test"] + arguments).run()
            #expect(outcome.status == status, "\(outcome.all)")
            #expect(outcome.errors.contains(message), "\(outcome.all)")
        }
    }
}
