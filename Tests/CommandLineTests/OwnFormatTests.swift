import Foundation
import Testing

/// Dialects with unusual lines, each with a small Python server: one in which the sides write their
/// lines differently, and one with commands of one byte and payloads.
struct OwnFormatTests {
    private static func path(_ name: String) -> String {
        Files.root.appending(path: "Tests/CommandLineTests/Fixtures/\(name)").path
    }

    private static func exec(_ name: String, _ more: String = "") -> [String] {
        ["--exec", "python3 '\(path("\(name).py"))' {{port}} \(more)"]
    }

    private static let scenarios = [
        "mixed": """
        title     Both sides write their lines in their own way
        dialect   \(path("mixed.yaml"))
        operators alice, bob
        use login

        alice -> SAY|Earl Grey?
        bob   <- {"type":"said","from":{"name":"alice"},"text":"Earl Grey?"}
        alice -> say(text: "{\\"a\\": \\\\ \\x01 é}")
        bob   <- said(user: "alice", text: "{\\"a\\": \\\\ \\x01 é}")
        bob   -> {"type":"dance"}
        bob   <- error(reason: "not possible: {\\"type\\":\\"dance\\"}")
        alice quiet
        """,
        "counted": """
        title     Messages have a length
        dialect   \(path("counted.yaml"))
        operators alice, bob
        use login

        alice -> ${{length}}  payload "hello"
        bob   <- >alice {{length}}  payload "hello"
        alice -> say(text: "a\\r\\n?b\\r\\n")
        bob   <- said(user: "alice", text: "a\\r\\n?b\\r\\n")
        alice -> say(text: "")
        bob   <- said(user: "alice", text: "")
        bob   -> ?1
        bob   <- !1
        """,
    ]

    /// Runs `check`, and returns the ids by verdict.
    private func check(
        _ name: String, _ more: String = "", only: [String] = []
    ) async throws -> (checks: [String: Set<String>], outcome: Command.Outcome) {
        let run = try await Command(
            ["check", "--dialect", Self.path("\(name).yaml"), "--quiet", "--report", "json=-"]
                + Self.exec(name, more) + only.flatMap { ["--only", $0] } + ["--repeat", "1"]
        ).run()
        let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        var checks: [String: Set<String>] = [:]
        for check in try #require(json?["checks"] as? [[String: Any]], "\(run.all)") {
            let id = try #require(check["id"] as? String)
            checks[try #require(check["verdict"] as? String), default: []].insert(id)
        }
        return (checks, run)
    }

    @Test(arguments: scenarios.keys.sorted())
    func scenariosPass(name: String) async throws {
        try await Files.with(["x.chat": Self.scenarios[name] ?? ""]) { folder in
            let run = try await Command(["run", "x.chat"] + Self.exec(name)).within(folder).run()
            #expect(run.status == 0, "\(run.all)")
        }
    }

    @Test(arguments: scenarios.keys.sorted())
    func theServerPassesAllChecks(name: String) async throws {
        let (checks, run) = try await check(name)
        #expect(run.status == 0, "\(run.all)")
        let bad = ["failed", "flaky", "inconclusive"].compactMap { checks[$0] }
        #expect(bad.isEmpty, "\(bad) \(run.all)")
        #expect((checks["passed"]?.count ?? 0) > 30, "\(run.all)")
        // Only clients could send lines that are not JSON.
        #expect(!checks.values.contains { $0.contains { $0.hasPrefix("json.") } })
    }

    @Test func payloadsReadAsLinesAreFound() async throws {
        let (checks, run) = try await check("counted", "lines", only: ["pay.len", "esc.roundtrip"])
        #expect(run.status == 1, "\(run.all)")
        #expect(checks["failed"]?.contains("pay.len:text") ?? false, "\(run.all)")
    }

    @Test(arguments: scenarios.keys.sorted())
    func messagesArriveUnderLoad(name: String) async throws {
        let run = try await Command(
            ["load", "--dialect", Self.path("\(name).yaml"), "--operators", "10", "--rate", "40/s"]
                + ["--for", "2s", "--report", "json=-", "--quiet"] + Self.exec(name)
        ).run()
        #expect(run.status == 0 || run.status == 2, "\(run.all)")
        let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let text = String(decoding: Data(run.output.utf8), as: UTF8.self)
        #expect(json != nil, "\(text)")
        let traffic = try #require(json?["traffic"] as? [String: Any], "\(text)")
        let owed = try #require(traffic["owed"] as? Int)
        #expect(owed > 0)
        #expect(traffic["delivered"] as? Int == owed, "\(text)")
    }

    @Test(arguments: [
        (
            "mixed", "LOGIN|al\nSAY|{\"a\": 1}\nNOPE|x\n",
            "{\"type\":\"welcome\",\"name\":\"al\"}\n{\"type\":\"said\",\"from\":{\"name\":\"b\"},\"text\":\"x\"}\nSAY|y\n",
            [
                "→ login(name: \"al\")", "← welcome(name: \"al\")",
                "→ say(text: \"{\\\"a\\\": 1}\")",
                "← said(user: \"b\", text: \"x\")", "→ \"NOPE|x\"  ! unknown command",
                "← \"SAY|y\"  ! the line is not a JSON object",
            ]
        ),
        (
            "counted", "@al\r\n$5\r\na\r\n?b\r\n?1\r\n", "+al\r\n>bo 3\r\nx\r\n\r\n!1\r\n",
            [
                "→ login(name: \"al\")", "→ say(size: 5, text: \"a\\r\\n?b\")",
                "→ ping(token: \"1\")",
                "← ok(text: \"al\")", "← said(user: \"bo\", size: 3, text: \"x\\r\\n\")",
                "← pong(token: \"1\")",
            ]
        ),
    ])
    func capturesAreDecoded(
        name: String, client: String, server: String, expected: [String]
    ) async throws {
        try await Files.with { folder in
            let capture = CaptureFile.bytes([
                CaptureFile.Segment(text: client),
                CaptureFile.Segment(text: server, fromClient: false),
            ])
            try Data(capture).write(to: folder.appending(path: "x.pcap"))
            let run = try await Command(
                "decode", "x.pcap", "--dialect", Self.path("\(name).yaml")
            ).within(folder).run()
            #expect(run.status == 0, "\(run.all)")
            for text in expected { #expect(run.output.contains(text), "\(text): \(run.all)") }
        }
    }

    /// The reference server speaks the dialect, and a scenario against it passes.
    @Test(arguments: scenarios.keys.sorted())
    func theReferenceServerServesTheDialect(name: String) async throws {
        let relay = """
              relay: |
                -> say(text: {{text}})
              arrival: |
                <~ said(user: {{from}}, text: {{text}})
            """
        let dialect = try Files.text(URL(filePath: Self.path("\(name).yaml")))
            .replacing("rejects:", with: relay + "\nrejects:")
        let scenario = """
            title     A message reaches the others
            dialect   own.yaml
            operators alice, bob
            use login

            use relay as alice (to: "bob", text: "Earl Grey?")
            use arrival as bob (from: "alice", text: "Earl Grey?")
            alice quiet
            """
        try await Files.with(["x.chat": scenario, "own.yaml": dialect]) { folder in
            let run = try await Command("run", "x.chat").within(folder).run()
            #expect(run.status == 0, "\(run.all)")
        }
    }
}
