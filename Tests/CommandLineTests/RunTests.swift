import Foundation
import Glibc
import Testing

/// `linejudge run` through the executable.
struct RunTests {
    static let good = """
        title     Logging in
        dialect   livechat
        tags      login
        operators maria, joe

        use login
        sync

        """

    static let bad = """
        title     Something that does not come
        dialect   livechat
        operators maria

        use login
        maria <- didReceive(text: "x")  within 100ms

        """

    static let slow = "title   Slow\ndialect livechat\n\nmaria connect\nwait 60s\n"

    static let skipped = "skip on linejudge \"not now\"\ndialect livechat\n\nmaria connect\n"

    static let files = [
        "good.chat": good, "bad.chat": bad, "skipped.chat": skipped, "typo.chat": "titel x\n",
        "empty.chat": "title   Nothing\ndialect livechat\n",
        "irc.chat": "dialect irc\n\nalice -> NICK alice\n",
    ]

    static let ends: [([String], Int32)] = [
        (["good.chat"], 0), (["bad.chat"], 1), (["good.chat", "bad.chat"], 1),
        (["skipped.chat"], 2), (["good.chat", "typo.chat"], 65), (["typo.chat", "bad.chat"], 1),
        (["missing.chat"], 66), (["good.chat", "--tag", "nothing"], 66),
        (["good.chat", "--server", "127.0.0.1:1"], 69), (["irc.chat"], 0),
        (["irc.chat", "good.chat"], 64),
        (["good.chat", "--exec", "sleep 9"], 64), (["good.chat", "--exec", "'x {{port}}"], 64),
        (["empty.chat"], 65),
        (["good.chat", "--exec", "/nonexistent/server {{port}}"], 69),
        (["good.chat", "--exec", "sh -c 'exit 3' {{port}}"], 69),
        (["good.chat", "--report", "json=/proc/nowhere/x.json"], 70),
        (["good.chat", "--dry-run"], 0), (["typo.chat", "--dry-run"], 65),
        (["good.chat", "--list"], 0), (["good.chat", "--timeout-file", "1us"], 1),
    ]

