import Foundation
import Testing

/// `linejudge load` through the executable. Durations are never asserted: on a busy machine the
/// verdict may be that the generator was the limit.
@Suite struct LoadTests {
    private static let small = ["load", "--operators", "10", "--rate", "50/s", "--for", "500ms"]

    private func isFine(_ outcome: Command.Outcome) -> Bool { [0, 2].contains(outcome.status) }

    @Test func aLoadOfTheBuiltInServerLosesNothing() async throws {
        let outcome = try await Command(Self.small + ["--color", "never"]).run()
        #expect(isFine(outcome), "\(outcome.all)")
        #expect(outcome.output.contains("25 sent in 500 ms"))
        #expect(outcome.output.contains("225 of 225 deliveries arrived"))
        #expect(
            outcome.output.contains(
                "0 lost, 0 duplicate, 0 reordered, 0 leaked, 0 phantom, 0 corrupted"))
    }

    @Test func everyReportIsWrittenAndReadByOthers() async throws {
        try await Files.with { folder in
            let formats = ["json", "csv", "junit", "hgrm", "hlog", "pretty", "html", "influx"]
            let reports = formats.flatMap { ["--report", "\($0)=load.\($0)"] }
            let outcome = try await Command(Self.small + reports).within(folder).run()
            #expect(isFine(outcome), "\(outcome.all)")
            for format in formats {
                #expect(try !Files.text(folder.appending(path: "load.\(format)")).isEmpty)
            }
            var validate = Command(
                "python3", Files.root.appending(path: "Tests/ReportTests/Tools/validate.py").path,
                Files.root.appending(path: "docs/load-results.schema.json").path, "load.json")
            validate.program = URL(filePath: "/usr/bin/env")
            let valid = try await validate.within(folder).run()
            #expect(valid.status == 0, "\(valid.all)")
            var lint = Command("xmllint", "--noout", "load.junit")
            lint.program = URL(filePath: "/usr/bin/env")
            let wellFormed = try await lint.within(folder).run()
            #expect(wellFormed.status == 0, "\(wellFormed.all)")
        }
    }

    /// The kernel reports data only once, and a read does not always return all of it.
    @Test(arguments: [
        // Urgent data, at which a read ends.
        #"client.sendall(b"PO"); client.send(b"!", socket.MSG_OOB); client.sendall(b"NG" + rest)"#,
        // More than fits into a read.
        #"client.sendall(b"NOTE x\n" * 10000 + b"PONG" + rest)"#,
        // The answer, and the end of the connection.
        #"client.sendall(b"PONG" + rest); client.shutdown(socket.SHUT_WR)"#,
    ])
    func answersAreReadCompletely(_ answer: String) async throws {
        let server = """
            import socket, sys, threading
            def serve(client):
                for line in client.makefile("rb"):
                    rest = line[4:]
                    \(answer)
            listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
            """
        let dialect = """
            name: ping
            framing: {terminator: LF}
            commands:
              ping: {wire: PING, from: client, arguments: [token: text]}
              pong: {wire: PONG, from: server, arguments: [token: text]}
              note: {wire: NOTE, from: server, arguments: [text: text]}
            behaviours:
              probe: |
                -> ping(token: {{token}})
                <~ pong(token: {{token}})
            """
        try await Files.with { folder in
            try Data(server.utf8).write(to: folder.appending(path: "server.py"))
            try Data(dialect.utf8).write(to: folder.appending(path: "ping.yaml"))
            let outcome = try await Command(
                "load", "--dialect", "ping.yaml", "--exec", "python3 server.py {{port}}",
                "--operators", "20", "--mix", "probe=1", "--rate", "40/s", "--for", "500ms",
                "--color", "never"
            ).within(folder).run()
            #expect(outcome.output.contains("  20 probes answered"), "\(outcome.all)")
        }
    }

    @Test func behavioursAreCountedSeparatelyAndDisconnectingThemFailsNothing() async throws {
        try await Files.with { folder in
            let outcome = try await Command(
                "load", "--operators", "40", "--room-size", "10", "--rate", "100/s", "--for",
                "1500ms", "--color", "never", "--kind", "talker=2", "--kind", "half-closed",
                "--kind", "slow-reader", "--report", "json=load.json", "--report", "html=load.html"
            ).within(folder).run()
            #expect(isFine(outcome), "\(outcome.all)")
            #expect(
                outcome.output.contains(
                    "half-closed (half-closed): 10 of 10 ready, 10 disconnected by the server"),
                "\(outcome.all)")
            #expect(outcome.output.contains("slow-reader (slow-reader, 100 B/s): 10 of 10 ready"))
            #expect(outcome.output.contains("0 lost, 0 duplicate"))
            #expect(
                try Files.text(folder.appending(path: "load.html")).contains(
                    ">Operator behaviours<"))
            try await LoadSchema.validate("load.json", in: folder)
            let strict = try await Command(
                "load", "--operators", "20", "--for", "500ms", "--kind", "talker", "--kind",
                "half-closed", "--threshold", "disconnected(half-closed) == 0", "--color", "never"
            ).run()
            #expect(strict.status == 1, "\(strict.all)")
            #expect(strict.output.contains("failed: disconnected(half-closed) == 0 (10)"))
        }
    }

    @Test func aThresholdThatCannotBeKeptIsNotKept() async throws {
        let outcome = try await Command(Self.small + ["--threshold", "operators == 50%"]).run()
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("failed: operators == 50% (100.0%)"))
    }

    @Test func whereNothingListensItIsSaidAtOnce() async throws {
        // Nothing listens on the discard port.
        let outcome = try await Command(
            "load", "--server", "irc://127.0.0.1:9", "--for", "60s"
        ).run()
        #expect(outcome.status == 69, "\(outcome.all)")
        #expect(outcome.errors.contains("127.0.0.1:9 refused the connection"))
    }

    @Test func aReportThatCannotBeWrittenIsAnErrorBeforeTheStart() async throws {
        try await Files.with { folder in
            let outcome = try await Command(
                "load", "--for", "60s", "--report", "json=\(folder.path)"
            ).run()
            #expect(outcome.status == 70, "\(outcome.all)")
            #expect(outcome.output.isEmpty)
        }
    }

    @Test func whoEndsItGetsTheReport() async throws {
        let running = try Command(
            ["load", "--operators", "10", "--for", "600s", "--color", "never"]
        ).start()
        _ = try running.line()
        running.send(SIGINT)
        let outcome = try await running.outcome()
        #expect(outcome.status == 130, "\(outcome.all)")
        #expect(outcome.output.contains("interrupted after"))
    }

    @Test(.timeLimit(.minutes(3)))
    func interruptionEndsTheWaitForTheLastMessages() async throws {
        let server = try Command("serve", "--dialect", "irc", "--fault", "drop:0.5").start()
        let address = String(try server.line().dropFirst("listening on ".count))
        try await Files.with { folder in
            let running = try Command(
                "load", "--dialect", "irc", "--server", address, "--operators", "10", "--rate",
                "100/s", "--for", "500ms", "--drain", "600s", "--report", "json=load.json",
                "--report", "junit=load.xml"
            ).within(folder).start()
            try await Task.sleep(for: .seconds(5))
            running.send(SIGINT)
            let outcome = try await running.outcome()
            #expect(outcome.status == 130, "\(outcome.all)")
            #expect(try Files.text(folder.appending(path: "load.json")).contains("interrupted"))
        }
        server.send(SIGTERM)
        _ = try await server.outcome()
    }

    @Test(.timeLimit(.minutes(3))) func loadEndsWithItsServer() async throws {
        try await Files.with([
            "crash.sh": """
            "$LINEJUDGE" serve --dialect irc --listen "127.0.0.1:$1" &
            sleep 4
            kill $!
            exit 3

            """
        ]) { folder in
            let outcome = try await Command(
                "load", "--dialect", "irc", "--exec", "bash crash.sh {{port}}", "--operators", "4",
                "--rate", "20/s", "--for", "600s"
            ).within(folder).with(environment: ["LINEJUDGE": Command.executable.path]).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(
                outcome.output.contains("FAILED: the server exited with 3"), "\(outcome.all)")
        }
    }

    @Test(arguments: [
        ["--mix", "shout"], ["--mix", "say,relay"], ["--operators", "0"], ["--rate", "fast"],
        ["--model", "closed", "--rate", "5/s"], ["--think", "1s"], ["--threshold", "p99 < 5ms"],
        ["--server", "127.0.0.1:99"], ["--tls-ca", "x"], ["--source", "no address"],
        ["--server", "tls://127.0.0.1:99", "--dialect", "irc", "--tls-ca", "/nowhere.pem"],
        ["--report", "pdf=x"], ["--kind", "lazy"], ["--kind", "mute"], ["--kind", "talker=0"],
        ["--kind", "talker", "--kind", "talker"], ["--dialect", "msnp"],
        ["Scenarios/irc/nickname-case.chat", "--mix", "say=1"],
        ["Scenarios/irc/nickname-case.chat", "--kind", "talker"],
        ["--operators", "3", "--kind", "talker=9", "--kind", "slow-reader"],
        ["--kind", "talker", "--kind", "slow-reader", "--threshold", "disconnected(slow) == 0"],
        ["--threshold", "reconnects >= 5%"], ["--live", "8080"], ["--live=8080"],
    ])
    func aWrongCommandLineIsRefused(arguments: [String]) async throws {
        let outcome = try await Command(["load"] + arguments).run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.hasPrefix("error: "))
    }
}
