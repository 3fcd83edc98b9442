import Foundation
import Testing

/// `linejudge compare` with captures of the reference server, with and without faults.
struct CompareCapturesTests {
    static let isPossible = CapturedTraffic.isPossible

    /// Captures the same scenario twice and compares the captures.
    private static func compare(
        _ dialect: String, _ faults: [String] = [], options: [String] = [],
        _ check: (Command.Outcome, URL) async throws -> Void
    ) async throws {
        try await Files.with { folder in
            var paths: [String] = []
            for (name, options) in [("a.pcap", []), ("b.pcap", faults)] {
                try await CapturedTraffic.ofReferenceServer(
                    dialect, options.flatMap { ["--fault", $0] },
                    scenario: CapturedTraffic.talk(dialect), isPassing: options.isEmpty
                ) { path in
                    let copy = folder.appending(path: name)
                    try FileManager.default.copyItem(at: URL(filePath: path), to: copy)
                    paths.append(copy.path)
                }
            }
            let outcome = try await Command(
                ["compare"] + paths + ["--dialect", dialect] + options
            ).run()
            try await check(outcome, folder)
        }
    }

    @Test(
        .enabled(if: isPossible, "capturing needs root and tcpdump"),
        arguments: ["irc", "livechat", "jsonl", "nats", "teamspeak"])
    func theSameServerHasNoDifferences(dialect: String) async throws {
        try await Self.compare(dialect) { outcome, _ in
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(
                outcome.output.contains("SAME: no differences in 5 conversations"), "\(outcome.all)"
            )
        }
    }

    @Test(
        .enabled(if: isPossible, "capturing needs root and tcpdump"),
        arguments: ["irc", "livechat"], ["drop", "duplicate", "mutate"])
    func faultsAreDifferences(dialect: String, fault: String) async throws {
        try await Self.compare(dialect, [fault], options: ["--format", "json"]) { outcome, folder in
            #expect(outcome.status == 1, "\(outcome.all)")
            let kind =
                ["drop": "missing", "duplicate": "additional", "mutate": "argument"][fault] ?? ""
            #expect(outcome.output.contains("\"kind\" : \"\(kind)\""), "\(outcome.all)")
            let json = folder.appending(path: "c.json")
            try Data(outcome.output.utf8).write(to: json)
            try await Self.validate(json.path)
        }
    }

    private static func validate(_ path: String) async throws {
        var command = Command(
            "python3", Files.root.appending(path: "Tests/ReportTests/Tools/validate.py").path,
            Files.root.appending(path: "docs/capture-comparison.schema.json").path, path)
        command.program = URL(filePath: "/usr/bin/env")
        let outcome = try await command.with(environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"])
            .run()
        #expect(outcome.status == 0, "\(outcome.all)")
    }

    private static func capture(_ answer: String) -> [UInt8] {
        CaptureFile.bytes([
            .init(text: "NICK alice\r\nUSER a 0 * :A\r\n"),
            .init(text: answer, fromClient: false),
            .init(text: "PING x\r\n", offset: 27),
            .init(text: ":s PONG s x\r\n", fromClient: false, offset: answer.utf8.count),
        ])
    }

    @Test(arguments: ["text", "markdown", "json"])
    func differencesAreShownInEachFormatAndHostileTextIsEscaped(format: String) async throws {
        let hostile = "\u{1B}]0;x\u{7} <script>alert(1)</script> @all"
        let files = [
            "a.pcap": Self.capture(":s 001 alice :Welcome\r\n"),
            "b.pcap": Self.capture(":s 001 alice :\(hostile)\r\n"),
        ]
        try await CaptureFile.withFolder(files) { folder in
            let outcome = try await Command(
                "compare", "a.pcap", "b.pcap", "--dialect", "irc", "--format", format
            ).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(!outcome.output.contains("\u{1B}"))
            #expect(outcome.output.contains("Welcome"))
            if format == "markdown" {
                #expect(!outcome.output.contains("<script>") && !outcome.output.contains("@all"))
            }
            if format == "text" {
                #expect(
                    outcome.output.contains(
                        "DIFFERENT: 1 difference in 1 conversation, 3 client lines"))
                #expect(
                    outcome.output.contains("    A  packet 2 22:13:20.001000 #1 alice  ← welcome("),
                    "\(outcome.output)")
            }
        }
    }

    @Test(arguments: [
        (["a.pcap", "a.pcap", "a.pcap"], Int32(64), "only two captures can be compared"),
        (["a.pcap", "x.json"], 64, "`x.json` is not a capture"),
        (["a.pcap", "a.pcap", "--report", "html=x.html"], 64, "does not apply to captures"),
        (["x.json", "x.json", "--dialect", "irc"], 64, "--dialect applies only to captures"),
        (["x.json", "x.json", "--port", "1"], 64, "--port applies only to captures"),
        (["x.json", "x.json", "--keys", "k"], 64, "--keys applies only to captures"),
        (["a.pcap", "cut.pcap", "--dialect", "irc"], 2, "no differences in the 1 conversation"),
        (["a.pcap", "cut.pcap", "--dialect", "irc"], 2, "B could not be read completely"),
        (["a.pcap", "other-cut.pcap", "--dialect", "irc"], 1, "DIFFERENT"),
        (["a.pcap", "a.pcap", "--keys", "none.keys"], 66, "none.keys"),
        (["a.pcap", "none.pcap", "--dialect", "irc"], 66, "cannot read `none.pcap`"),
        (["a.pcap", "a.pcap", "--port", "1", "--dialect", "irc"], 2, "no conversation in common"),
    ])
    func mistakesAreReported(arguments: [String], status: Int32, words: String) async throws {
        let bytes = Self.capture(":s 001 alice :Welcome\r\n")
        let other = Self.capture(":s 001 alice :Hello\r\n") + [1, 2, 3]
        let files = [
            "a.pcap": bytes, "cut.pcap": bytes + [1, 2, 3], "other-cut.pcap": other,
            "x.json": Array("{}".utf8),
        ]
        try await CaptureFile.withFolder(files) { folder in
            let outcome = try await Command(["compare"] + arguments).within(folder).run()
            #expect(outcome.status == status, "\(outcome.all)")
            #expect(outcome.all.contains(words), "\(outcome.all)")
        }
    }
}
