import Diagnostics
import Foundation
import Glibc
import Results
import Synchronization
import Testing
import Transport

@testable import Runner

@Suite(.timeLimit(.minutes(5)))
struct ServerUnderTestTests {
    /// A server that echoes each line.
    static let echo = #"""
        import socket, sys, threading
        print("about to listen", flush=True)
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.bind(("127.0.0.1", int(sys.argv[1])))
        s.listen()
        def serve(c):
            for line in c.makefile("rb"):
                c.sendall(line)
            c.close()
        while True:
            c, _ = s.accept()
            threading.Thread(target=serve, args=(c,), daemon=True).start()
        """#

    private func message(of error: (any Error)?) -> String {
        (error as? Diagnosed)?.diagnostics.first?.message ?? "\(String(describing: error))"
    }

    private func notes(of error: (any Error)?) -> [String] {
        (error as? Diagnosed)?.diagnostics.first?.notes.map(\.text) ?? []
    }

    private func isAlive(_ id: Int) -> Bool { kill(pid_t(id), 0) == 0 }

    @Test func serverRunsOnlyDuringTheBody() async throws {
        try await withFolder(["echo.py": Self.echo]) { folder in
            var command = ServerCommand("python3 \(folder("echo.py")) {{port}} {{dir}}")
            command.logPath = folder("server.log")
            let (server, wasThere) = try await ServerUnderTest.run(command) { server in
                #expect(await ConnectionProbe.accepts(server.endpoint))
                #expect(server.earlyEnd == nil)
                return (server, FileManager.default.fileExists(atPath: server.folder))
            }
            #expect(wasThere)
            #expect(!FileManager.default.fileExists(atPath: server.folder))
            #expect(await !ConnectionProbe.accepts(server.endpoint))
            #expect(!isAlive(server.processID))
            #expect(
                server.output.lastLines(1).map { String(decoding: $0, as: UTF8.self) }
                    == ["about to listen"])
            let log = try String(contentsOfFile: folder("server.log"), encoding: .utf8)
            #expect(log == "about to listen\n")
        }
    }

    @Test func secretsAreNotPassedToTheServer() async throws {
        unsafe setenv("LINEJUDGE_SECRET_of_the_test", "hunter2", 1)
        unsafe setenv("LINEJUDGE_VAR_of_the_test", "kept", 1)
        try await withFolder(["echo.py": Self.echo]) { folder in
            let command = ServerCommand(
                "LINEJUDGE_SECRET_given=own sh -c 'env >\(folder("env")); "
                    + "exec python3 \(folder("echo.py")) {{port}}'")
            try await ServerUnderTest.run(command) { _ in }
            let environment = try String(contentsOfFile: folder("env"), encoding: .utf8)
            #expect(!environment.contains("hunter2"))
            #expect(environment.contains("LINEJUDGE_SECRET_given=own\n"))
            #expect(environment.contains("LINEJUDGE_VAR_of_the_test=kept\n"))
        }
    }

    @Test func serverThatExitsAtOnceIsReportedWithItsOutput() async throws {
        let command = ServerCommand("sh -c 'echo one; echo two >&2; exit 3' {{port}}")
        let error = await #expect(throws: Diagnosed.self) {
            try await ServerUnderTest.run(command) { _ in }
        }
        #expect(
            message(of: error).hasPrefix(
                "the server exited with 3 before it started listening on 127."))
        #expect(notes(of: error) == ["last lines of its output:", "| one", "| two"])
    }

    @Test(arguments: [
        ("sh -c 'exit 0' {{port}}", "run the server in the foreground"),
        ("sh -c 'exit 1' {{port}}", "run the command in a terminal to find out why"),
    ])
    func adviceDependsOnHowTheServerEnded(_ command: String, _ advice: String) async throws {
        let error = await #expect(throws: Diagnosed.self) {
            try await ServerUnderTest.run(ServerCommand(command)) { _ in }
        }
        #expect(notes(of: error) == ["the server wrote nothing", advice])
    }

    @Test func misspelledScriptIsNamed() async throws {
        try await withFolder(["server.py": Self.echo]) { folder in
            let command = ServerCommand("python3 \(folder("sevrer.py")) {{port}}")
            let error = await #expect(throws: Diagnosed.self) {
                try await ServerUnderTest.run(command) { _ in }
            }
            #expect(
                notes(of: error).last
                    == "`\(folder("sevrer.py"))` does not exist; did you mean "
                    + "`\(folder("server.py"))`?")
        }
    }

    @Test func misspelledProgramIsNamed() async throws {
        try await withFolder(["server": "#!/bin/sh\n", "readme": ""]) { folder in
            let path = "PATH=/usr/bin:\(folder.path)"
            let expected = [
                ("\(folder("sevrer")) {{port}}", "did you mean `\(folder("server"))`?"),
                ("\(path) sevrer {{port}}", "did you mean `server`?"),
                (
                    "\(folder("readme")) {{port}}",
                    "change its permissions, or start it with its interpreter"
                ),
                ("PATH=/nowhere sh {{port}}", "pass the full path"),
            ]
            for (command, advice) in expected {
                let failure = #expect(throws: CommandFailure.self) {
                    try ServerCommand(command).checkProgram()
                }
                #expect(failure?.code == .unavailable)
                #expect(failure?.diagnostics.last?.notes.last?.text == advice, "\(command)")
            }
            try ServerCommand("sh {{port}}").checkProgram()
            try ServerCommand("{{dir}}/server {{port}}").checkProgram()
        }
    }

    @Test func serverThatNeverListensTimesOut() async throws {
        var command = ServerCommand("sh -c 'exec sleep 3600' {{port}}")
        command.startTimeout = 300_000_000
        let error = await #expect(throws: Diagnosed.self) {
            try await ServerUnderTest.run(command) { _ in }
        }
        #expect(message(of: error).hasSuffix("after 300 ms"))
        #expect(
            notes(of: error) == [
                "the server wrote nothing",
                "check that the server listens on this port, or allow more time with "
                    + "--start-timeout",
            ])
    }

    @Test func signalIsNamed() async throws {
        let command = ServerCommand("sh -c 'kill -9 $$' {{port}}")
        let error = await #expect(throws: Diagnosed.self) {
            try await ServerUnderTest.run(command) { _ in }
        }
        #expect(message(of: error).hasPrefix("the server was killed by signal 9 (Killed) before"))
    }

    @Test func grandchildrenAreKilled() async throws {
        try await withFolder(["echo.py": Self.echo]) { folder in
            // Both the grandchild and the server ignore SIGTERM.
            let script = """
                trap '' TERM
                sh -c "trap '' TERM; echo \\$\\$ > \(folder("pid")); while :; do sleep 0.1; done" &
                exec python3 \(folder("echo.py")) $1
                """
            try folder.write("run.sh", script)
            var command = ServerCommand("sh \(folder("run.sh")) {{port}}")
            command.stopTimeout = 50_000_000
            let server = try await ServerUnderTest.run(command) { $0 }
            let text = try String(contentsOfFile: folder("pid"), encoding: .utf8)
            let grandchild = try #require(Int(text.dropLast()))
            #expect(!isAlive(server.processID))
            // A killed process remains visible until init reaps it.
            while isAlive(grandchild), state(of: grandchild) != "Z" { await Task.yield() }
        }
    }

    /// Processes that leave the server's session, as daemons do, end with it: after a normal end, if
    /// the server ends early, and if it does not react to SIGTERM.
    @Test(arguments: [
        "exec python3 $echo $port", "exit 3", "trap '' TERM; while :; do sleep 0.1; done",
    ])
    func processesInOtherSessionsAreKilled(_ server: String) async throws {
        try await withFolder(["echo.py": Self.echo]) { folder in
            let script = """
                port=$1
                echo=\(folder("echo.py"))
                setsid sh -c 'echo $$ > \(folder("pid")); exec sleep 1000' &
                (setsid sh -c 'echo $$ > \(folder("pid2")); exec sleep 1000' &)
                while [ ! -s \(folder("pid")) ] || [ ! -s \(folder("pid2")) ]; do sleep 0.01; done
                \(server)
                """
            try folder.write("run.sh", script)
            var command = ServerCommand("sh \(folder("run.sh")) {{port}}")
            command.stopTimeout = 50_000_000
            command.startTimeout = 3_000_000_000
            _ = try? await ServerUnderTest.run(command) { _ in }
            for name in ["pid", "pid2"] {
                let text = try String(contentsOfFile: folder(name), encoding: .utf8)
                let daemon = try #require(Int(text.dropLast()))
                #expect(!isAlive(daemon), "\(name)")
            }
        }
    }

    private func state(of id: Int) -> String {
        let stat = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ") Z"
        return stat.split(separator: ")").last?.split(separator: " ").first.map(String.init) ?? "Z"
    }

    @Test func cancelledTaskStopsTheServer() async throws {
        try await withFolder(["echo.py": Self.echo]) { folder in
            let command = ServerCommand("python3 \(folder("echo.py")) {{port}}")
            let (running, continuation) = AsyncStream<RunningServer>.makeStream()
            let task = Task {
                try await ServerUnderTest.run(command) { server in
                    continuation.yield(server)
                    try await Task.sleep(for: .seconds(3600))
                }
            }
            var iterator = running.makeAsyncIterator()
            let server = try #require(await iterator.next())
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(!isAlive(server.processID))
            #expect(!FileManager.default.fileExists(atPath: server.folder))
        }
    }

    @Test func prematureEndIsDetected() async throws {
        try await withFolder(["echo.py": Self.echo]) { folder in
            let command = ServerCommand("python3 \(folder("echo.py")) {{port}}")
            let end = try await ServerUnderTest.run(command) { server in
                kill(pid_t(server.processID), SIGKILL)
                while server.earlyEnd == nil { await Task.yield() }
                return server.earlyEnd
            }
            #expect(end == "was killed by signal 9 (Killed)")
        }
    }

    @Test func addressInUseIsReported() async throws {
        try await withFolder(["echo.py": Self.echo]) { folder in
            let command = ServerCommand("python3 \(folder("echo.py")) {{port}}")
            let text = try await ServerUnderTest.run(command) { server in
                let second = ServerCommand("sleep 1", endpoint: server.endpoint)
                let error = await #expect(throws: Diagnosed.self) {
                    try await ServerUnderTest.run(second) { _ in }
                }
                return message(of: error)
            }
            #expect(text.hasPrefix("the address 127.0.0.1:"))
        }
    }

    @Test(arguments: [
        ("no-such-program {{port}}", "program not found: `no-such-program`"),
        ("/tmp {{port}}", "program not found: `/tmp`"),
        ("sleep 1", "the server's address is unknown"),
        ("a | b {{port}}", "`|` needs a shell, but the command runs without one"),
    ])
    func invalidCommandsAreExplained(text: String, expected: String) async throws {
        let error = await #expect(throws: Diagnosed.self) {
            try await ServerUnderTest.run(ServerCommand(text)) { _ in }
        }
        #expect(message(of: error) == expected)
        #expect(!notes(of: error).isEmpty)
    }

    @Test func outputIsKeptUpToItsLimit() {
        let output = ServerOutput(bytesMax: 8)
        output.append(Array("0123456".utf8))
        #expect(output.tail == Array("0123456".utf8))
        output.append(Array("7".utf8))
        #expect(output.tail == Array("01234567".utf8))
        output.append(Array("89\na".utf8))
        #expect(output.tail == Array("456789\na".utf8))
        output.append(Array("ABCDEFGHIJKLMNOP".utf8))
        #expect(output.tail == Array("IJKLMNOP".utf8))
        #expect(output.lastLines(3).count == 1)
    }
}
