import Foundation
import Testing

/// `linejudge check --capture`, on captures of servers with and without faults.
struct CheckCaptureTests {
    static let isPossible = CapturedTraffic.isPossible

    /// The lines of a client and a server, one segment each.
    private static func lines(_ lines: (text: String, fromClient: Bool)...) -> [UInt8] {
        var offsets = [true: 0, false: 0]
        return CaptureFile.bytes(
            lines.map { text, fromClient in
                defer { offsets[fromClient, default: 0] += text.utf8.count }
                return CaptureFile.Segment(
                    text: text, fromClient: fromClient, offset: offsets[fromClient] ?? 0)
            })
    }

    /// Two lines, because the first line of a stream may be incomplete.
    private static let welcome = ":s NOTICE * :wait\r\n:s 001 alice :hi\r\n"

    private func check(_ capture: [UInt8], _ options: String...) async throws -> Command.Outcome {
        try await CaptureFile.with(capture) { path in
            try await Command(
                ["check", "--capture", path, "--dialect", "irc", "--no-ci"] + options
            ).run()
        }
    }

    @Test func aCaptureInNoKnownDialectIsNotJudged() async throws {
        let capture = Self.lines(("one two\r\nthree\r\n", true), ("four\r\nfive six\r\n", false))
        try await CaptureFile.with(capture) { path in
            let outcome = try await Command("check", "--capture", path, "--no-ci").run()
            #expect(outcome.status == 2, "\(outcome.all)")
            #expect(outcome.errors.contains("no known dialect fits the lines"), "\(outcome.all)")
        }
    }

    /// One diagnostic says why there is nothing to judge.
    @Test func aCaptureWithoutLinesIsNotJudged() async throws {
        for (capture, reason) in [
            (CaptureFile.bytes([]), "warning: the capture has no packets"),
            (Array("no capture".utf8), "error: "),
        ] {
            try await CaptureFile.with(capture) { path in
                let outcome = try await Command("check", "--capture", path, "--no-ci").run()
                #expect(outcome.status == 2, "\(outcome.all)")
                let errors = outcome.errors.split(separator: "\n").filter { !$0.hasPrefix(" ") }
                #expect(errors.count == 1 && errors[0].hasPrefix(reason), "\(outcome.all)")
            }
        }
    }

    @Test(
        .enabled(if: isPossible, "capturing needs root and tcpdump"),
        arguments: ["irc", "jsonl", "livechat"])
    func aServerWithoutFaultsPasses(dialect: String) async throws {
        try await CapturedTraffic.ofReferenceServer(
            dialect, [], scenario: CapturedTraffic.talk(dialect)
        ) { path in
            let outcome = try await Command(
                "check", "--capture", path, "--dialect", dialect, "--no-ci"
            ).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            for rule in ["capture.answers", "capture.source", "capture.delivery", "capture.order"] {
                #expect(outcome.output.contains("✓ \(rule)"), "\(rule): \(outcome.output)")
            }
        }
    }