    @Test(arguments: ends)
    func eachEndHasItsCode(_ words: [String], _ code: Int32) async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command(["run"] + words).within(folder).run()
            #expect(outcome.status == code, "\(outcome.all)")
        }
    }

    @Test func everyFormatComesFromOneRun() async throws {
        try await Files.with(Self.files) { folder in
            let formats = ["pretty", "json", "junit", "tap", "github", "html"]
            let reports = formats.flatMap { ["--report", "\($0)=out/run.\($0)"] }
            let outcome = try await Command(["run", "good.chat", "bad.chat"] + reports)
                .within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            for format in formats {
                let text = try Files.text(folder.appending(path: "out/run.\(format)"))
                #expect(text.contains("Something that does not come"), "\(format)")
            }
        }
    }

    @Test(arguments: [
        ("json", "{\n"), ("junit", "<?xml"), ("tap", "TAP version"), ("github", "::error"),
    ])
    func standardOutputIsTheFormatAloneAndThePersonReadsStandardError(
        _ format: String, _ start: String
    ) async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command("run", "bad.chat", "--format", format)
                .within(folder).run()
            #expect(outcome.output.hasPrefix(start), "\(outcome.all)")
            #expect(outcome.errors.contains("1 scenario in"))
        }
    }

    @Test func aLogHasNoColourAndNoCursorMovement() async throws {
        try await Files.with(Self.files) { folder in
            let command = Command("run", "good.chat", "bad.chat", "--transcript").within(folder)
            let plain = try await command.run()
            #expect(!(plain.output + plain.errors).contains("\u{1B}"))
            #expect(!(plain.output + plain.errors).contains("\r"))
            let forced = try await command.with(environment: ["FORCE_COLOR": "1"]).run()
            #expect(forced.output.contains("\u{1B}[1;31m"))
            let never = try await Command("run", "bad.chat", "--color=never").within(folder)
                .with(environment: ["FORCE_COLOR": "1"]).run()
            #expect(!never.output.contains("\u{1B}"))
        }
    }

    @Test func allSegmentationsRun() async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command("run", "good.chat", "--segment", "all")
                .within(folder).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.output.contains("\n1 scenario, 7 runs in "), "\(outcome.output)")
            #expect(outcome.output.contains("7 passed"))
            #expect(outcome.output.contains("Logging in [mid-crlf]"))
        }
    }

    @Test func failuresAreKeptAndRunAgain() async throws {
        try await Files.with(Self.files) { folder in
            let state = ["XDG_STATE_HOME": folder.appending(path: "state").path]
            let first = try await Command("run", "good.chat", "bad.chat").within(folder)
                .with(environment: state).run()
            #expect(first.output.contains("linejudge run good.chat bad.chat --last-failed --seed "))
            let second = try await Command(
                "run", "good.chat", "bad.chat", "--last-failed", "--list"
            )
            .within(folder).with(environment: state).run()
            #expect(second.output.hasPrefix("bad.chat "), "\(second.all)")
            #expect(!second.output.contains("good.chat"))
        }
    }

    @Test(arguments: [("typo.chat", Int32(65)), ("skipped.chat", 2)])
    func noServerIsStartedIfNoScenarioCanRun(_ file: String, _ code: Int32) async throws {
        try await Files.with(RunTests.files) { folder in
            let outcome = try await Command(
                "run", file, "--software", "linejudge", "--exec", "touch started {{port}}"
            ).within(folder).run()
            #expect(outcome.status == code, "\(outcome.all)")
            #expect(!outcome.errors.contains("the server"), "\(outcome.all)")
            let started = folder.appending(path: "started").path
            #expect(!FileManager.default.fileExists(atPath: started))
        }
    }

    @Test func theListIsInTheOrderOfTheRun() async throws {
        try await Files.with(RunTests.files) { folder in
            let words = ["run", "good.chat", "bad.chat", "skipped.chat", "--shuffle", "--seed"]
            var orders: Set<String> = []
            for seed in 1...6 {
                let list = try await Command(words + ["\(seed)", "--list"]).within(folder).run()
                #expect(list.errors.contains("shuffled with seed \(seed)"), "\(list.errors)")
                let listed = list.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
                let run = try await Command(words + ["\(seed)"]).within(folder).run()
                let names = run.output.matches(of: /\((\w+\.chat)[^)]*\)\n/).map(\.output.1)
                #expect(listed == names, "\(run.output)")
                orders.insert(list.output)
            }
            #expect(orders.count > 1)
        }
    }

    @Test func oneScenarioThatFailsIsHeadedOnce() async throws {
        try await Files.with(RunTests.files) { folder in
            let alone = try await Command("run", "bad.chat").within(folder).run()
            #expect(alone.output.matches(of: /✗ FAIL/).count == 1, "\(alone.output)")
            let quiet = try await Command("run", "bad.chat", "-q").within(folder).run()
            #expect(quiet.output.matches(of: /✗ FAIL/).count == 1, "\(quiet.output)")
            let two = try await Command("run", "bad.chat", "good.chat").within(folder).run()
            #expect(two.output.matches(of: /✗ FAIL/).count == 2, "\(two.output)")
        }
    }

    @Test func failureShowsTheEndOfTheTranscript() async throws {
        try await Files.with(RunTests.files) { folder in
            let part = try await Command("run", "bad.chat").within(folder).run()
            #expect(
                part.output.contains(/\n  > +\d+\.\d ms  maria  ·  failed here\n/), "\(part.output)"
            )
            let all = try await Command("run", "bad.chat", "--transcript").within(folder).run()
            #expect(!all.output.contains("show all with"), "\(all.output)")
            #expect(all.output.contains("transcript ("))
        }
    }

    @Test func theWireTraceGoesToStandardError() async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command("run", "good.chat", "-vv").within(folder).run()
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("maria  →  S0001|maria"), "\(outcome.errors)")
            #expect(!outcome.output.contains("S0001"))
        }
    }

    @Test func aSecretIsShownNowhere() async throws {
        let text = """
            dialect   livechat
            secret    word

            maria -> login(nickname: "maria", password: {{word}})
            maria <- didReceive(text: {{word}})  within 100ms

            """
        try await Files.with(["secret.chat": text]) { folder in
            let command = Command(
                "run", "secret.chat", "-vv", "--transcript", "--report", "json=run.json")
            let outcome = try await command.within(folder)
                .with(environment: ["LINEJUDGE_SECRET_word": "hunter2xyz"]).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            let report = try Files.text(folder.appending(path: "run.json"))
            #expect(!(outcome.output + outcome.errors + report).contains("hunter2xyz"))
            let typed = try await Command("run", "secret.chat", "--var", "word=hunter2xyz")
                .within(folder).run()
            #expect(!(typed.output + typed.errors).contains("hunter2xyz"), "\(typed.all)")
        }
    }

    /// A password in a scenario's text is no variable, but an argument that the dialect declares
    /// secret.
    @Test(arguments: ["-> PASS hunter2xyz", "-> OPER admin hunter2xyz"])
    func aSecretArgumentIsShownNowhere(_ line: String) async throws {
        let text = """
            dialect   irc

            maria -> NICK maria
            maria \(line)
            maria <- 999 {{...}}  within 100ms
            maria -> PRIVMSG maria :hunter2xyz

            """
        try await Files.with(["secret.chat": text]) { folder in
            let reports = ["json", "html", "junit", "markdown", "sarif", "tap", "github"]
            let outcome = try await Command(
                ["run", "secret.chat", "-vv", "--transcript"]
                    + reports.flatMap { ["--report", "\($0)=run.\($0)"] }
            ).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(!outcome.all.contains("hunter2xyz"), "\(outcome.all)")
            for report in reports {
                let text = try Files.text(folder.appending(path: "run.\(report)"))
                #expect(!text.contains("hunter2xyz"), "\(text)")
            }
        }
    }
}

