import Foundation
import Glibc
import Testing

/// What a command leaves behind when a signal ends it.
struct SignalTests {
    /// A check that finds many failures, and that takes much longer to confirm them.
    private static func check(_ folder: URL) throws -> Running {
        try Command(
            "check", "--server", "irc://\(try address(folder))", "--only", "arity", "--out",
            "found",
            "--report", "json=check.json", "--repeat", "50"
        ).within(folder).start()
    }

    private static func address(_ folder: URL) throws -> String {
        try Files.text(folder.appending(path: "address"))
    }

    private static func withServer<Result>(
        _ body: (URL, Running) async throws -> Result
    ) async throws -> Result {
        try await Files.with { folder in
            let server = try Command(
                "serve", "--dialect", "irc", "--fault", "extra-arguments-close", "--fault",
                "few-arguments-close"
            ).start()
            let address = try #require(try server.line().split(separator: "/").last)
            try Data(address.utf8).write(to: folder.appending(path: "address"))
            let result = try await body(folder, server)
            server.send(SIGTERM)
            _ = try await server.outcome()
            return result
        }
    }

    /// Waits until a scenario of a failure exists, and returns the names of all.
    private static func found(_ folder: URL) async throws -> [String] {
        for _ in 0..<6_000 {
            let names =
                (try? FileManager.default.contentsOfDirectory(
                    atPath: folder.appending(path: "found").path)) ?? []
            let scenarios = names.filter { $0.hasSuffix(".chat") && !$0.hasPrefix(".") }
            if !scenarios.isEmpty { return scenarios }
            try await Task.sleep(for: .milliseconds(10))
        }
        return []
    }

    @Test(arguments: [SIGKILL, SIGINT])
    func failuresFoundSoFarAreKept(_ signal: Int32) async throws {
        try await Self.withServer { folder, _ in
            let check = try Self.check(folder)
            let names = try await Self.found(folder)
            check.send(signal)
            let outcome = try await check.outcome()
            #expect(outcome.status == (signal == SIGINT ? 130 : -SIGKILL), "\(outcome.all)")
            #expect(!names.isEmpty, "\(outcome.all)")
            for name in try await Self.found(folder) {
                let parsed = try await Command("run", "--dry-run", "found/\(name)").within(folder)
                    .run()
                #expect(parsed.status == 0, "\(name): \(parsed.all)")
            }
            guard signal == SIGINT else { return }
            let report = try Files.text(folder.appending(path: "check.json"))
            #expect(report.contains("\"interruption\" : \"interrupted\""))
            #expect(report.contains("\"scenarioPath\" : \"found/"))
        }
    }

    @Test func reportsAreSavedWhileScenariosRun() async throws {
        let files = [
            "quick.chat": "dialect livechat\n\nmaria connect\n", "slow.chat": RunTests.slow,
        ]
        try await Files.with(files) { folder in
            let run = try Command(
                "run", "quick.chat", "slow.chat", "--report", "json=run.json", "--report",
                "junit=run.xml"
            ).within(folder).start()
            try await Self.expectInterimReports(
                of: run, "run.json", and: "run.xml", naming: "quick.chat", folder)
        }
    }

    @Test func reportsAreSavedWhileChecksRun() async throws {
        try await Self.withServer { folder, server in
            let check = try Self.check(folder)
            _ = try await Self.found(folder)
            // From now on, checks wait for answers until they give up.
            server.send(SIGSTOP)
            defer { server.send(SIGCONT) }
            try await Self.expectInterimReports(of: check, "check.json", naming: "arity.", folder)
        }
    }

    /// Expects that a command saves results before its end, and another report, which is written
    /// after them; and that the results can be read after the command was killed.
    private static func expectInterimReports(
        of command: Running, _ name: String, and other: String? = nil, naming text: String,
        _ folder: URL
    ) async throws {
        var saved = ""
        var otherText = ""
        for _ in 0..<600 {
            if saved.contains("\"interruption\" : \"unfinished\""), otherText.contains(text) {
                break
            }
            try await Task.sleep(for: .milliseconds(100))
            saved = (try? Files.text(folder.appending(path: name))) ?? ""
            otherText = (try? Files.text(folder.appending(path: other ?? name))) ?? ""
        }
        command.send(SIGKILL)
        let outcome = try await command.outcome()
        #expect(outcome.status == -SIGKILL, "\(outcome.all)")
        #expect(saved.contains(text), "\(saved)")
        #expect(otherText.contains(text), "\(otherText)")
        let report = try await Command("report", name).within(folder).run()
        #expect(report.status == 0, "\(report.all)")
        #expect(report.output.contains("unfinished"), "\(report.all)")
    }

