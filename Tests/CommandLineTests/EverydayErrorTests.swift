import Foundation
import Testing

/// Mistakes that people make every day, and the answers to them.
struct EverydayErrorTests {
    @Test(arguments: [("good.chat:99", 66), ("good.chat:8", 66), ("good.chat:7", 0)])
    func lineMustExist(_ word: String, _ code: Int32) async throws {
        try await Files.with(RunTests.files) { folder in
            let outcome = try await Command("run", word).within(folder).run()
            #expect(outcome.status == code, "\(outcome.all)")
            #expect(outcome.errors.contains("has no line") == (code == 66))
        }
    }

    @Test func assumedDialectIsNamed() async throws {
        try await Files.with(["a.chat": "alice connect\n"]) { folder in
            let outcome = try await Command("run", "a.chat").within(folder).run()
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("no dialect specified in a.chat; assuming livechat"))
        }
        try await Files.with(RunTests.files) { folder in
            let outcome = try await Command("run", "good.chat").within(folder).run()
            #expect(!outcome.errors.contains("assuming"))
        }
    }

    @Test func hintToRerunHasTheSeed() async throws {
        try await Files.with(RunTests.files) { folder in
            let outcome = try await Command("run", "bad.chat").within(folder).run()
            let seed = try #require(outcome.output.firstMatch(of: /seed (\d+)\n/)).1
            #expect(outcome.output.contains("run bad.chat --last-failed --seed \(seed)\n"))
            let given = try await Command("run", "bad.chat", "--seed", "5").within(folder).run()
            #expect(given.output.contains("run bad.chat --seed 5 --last-failed\n"))
        }
    }

    static let foreign: [([String], String)] = [
        (["load", "--duration", "5s"], "--for 30s"), (["load", "--duration=5s"], "--for 30s"),
        (["load", "--vus", "5"], "--operators 100"), (["load", "--users", "5"], "--operators 100"),
        (["load", "-c", "5"], "--operators 100"), (["load", "--rps", "5"], "--rate 100/s"),
        (["load", "--qps", "5"], "--rate 100/s"), (["load", "--operator", "5"], "--operators?"),
        (["run", "--host", "x", "y"], "--server HOST:PORT"),
        (["run", "--timeout", "5s", "y"], "--timeout-step 5s"),
        (["check", "--url", "x"], "--server HOST:PORT"),
        (["load", "--durations", "5s"], "did you mean --for 30s?"),
        (["dialect", "new", "x", "-o", "x.yaml"], "use > FILE to write to a file"),
    ]

    @Test(arguments: foreign)
    func optionsOfOtherToolsLeadToOurs(_ words: [String], _ option: String) async throws {
        let outcome = try await Command(words).run()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(option), "\(outcome.errors)")
    }

    @Test(arguments: [
        (["run", "a.chat", "--exec", "serve {{prot}}"], Int32(64), "did you mean `{{port}}`?"),
        (["run", "a.chat", "--exec", "serve"], 64, "add {{port}} to the command"),
        (["check", "--dialect", "toy.yml"], 66, "did you mean `toy.yaml`?"),
        (["check", "--dialect", "other.yml"], 66, "no such dialect file: other.yml"),
        (["record", "--dialect", "toy.yml"], 66, "did you mean `toy.yaml`?"),
        (["record", "--dialect", "a.yaml"], 65, "a.yaml:1:1"),
    ])
    func nearMissesLeadToWhatWasMeant(_ words: [String], status: Int32, hint: String) async throws {
        let files = [
            "a.chat": "dialect irc\noperators a\n\na connect\n", "toy.yaml": "name: toy\n",
            "a.yaml": "nam: a\n",
        ]
        try await Files.with(files) { folder in
            let outcome = try await Command(words).within(folder).run()
            #expect(outcome.status == status, "\(outcome.all)")
            #expect(outcome.errors.contains(hint), "\(outcome.all)")
        }
    }

    @Test func severalChecksInOneOptionLeadToOneOptionEach() async throws {
        let outcome = try await Command("check", "--dialect", "irc", "--only", "frame,esc").run()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("as in --only frame --only esc"), "\(outcome.errors)")
    }

    @Test func aProgramIsNotAScenario() async throws {
        let program = "import sys\n\nfor line in sys.stdin:\n    print(line)\n    sys.exit(1)\n"
        try await Files.with(["server.py": program]) { folder in
            let outcome = try await Command("run", "server.py").within(folder).run()
            #expect(outcome.status == 65, "\(outcome.all)")
            #expect(outcome.output.contains("error: `server.py` is not a scenario\n = help: name"))
        }
    }

    @Test(arguments: [
        (
            "run", 65,
            """
            error: `own.yaml` is not a scenario
             = help: pass a dialect with --dialect FILE, and name scenarios FILE.chat
            """
        ),
        (
            "load", 65,
            """
            error: this file is a dialect, not a plan
              --> own.yaml:2:1
            """
        ),
    ])
    func aDialectIsRecognised(_ command: String, _ code: Int32, _ text: String) async throws {
        let dialect = "name: own\nframing: {terminator: LF}\nfields: {separator: '|'}\n"
        try await Files.with(["own.yaml": dialect]) { folder in
            let outcome = try await Command(command, "own.yaml").within(folder).run()
            #expect(outcome.status == code, "\(outcome.all)")
            #expect(outcome.all.contains(text), "\(outcome.all)")
        }
    }

    @Test func checkOfAClosedPortIsOneLine() async throws {
        let outcome = try await Command("check", "--server", "irc://127.0.0.1:1").run()
        #expect(outcome.status == 69)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errors
                == "error: 127.0.0.1:1 refused the connection: no server is listening\n")
    }

    @Test func checkOfAnotherMachineWarns() async throws {
        let outcome = try await Command("check", "--help").run()
        #expect(outcome.output.contains("do not run them against production servers"))
    }

    /// Unlike `127.0.0.1`, the number 2130706433 is not recognised as that address, but the system
    /// resolves it to that address.
    @Test(arguments: [("127.0.0.1", false), ("2130706433", true)])
    func checkOfAnAddressThatIsNotLoopbackWarns(_ host: String, _ warns: Bool) async throws {
        let server = try Command("serve", "--dialect", "plain").start()
        defer { server.kill() }
        let port = try #require(try server.line().split(separator: ":").last)
        let words = [
            "check", "--dialect", "plain", "--server", "\(host):\(port)", "--only", "frame.term",
        ]
        let outcome = try await Command(words).run()
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(
            outcome.errors.contains("do not check \(host):\(port) if it is in production")
                == warns, "\(outcome.errors)")
        let quiet = try await Command(words + ["--quiet"]).run()
        #expect(!quiet.errors.contains("production"))
    }

    @Test func recordTriesTheServerFirst() async throws {
        try await Files.with { folder in
            let outcome = try await Command(
                "record", "--server", "irc://127.0.0.1:1", "-o", "x.chat"
            ).within(folder).run()
            #expect(outcome.status == 69, "\(outcome.all)")
            #expect(outcome.errors.contains("127.0.0.1:1 refused the connection"))
            #expect(!outcome.errors.contains("recording between"))
        }
    }

    /// Commands that write files, and a file that each of them writes.
    private static let outputs = [
        ("run good.chat --report json=a/b/run.json --report html=a/c/run.html", "a/c/run.html"),
        ("report a/b/run.json --report junit=d/e/run.xml", "d/e/run.xml"),
        ("lint good.chat --report sarif=f/g/lint.sarif", "f/g/lint.sarif"),
        ("check --dialect plain --only frame.term --report json=h/i/check.json", "h/i/check.json"),
        (
            "check --dialect plain --only frame.term --write-baseline l/m/plain.baseline",
            "l/m/plain.baseline"
        ),
        (
            "load --dialect plain --operators 2 --for 200ms --drain 100ms --report json=n/o/l.json",
            "n/o/l.json"
        ),
        ("compare n/o/l.json n/o/l.json --report html=p/q/compare.html", "p/q/compare.html"),
        ("decode trace.pcap --dialect irc --slice r/s/slice.pcapng", "r/s/slice.pcapng"),
        ("decode trace.pcap --dialect irc --as scenario -o t/u/trace.chat", "t/u/trace.chat"),
        ("decode trace.pcap --dialect irc --as latency --report html=v/w/t.html", "v/w/t.html"),
    ]

    @Test func missingFoldersOfOutputFilesAreCreated() async throws {
        let capture = CaptureFile.bytes([
            CaptureFile.Segment(text: "NICK alice\r\n"),
            CaptureFile.Segment(text: ":x 001 alice :Hi\r\n", fromClient: false),
        ])
        try await Files.with(RunTests.files) { folder in
            try Data(capture).write(to: folder.appending(path: "trace.pcap"))
            for (words, file) in Self.outputs {
                let outcome = try await Command(words.split(separator: " ").map(String.init))
                    .within(folder).run()
                let path = folder.appending(path: file).path
                #expect(
                    FileManager.default.fileExists(atPath: path), "\(words): \(outcome.all)")
            }
        }
    }

    @Test func folderThatCannotBeCreatedIsAnErrorBeforeTheWorkBegins() async throws {
        try await Files.with(RunTests.files) { folder in
            for words in [
                "run good.chat --report junit=bad.chat/run.xml",
                "record --server irc://127.0.0.1:1 -o bad.chat/x.chat",
            ] {
                let outcome = try await Command(words.split(separator: " ").map(String.init))
                    .within(folder).run()
                #expect(outcome.status == 70, "\(outcome.all)")
                #expect(outcome.errors.contains("cannot create folder"), "\(outcome.errors)")
                #expect(outcome.output.isEmpty)
            }
        }
    }

    @Test func scenariosOfOtherDialectsDoNotRunAgainstAServer() async throws {
        try await Files.with(RunTests.files) { folder in
            let one = try await Command(
                "run", "good.chat", "irc.chat", "--server", "irc://127.0.0.1:1"
            ).within(folder).run()
            #expect(one.errors.contains("1 scenario for livechat left out"), "\(one.all)")
            #expect(one.output.contains(" 1 scenario against"))
            let both = try await Command(
                "run", "good.chat", "irc.chat", "--server", "127.0.0.1:1"
            ).within(folder).run()
            #expect(both.status == 64, "\(both.all)")
            #expect(both.errors.contains("written for both"))
        }
    }
}
