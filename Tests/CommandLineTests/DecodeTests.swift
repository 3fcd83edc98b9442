import Foundation
import Glibc
import Testing

/// `linejudge decode` through the executable.
struct DecodeTests {
    @Test func aCaptureIsShownAndCounted() async throws {
        let lines = "NICK alice\r\nPASS hunter2\r\nFROB\r\n"
        let outcome = try await CaptureFile.with(CaptureFile.bytes(lines)) {
            try await Command("decode", $0, "--dialect", "irc").run()
        }
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains("#1 alice      → pass(password: \"***\")"))
        #expect(
            outcome.errors.contains(
                "1 packet, 1 connection, 3 lines; 1 line violates the irc dialect"))
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test(arguments: ["log", "json", "lines", "ladder", "deliveries"])
    func passwordThatTheServerRepeatsIsMasked(format: String) async throws {
        let segments: [CaptureFile.Segment] = [
            .init(text: "NICK alice\r\nPASS hunter22\r\nJOIN #tea\r\n"),
            .init(text: ":s 464 alice :Not hunter22 or HUNTER22\r\n", fromClient: false),
            .init(
                text: ":al!a@h PRIVMSG #tea :aHVudGVyMjI= hunter22\r\n", fromClient: false,
                offset: 40),
        ]
        try await CaptureFile.with(CaptureFile.bytes(segments)) { path in
            let words = ["decode", path, "--as", format]
            let outcome = try await Command(words).run()
            #expect(outcome.status == 0, "\(outcome.errors)")
            for text in ["hunter2", "HUNTER2", "aHVudGVy"] {
                #expect(!outcome.all.contains(text), "\(outcome.all)")
            }
            let filtered = try await Command(words + ["--command", "passwordMismatch"]).run()
            #expect(!filtered.all.contains("hunter22"), "\(filtered.all)")
            let shown = try await Command(words + ["--secrets"]).run()
            #expect(format == "deliveries" || shown.output.contains("Not hunter22"))
        }
    }

    @Test func theDialectIsGuessedAndNamed() async throws {
        let outcome = try await CaptureFile.with(
            CaptureFile.bytes("NICK alice\r\nUSER a 0 * :A\r\n")
        ) {
            try await Command("decode", $0).run()
        }
        #expect(outcome.errors.contains("detected irc, which matches 2 of the first 2 lines"))
    }

    @Test(arguments: ["gzip", "zstd", "cat"])
    func standardInputMayBeCompressed(packer: String) async throws {
        let outcome = try await CaptureFile.with(CaptureFile.bytes("NICK alice\r\nQUIT\r\n")) {
            path in
            var shell = Command(
                "-c", "\(packer) <\(path) | \(Command.executable.path) decode - --dialect irc -q")
            shell.program = URL(filePath: "/bin/sh")
            return try await shell.run()
        }
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains("nick(nickname: \"alice\")"))
        #expect(outcome.errors.isEmpty)
    }

    /// The signal goes to the whole process group, like that of Ctrl-C. On a busy machine, it takes
    /// the program more than a second to read the packets.
    @Test(arguments: ["gzip", "zstd"])
    func aSignalWhileDecompressingIsNoDamage(packer: String) async throws {
        let outcome = try await CaptureFile.with(CaptureFile.bytes("NICK alice\r\nQUIT\r\n")) {
            path in
            var shell = Command(
                "-c",
                "mkfifo $0.pipe; \(packer) -c <$0 >$0.packed; (cat $0.packed; sleep 60) >$0.pipe & "
                    + "timeout -s INT 3 \(Command.executable.path) decode - --dialect irc <$0.pipe; "
                    + "kill %1; rm $0.pipe $0.packed", path)
            shell.program = URL(filePath: "/bin/bash")
            return try await shell.run()
        }
        // gzip writes nothing before it has read all of its input.
        #expect(outcome.errors.contains(" packet"), "\(outcome.all)")
        #expect(!outcome.errors.contains("error:"), "\(outcome.all)")
    }

    @Test func whatCouldBeUnpackedOfADamagedFileIsShown() async throws {
        let bytes = CaptureFile.bytes("NICK alice\r\nQUIT\r\n")
        try await CaptureFile.with(bytes) { path in
            // First without the checksum at the end, then with the beginning only.
            for (count, status) in [(-4, 1), (12, 2)] {
                var shell = Command(
                    "-c",
                    "gzip -c <$0 | head -c \(count) >$0.gz; \(Command.executable.path) decode $0.gz "
                        + "--dialect irc; status=$?; rm $0.gz; exit $status", path)
                shell.program = URL(filePath: "/bin/sh")
                let outcome = try await shell.run()
                #expect(outcome.status == status, "\(outcome.all)")
                #expect(
                    outcome.errors.contains("gzip could not decompress all of"), "\(outcome.all)")
                guard status == 1 else { continue }
                #expect(outcome.output.contains("nick(nickname: \"alice\")"))
                #expect(outcome.errors.contains("1 packet, 1 connection, 2 lines"))
            }
        }
    }

    @Test func aScenarioRunsUntilItPasses() async throws {
        try await CaptureFile.with(CaptureFile.bytes("S0001|maria|hunter2\nS0099|?\n")) { path in
            let scenario = path + ".chat"
            let outcome = try await Command(
                "decode", path, "--dialect", "livechat", "--as", "scenario", "--verify", "-o",
                scenario
            ).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(
                outcome.errors.contains("the scenario is incomplete in 1 place, marked by comments")
            )
            #expect(outcome.errors.contains("the scenario passes against"))
            #expect(outcome.errors.contains("set LINEJUDGE_SECRET_password"))
            let text = try Files.text(URL(filePath: scenario))
            #expect(text.contains("maria -> S0001|maria|{{password}}\n"), "\(text)")
            let run = try await Command("run", scenario)
                .with(environment: ["LINEJUDGE_SECRET_password": "hunter2"]).run()
            #expect(run.status == 0, "\(run.all)")
        }
    }

    @Test func aScenarioThatCouldNotRunIsNotWritten() async throws {
        let line = "PRIVMSG #a :" + String(repeating: "y", count: 20_000)
        try await CaptureFile.with(CaptureFile.bytes("NICK alice\r\n\(line)\r\n")) { path in
            let scenario = path + ".chat"
            let outcome = try await Command(
                "decode", path, "--dialect", "irc", "--as", "scenario", "-o", scenario
            ).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(outcome.errors.contains("the scenario was not written"), "\(outcome.all)")
            #expect(!FileManager.default.fileExists(atPath: scenario))
        }
    }

    @Test(arguments: [
        ["--verify"], ["--server", "127.0.0.1:1"], ["-o", "/tmp/x.chat"],
        ["--as", "scenario", "--stats"], ["--as", "scenario", "--anonymise"],
        ["--report", "json=x.json"], ["--as", "latency", "--stats"],
        ["--as", "ladder", "--stats"], ["--as", "ladder", "--report", "html=x.html"],
        ["--as", "latency", "--report", "junit=x.xml"],
        ["--as", "latency", "--report", "json=-", "--report", "html=-"],
        ["--dialect", "irc", "--dialect", "nats"], ["--dialect", "irc@0"], ["--dialect", "@6667"],
        ["--dialect", "irc@6667", "--dialect", "nats@6667"],
        ["--dialect", "irc@6667", "--as", "scenario"], ["--from", "noon"], ["--port", "70000"],
        ["--connection", "one"], ["--time", "never"], ["--overlap", "both"],
    ])
    func optionsThatDoNotFitAreRefused(options: [String]) async throws {
        let outcome = try await CaptureFile.with(CaptureFile.bytes("NICK alice\r\n")) {
            try await Command(["decode", $0] + options).run()
        }
        #expect(outcome.status == 64, "\(outcome.all)")
    }

    @Test func answerTimesGoIntoTheReportsThatLoadsHave() async throws {
        try await CaptureFile.with(CaptureFile.bytes("NICK alice\r\nPING x\r\n")) { path in
            let json = path + ".json"
            let decoded = try await Command(
                "decode", path, "--dialect", "irc", "--as", "latency", "--report", "json=\(json)",
                "--report", "html=\(path).html"
            ).run()
            #expect(decoded.status == 0, "\(decoded.all)")
            #expect(decoded.output.contains("no latencies measured"))
            let shown = try await Command("report", json).run()
            #expect(shown.status == 0 && shown.output == decoded.output, "\(shown.all)")
            let page = try Files.text(URL(filePath: path + ".html"))
            #expect(page.contains("linejudge decode") && !page.contains("Load generator"))
        }
    }

    @Test func eachPortMayHaveItsDialect() async throws {
        let bytes = CaptureFile.bytes("PUB a 5\r\nhello\r\nFROB\r\n")
        let outcome = try await CaptureFile.with(bytes) {
            try await Command(
                "decode", $0, "--dialect", "nats@6667", "--dialect", "irc"
            ).run()
        }
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(outcome.output.contains("payload: \"hello\""))
        #expect(outcome.errors.contains("2 lines; 1 line violates the dialect"), "\(outcome.all)")
    }

    /// A growing file is read as it grows; a file that is truncated or replaced is read from the
    /// beginning.
    @Test func followingContinuesInTheFileThatReplacesIt() async throws {
        try await Files.with { folder in
            let trace = folder.appending(path: "trace.pcap")
            let first = Data(CaptureFile.bytes("NICK alice-with-a-long-name\r\n"))
            try first.prefix(50).write(to: trace)
            let decoding = try Command("decode", trace.path, "--dialect", "irc", "--follow").start()
            // A test that would wait for ever fails instead.
            let end = DispatchWorkItem { decoding.send(SIGKILL) }
            DispatchQueue.global().asyncAfter(deadline: .now() + 150, execute: end)
            defer { end.cancel() }
            func wait(_ name: String) throws {
                var line = "-"
                while !line.isEmpty, !line.contains("nickname: \"\(name)") {
                    line = try decoding.line()
                }
                #expect(!line.isEmpty, "\(name) was not shown")
            }
            // The file grows.
            let handle = try FileHandle(forWritingTo: trace)
            try handle.seekToEnd()
            try handle.write(contentsOf: first.dropFirst(50))
            try wait("alice")
            // The file is truncated and starts again.
            try handle.truncate(atOffset: 0)
            try handle.seek(toOffset: 0)
            try handle.write(contentsOf: Data(CaptureFile.bytes("NICK bob\r\n", client: 0x51)))
            try handle.close()
            try wait("bob")
            // Another file replaces it.
            let other = folder.appending(path: "other")
            try Data(CaptureFile.bytes("NICK carol\r\n", client: 0x52)).write(to: other)
            #expect(unsafe rename(other.path, trace.path) == 0)
            try wait("carol")
            decoding.send(SIGINT)
            let outcome = try await decoding.outcome()
            #expect(outcome.status == 130, "\(outcome.all)")
            #expect(outcome.errors.contains("was replaced or truncated 2 times"))
        }
    }

    #if !Capture
        @Test func withoutLibpcapItIsSaidHowToGetIt() async throws {
            let filtered = try await CaptureFile.with(CaptureFile.bytes("NICK alice\r\n")) {
                try await Command("decode", $0, "--bpf", "port 6667").run()
            }
            let live = try await Command("decode", "--interface", "lo", "--count", "1").run()
            for outcome in [filtered, live] {
                #expect(outcome.status == 64, "\(outcome.all)")
                #expect(outcome.errors.contains("swift build --traits default,Capture"))
            }
        }
    #endif

    /// `make test` runs this script before it builds anything.
    @Test(arguments: [("false", Int32(69)), ("true", 0)])
    func whereLibpcapIsMissingOneHintSaysHowToGetIt(compiler: String, status: Int32) async throws {
        var check = Command("scripts/need-libpcap.sh").within(Files.root)
        check.program = URL(filePath: "/bin/sh")
        let outcome = try await check.with(environment: ["CC": compiler]).run()
        #expect(outcome.status == status)
        #expect(outcome.errors.contains("apt-get install libpcap-dev") == (status != 0))
    }

    @Test func exitCodesStateTheKindOfError() async throws {
        let bytes = CaptureFile.bytes("NICK alice\r\nFROB\r\n")
        let whole = try await CaptureFile.with(bytes) {
            try await Command("decode", $0, "--dialect", "irc", "--strict").run()
        }
        #expect(whole.status == 1, "\(whole.all)")
        let cut = try await CaptureFile.with(bytes + [1, 2, 3]) {
            try await Command("decode", $0, "--dialect", "irc").run()
        }
        #expect(cut.status == 1 && cut.output.contains("alice"), "\(cut.all)")
        let text = try await CaptureFile.with(Array("no capture".utf8)) {
            try await Command("decode", $0, "--dialect", "irc").run()
        }
        #expect(
            text.status == 2 && text.errors.contains("not a pcap or pcapng file"), "\(text.all)")
        #expect(try await Command("decode", "/nowhere.pcap").run().status == 66)
        let unknown = try await CaptureFile.with(bytes) {
            try await Command("decode", $0, "--dialect", "irc", "--command", "nikc").run()
        }
        #expect(unknown.status == 64 && unknown.errors.contains("did you mean `nick`?"))
    }
}