    /// A reader that opens the pipe, makes it small, and reads nothing.
    private static let reader = """
        import fcntl, os, sys, time
        pipe = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
        fcntl.fcntl(pipe, 1031, 4096)
        print("open", flush=True)
        time.sleep(600)
        """

    @Test func aReportToAPipeThatIsNotReadIsGivenUp() async throws {
        try await Files.with(["slow.chat": RunTests.slow]) { folder in
            try #require(unsafe mkfifo(folder.appending(path: "pipe").path, 0o600) == 0)
            var command = Command("-c", Self.reader)
            command.program = URL(filePath: "/usr/bin/python3")
            let reader = try command.within(folder).start()
            _ = try reader.line()
            let run = try Command(
                "run", "slow.chat", "--report", "html=pipe", "--report", "json=run.json"
            ).within(folder).start()
            _ = try run.line()
            run.send(SIGINT)
            let outcome = try await run.outcome()
            reader.send(SIGKILL)
            _ = try await reader.outcome()
            #expect(outcome.status == 70, "\(outcome.all)")
            #expect(outcome.errors.contains("the pipe's reader has stopped reading"))
            let report = try Files.text(folder.appending(path: "run.json"))
            #expect(report.contains("\"interruption\" : \"interrupted\""))
        }
    }

    @Test func aStoppedCommandContinues() async throws {
        try await Files.with(["short.chat": "dialect livechat\n\nmaria connect\nwait 500ms\n"]) {
            folder in
            let run = try Command("run", "short.chat").within(folder).start()
            _ = try run.line()
            run.send(SIGTSTP)
            try await Task.sleep(for: .milliseconds(200))
            run.send(SIGCONT)
            let outcome = try await run.outcome()
            #expect(outcome.status == 0, "\(outcome.all)")
        }
    }

    /// Starts a command with a server that never listens, and waits until the server runs. Then
    /// signals are handled.
    private static func startWithServer(_ folder: URL) async throws -> Running {
        let run = try Command(
            "run", "slow.chat", "--exec", "sh -c 'touch started; exec sleep 60' {{port}}"
        ).with(environment: ["TMPDIR": folder.path]).within(folder).start()
        let started = folder.appending(path: "started").path
        while !FileManager.default.fileExists(atPath: started) {
            try await Task.sleep(for: .milliseconds(10))
        }
        return run
    }