    @Test(
        .enabled(if: isPossible, "capturing needs root and tcpdump"),
        arguments: [
            "drop": "delivery", "duplicate": "delivery", "mutate": "delivery", "leak": "delivery",
            "swap": "order",
        ])
    func eachFaultIsFound(fault: (key: String, value: String)) async throws {
        try await CapturedTraffic.ofReferenceServer(
            "irc", ["--fault", fault.key], scenario: CapturedTraffic.talk("irc")
        ) { path in
            let outcome = try await Command(
                "check", "--capture", path, "--dialect", "irc", "--no-ci", "--report",
                "json=\(path).json", "--report", "html=\(path).html", "--report",
                "junit=\(path).xml"
            ).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(outcome.output.contains("✗ FAILED  capture.\(fault.value)"), "\(outcome.all)")
            let json = try Files.text(URL(filePath: path + ".json"))
            #expect(json.contains("\"capture\""), "\(json.prefix(500))")
            #expect(
                try Files.text(URL(filePath: path + ".html")).contains("capture.\(fault.value)"))
            #expect(try Files.text(URL(filePath: path + ".xml")).contains("<failure"))
            var validate = Command(
                "120", "python3",
                Files.root.appending(path: "Tests/ReportTests/Tools/validate.py").path,
                Files.root.appending(path: "docs/check-results.schema.json").path, path + ".json")
            validate.program = URL(filePath: "/usr/bin/timeout")
            let checked = try await validate.with(environment: [
                "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": NSTemporaryDirectory(),
            ]).run()
            #expect(checked.status == 0, "\(checked.all)")
        }
    }

    /// The evidence contains the packet, the time, the connection and the line.
    @Test func aLineThatIsTooLongFails() async throws {
        let outcome = try await check(
            Self.lines(
                ("NICK alice\r\nUSER a 0 * :A\r\n", true), (Self.welcome, false),
                (":s NOTICE alice :" + String(repeating: "x", count: 600) + "\r\n", false)))
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("✗ FAILED  capture.length"), "\(outcome.all)")
        #expect(outcome.output.contains("bytes too long: “:s NOTICE alice :xxxx"))
        #expect(
            outcome.output.contains(
                "(packet 3, 2023-11-14T22:13:20.002000000Z, connection 1 (alice))"),
            "\(outcome.output)")
        #expect(outcome.output.contains("RFC 2812 §2.3 (must)"), "\(outcome.output)")
    }

    @Test func wrongArgumentsFailAndUnknownCommandsAreReported() async throws {
        let outcome = try await check(
            Self.lines(
                ("NICK alice\r\nUSER a 0 * :A\r\n", true), (Self.welcome, false),
                (":s 322 alice #tea many :topic\r\n", false), (":s FROB alice\r\n", false)))
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("✗ FAILED  capture.arguments"), "\(outcome.all)")
        #expect(outcome.output.contains("members is not a valid int"), "\(outcome.all)")
        #expect(outcome.output.contains("capture.commands: 1 of 3 lines: unknown command"))
    }

    @Test func secretsAndControlCharactersAreNotShown() async throws {
        let outcome = try await check(
            Self.lines(
                ("NICK alice\r\nUSER a 0 * :A\r\n", true), (Self.welcome, false),
                (":s MODE #tea +k hunter2 \u{1B}[31m\0\r\n", false)))
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("capture.characters"), "\(outcome.all)")
        #expect(!outcome.all.contains("hunter2") && !outcome.all.contains("\u{1B}"))
    }

    @Test func passwordThatTheServerRepeatsIsMasked() async throws {
        let outcome = try await check(
            Self.lines(
                ("PASS hunter2\r\nNICK alice\r\nUSER a 0 * :A\r\n", true), (Self.welcome, false),
                (":s 464 alice :Not hunter2\u{1B}\0\r\n", false)))
        #expect(outcome.status == 1, "\(outcome.all)")
        #expect(outcome.output.contains("464 alice :Not ***"), "\(outcome.all)")
        #expect(!outcome.all.contains("hunter2"), "\(outcome.all)")
    }

    @Test func rulesWithoutAnythingToJudgeAreNotApplicable() async throws {
        let outcome = try await check(
            Self.lines(("NICK alice\r\nUSER a 0 * :A\r\n", true), (Self.welcome, false)),
            "--only", "capture.answers", "--only", "capture.length")
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(
            outcome.output.contains("not applicable  the capture has no request"), "\(outcome.all)")
    }

    @Test func aCaptureWithoutLinesOfTheDialectIsAnError() async throws {
        let outcome = try await check(Self.lines(("HELLO\r\n", true), ("WORLD\r\n", false)))
        #expect(outcome.status == 2, "\(outcome.all)")
        #expect(outcome.errors.contains("error: "), "\(outcome.all)")
        #expect(outcome.errors.contains("no line is a command of the `irc` dialect"))
    }

    @Test func aDamagedCaptureDoesNotPass() async throws {
        let capture = Self.lines(
            ("NICK alice\r\nUSER a 0 * :A\r\n", true), (Self.welcome, false))
        let outcome = try await check(capture + [1, 2, 3])
        #expect(outcome.status == 2, "\(outcome.all)")
        #expect(outcome.errors.contains("trace.pcap"), "\(outcome.all)")
        let missing = try await Command("check", "--capture", "/nowhere.pcap").run()
        #expect(missing.status == 66 && missing.errors.contains("/nowhere.pcap"), "\(missing.all)")
        let other = try await CaptureFile.with(Array("not a capture".utf8)) {
            try await Command("check", "--capture", $0, "--dialect", "irc").run()
        }
        #expect(other.status == 2 && other.errors.contains("trace.pcap"), "\(other.all)")
    }

    @Test(arguments: [
        ["--server", "irc://127.0.0.1"], ["--exec", "true"], ["--jobs", "2"], ["--repeat", "1"],
        ["--budget", "1s"], ["--fuzz", "1s"], ["--slow"], ["--var", "a=b"], ["--seed", "1"],
        ["--baseline", "x"], ["--write-baseline", "x"], ["--out", "x"], ["--list"],
        ["--software", "ngircd"], ["--name", "x"], ["--wait", "1s"], ["--insecure"],
    ])
    func optionsForServersAreRefused(options: [String]) async throws {
        let outcome = try await Command(["check", "--capture", "trace.pcap"] + options).run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(
            outcome.errors.contains("\(options[0]) cannot be used with --capture"),
            "\(outcome.errors)")
    }

    @Test(arguments: [["--port", "6667"], ["--keys", "tls.keys"]])
    func optionsForCapturesNeedOne(options: [String]) async throws {
        let outcome = try await Command(["check"] + options).run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains("\(options[0]) can only be used with --capture"))
    }

    @Test func onlyTheConnectionsToAPortAreJudged() async throws {
        let lines = Self.lines(("NICK alice\r\n", true), (Self.welcome, false))
        let selected = try await check(lines, "--port", "6667")
        #expect(selected.status == 0, "\(selected.all)")
        let other = try await check(lines, "--port", "7000")
        #expect(other.status == 2, "\(other.all)")
    }

    @Test func patternsMustSelectAnything() async throws {
        let outcome = try await check(Self.lines(("NICK a\r\n", true)), "--only", "frame")
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains("capture.length"))
    }
}