/// Runs that are ended from outside, for example by a signal.
struct InterruptionTests {
    @Test(arguments: [
        (SIGINT, Int32(130), "interrupted"), (SIGTERM, 143, "terminated"),
        (SIGHUP, 143, "terminated"), (SIGQUIT, 143, "terminated"),
    ])
    func aSignalEndsTheRunAndTheReportIsWritten(
        _ signal: Int32, _ code: Int32, _ word: String
    ) async throws {
        try await Files.with(["slow.chat": RunTests.slow]) { folder in
            let running = try Command("run", "slow.chat", "--report", "json=run.json")
                .within(folder).start()
            _ = try running.line()
            running.send(signal)
            let outcome = try await running.outcome()
            #expect(outcome.status == code, "\(outcome.all)")
            let report = try Files.text(folder.appending(path: "run.json"))
            #expect(report.contains("\"interruption\" : \"\(word)\""))
            #expect(report.contains("\"exitCode\" : \(code)"))
        }
    }

    @Test func aReaderThatGoesAwayIsNoFailure() async throws {
        try await Files.with(RunTests.files) { folder in
            for words in [
                ["run", "bad.chat"], ["run", "bad.chat", "--format", "json"], ["--help"],
            ] {
                let running = try Command(words).within(folder).start()
                try running.output.fileHandleForReading.close()
                #expect(running.wait() == 0, "\(words)")
            }
        }
    }

    @Test func watchingRunsAgainAfterAChange() async throws {
        try await Files.with(RunTests.files) { folder in
            let running = try Command("run", "good.chat", "--watch").within(folder).start()
            #expect(try total(running).contains("1 passed"))
            // A change during the run is noticed, too.
            try Data(RunTests.bad.utf8).write(to: folder.appending(path: "good.chat"))
            #expect(try total(running).contains("1 failed"))
            running.send(SIGINT)
            let outcome = try await running.outcome()
            #expect(outcome.status == 130, "\(outcome.all)")
        }
    }

    /// The summary line, which only hints follow.
    private func total(_ running: Running) throws -> String {
        while true {
            let line = try running.line()
            if line.hasPrefix("1 scenario in") { return line }
            try #require(running.process.isRunning || !line.isEmpty)
        }
    }
}