    /// Returns the names of the servers' temporary folders.
    private static func serverFolders(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasPrefix("linejudge-")
        }
    }

    @Test func theFolderOfAKilledCommandIsRemovedByTheNext() async throws {
        try await Files.with(["slow.chat": RunTests.slow]) { folder in
            let next = Command("run", "slow.chat", "--exec", "false {{port}}")
                .with(environment: ["TMPDIR": folder.path]).within(folder)
            let run = try await Self.startWithServer(folder)
            let left = try Self.serverFolders(folder)
            #expect(left.count == 1)
            // The folder of a command that runs stays.
            _ = try await next.run()
            #expect(try Self.serverFolders(folder) == left)
            run.kill()
            _ = try await run.outcome()
            #expect(try Self.serverFolders(folder) == left)
            _ = try await next.run()
            #expect(try Self.serverFolders(folder) == [])
        }
    }

    /// Returns true while the process with the id in the file runs.
    private static func isRunning(_ file: URL) throws -> Bool {
        let id = try #require(Int(try Files.text(file).dropLast()))
        let stat = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ") Z"
        return stat.split(separator: ")").last?.hasPrefix(" Z") == false
    }

    /// A server that also starts a process in a session of its own, as daemons do.
    @Test(.timeLimit(.minutes(2)), arguments: [SIGKILL, SIGINT])
    func serversInOtherSessionsEndWithTheCommand(_ signal: Int32) async throws {
        let server = """
            (setsid sh -c 'echo $$ > daemon; exec sleep 1000' &)
            while [ ! -s daemon ]; do sleep 0.01; done
            echo $$ > server
            exec sleep 1000
            """
        try await Files.with(["slow.chat": RunTests.slow, "server.sh": server]) { folder in
            let run = try Command("run", "slow.chat", "--exec", "sh server.sh {{port}}")
                .with(environment: ["TMPDIR": folder.path]).within(folder).start()
            let files = ["server", "daemon"].map { folder.appending(path: $0) }
            while (try? Files.text(files[0]))?.isEmpty != false {
                try await Task.sleep(for: .milliseconds(10))
            }
            for file in files { #expect(try Self.isRunning(file)) }
            run.send(signal)
            _ = run.wait()
            for file in files {
                while try Self.isRunning(file) { try await Task.sleep(for: .milliseconds(10)) }
            }
        }
    }

    @Test func theSecondSignalEndsACommandImmediately() async throws {
        try await Files.with(["slow.chat": RunTests.slow]) { folder in
            let run = try await Self.startWithServer(folder)
            run.send(SIGTERM)
            // Long enough not to count as the same signal.
            try await Task.sleep(for: .milliseconds(500))
            run.send(SIGTERM)
            let outcome = try await run.outcome()
            #expect(outcome.status == 143, "\(outcome.all)")
        }
    }

    /// As `timeout` does, which signals the process and then its group.
    @Test func aSignalThatIsSentTwiceCountsOnce() async throws {
        try await Files.with(["slow.chat": RunTests.slow]) { folder in
            let run = try Command("run", "slow.chat", "--report", "json=run.json")
                .within(folder).start()
            _ = try run.line()
            run.send(SIGINT)
            run.send(SIGTERM)
            let outcome = try await run.outcome()
            #expect([130, 143].contains(outcome.status), "\(outcome.all)")
            let report = try Files.text(folder.appending(path: "run.json"))
            #expect(report.contains("\"interruption\" : "))
        }
    }

    /// Sends a long line, and then creates a file.
    private static let longLine = """
        import socket, sys
        server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
        while True:
            client, _ = server.accept()
            if not client.recv(100):
                continue
            client.sendall(b"a" * 60000 + b"\\r\\n")
            open("sent", "w").close()
            client.recv(100)
        """

    /// A scenario that would compute for minutes.
    private static let costly =
        "dialect plain\noperators alice\ntimeout step 500ms\n"
        + String(repeating: "ignore {{/.*a.{990}.{990}b/}}\n", count: 1_000)
        + "\nalice -> hello\nalice <- never\n"

    @Test(.timeLimit(.minutes(2)))
    func aStepThatComputesDoesNotDelayTheReports() async throws {
        try await Files.with(["costly.chat": Self.costly, "server.py": Self.longLine]) { folder in
            let run = try Command(
                "run", "costly.chat", "--exec", "python3 server.py {{port}}", "--report",
                "json=run.json", "--report", "html=run.html"
            ).within(folder).start()
            let sent = folder.appending(path: "sent").path
            while !FileManager.default.fileExists(atPath: sent) {
                try await Task.sleep(for: .milliseconds(10))
            }
            try await Task.sleep(for: .milliseconds(200))
            run.send(SIGINT)
            let outcome = try await run.outcome()
            #expect(outcome.status == 130, "\(outcome.all)")
            let report = try Files.text(folder.appending(path: "run.json"))
            #expect(report.contains("\"interruption\" : \"interrupted\""))
            #expect(report.contains("interrupted while a step was computing"))
            #expect(try Files.text(folder.appending(path: "run.html")).hasSuffix("</html>\n"))
        }
    }

    /// Backtracking engines take exponential time for this expression.
    @Test(.timeLimit(.minutes(1)), arguments: ["(a+)+b", "(a|aa)+b", ".*a.{990}.{990}b"])
    func aStepTimeoutEndsAnyExpression(_ expression: String) async throws {
        let scenario =
            "dialect plain\noperators alice\ntimeout step 300ms\n\nalice -> hello\n"
            + "alice <- {{/\(expression)/}}\n"
        try await Files.with(["bad.chat": scenario, "server.py": Self.longLine]) { folder in
            let outcome = try await Command(
                "run", "bad.chat", "--exec", "python3 server.py {{port}}", "--report",
                "json=run.json"
            ).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(try Files.text(folder.appending(path: "run.json")).contains("timeout"))
        }
    }
}