/// Servers that misbehave.
@Suite
struct BadServerTests {
    /// A server that runs this code for each connection `c`; it prints its port.
    func server(_ body: String) throws -> (Running, Int) {
        let text = """
            import socket, time
            s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
            print(s.getsockname()[1], flush=True)
            held = []
            while True:
                c, _ = s.accept()
                \(body)
            """
        var command = Command("-c", text)
        command.program = URL(filePath: "/usr/bin/python3")
        let running = try command.start()
        return (running, try #require(Int(try running.line())))
    }

    @Test(arguments: [
        ("c.close()", 1, "maria's connection while"),
        ("held.append(c)", 1, "did not arrive"),
        ("c.sendall(b'\\x00\\xff\\x1b[2J' * 1000 + b'\\n'); held.append(c)", 1, "did not arrive"),
        ("c.sendall(b'x' * 5000000); held.append(c)", 1, "FAIL"),
    ])
    func aServerThatMisbehavesIsAFailureWithAReason(
        _ body: String, _ code: Int32, _ reason: String
    ) async throws {
        let (server, port) = try server(body)
        defer { server.kill() }
        try await Files.with(RunTests.files) { folder in
            let outcome = try await Command(
                "run", "good.chat", "--server", "127.0.0.1:\(port)", "--timeout-step", "2s",
                "--transcript"
            ).within(folder).run()
            #expect(outcome.status == code, "\(outcome.all.prefix(2000))")
            #expect(outcome.output.contains(reason), "\(outcome.all.prefix(2000))")
            #expect(!outcome.output.contains("\u{1B}"))
        }
    }
}

extension BadServerTests {
    @Test(arguments: ["held.append(c)", "c.sendall(b'220 hello\\r\\n'); held.append(c)"])
    func aPortWithoutTLSIs69AndSaysSo(_ body: String) async throws {
        let (server, port) = try server(body)
        defer { server.kill() }
        try await Files.with(RunTests.files) { folder in
            let outcome = try await Command(
                "run", "good.chat", "--server", "tls://127.0.0.1:\(port)", "--timeout-step", "1s"
            ).within(folder).run()
            #expect(outcome.status == 69, "\(outcome.all)")
            let hint = "not seem to speak TLS; to connect without it: --server tcp://127.0.0.1:"
            #expect(outcome.output.contains(hint), "\(outcome.all)")
        }
    }
}

/// `serve`, and `run` against it.
struct ServeTests {
    @Test func theServerSaysWhereItListensAndEndsWhenItIsAsked() async throws {
        let server = try Command("serve").start()
        let line = try server.line()
        #expect(line.hasPrefix("listening on tcp://127.0.0.1:"), "\(line)")
        let url = String(line.dropFirst("listening on ".count))
        try await Files.with(RunTests.files) { folder in
            let outcome = try await Command("run", "good.chat", "--server", url).within(folder)
                .run()
            #expect(outcome.status == 0, "\(outcome.all)")
        }
        server.send(SIGTERM)
        let end = try await server.outcome()
        #expect(end.status == 0, "\(end.all)")
    }

    @Test func hangingUpEndsTheServerOnlyWithoutNohup() async throws {
        var nohup = Command(Command.executable.path, "serve")
        nohup.program = URL(filePath: "/usr/bin/nohup")
        let (kept, ended) = (try nohup.start(), try Command("serve").start())
        let url = String(try kept.line().dropFirst("listening on ".count))
        _ = try ended.line()
        kept.send(SIGHUP)
        ended.send(SIGHUP)
        #expect(try await ended.outcome().status == 0)
        try await Files.with(RunTests.files) { folder in
            let outcome = try await Command("run", "good.chat", "--server", url).within(folder)
                .run()
            #expect(outcome.status == 0, "\(outcome.all)")
        }
        kept.send(SIGTERM)
        #expect(try await kept.outcome().status == 0)
    }

    @Test func itIsAServerUnderTestLikeAnyOther() async throws {
        try await Files.with(RunTests.files) { folder in
            let command = "\(Command.executable.path) serve --listen 127.0.0.1:{{port}}"
            let outcome = try await Command("run", "good.chat", "--exec", command)
                .within(folder).run()
            #expect(outcome.status == 0, "\(outcome.all)")
        }
    }

    @Test func itListensAtAUnixSocket() async throws {
        try await Files.with(RunTests.files) { folder in
            let socket = folder.appending(path: "s").path
            let server = try Command("serve", "--listen", "unix:\(socket)").start()
            #expect(try server.line() == "listening on unix:\(socket)")
            let outcome = try await Command("run", "good.chat", "--server", "unix:\(socket)")
                .within(folder).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            server.send(SIGINT)
            let end = try await server.outcome()
            #expect(end.status == 0, "\(end.all)")
            #expect(!FileManager.default.fileExists(atPath: socket))
        }
    }

    @Test func anAddressThatCannotBeHadIs69() async throws {
        let server = try Command("serve").start()
        let address = String(try server.line().dropFirst("listening on tcp://".count))
        let second = try await Command("serve", "--listen", address).run()
        #expect(second.status == 69)
        #expect(second.errors.contains("in use"), "\(second.errors)")
        server.send(SIGTERM)
        _ = try await server.outcome()
    }
}
