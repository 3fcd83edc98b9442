import Foundation
import Testing

/// The server and the dialect in `Examples/jsonl`, and the built-in dialect `jsonl`, which describes
/// the same protocol.
struct JSONServerTests {
    private static let server = Files.root.appending(path: "Examples/jsonl/server.py").path
    private static let dialects = [
        "jsonl", Files.root.appending(path: "Examples/jsonl/chat.yaml").path,
    ]

    /// Runs `check`, and returns the ids by verdict.
    private func check(
        _ dialect: String, server: String = server, _ more: [String] = []
    ) async throws -> (checks: [String: Set<String>], outcome: Command.Outcome) {
        let run = try await Command(
            ["check", "--dialect", dialect, "--exec", "python3 '\(server)' {{port}}", "--quiet"]
                + ["--report", "json=-"] + more
        ).run()
        let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        var checks: [String: Set<String>] = [:]
        for check in try #require(json?["checks"] as? [[String: Any]], "\(run.all)") {
            let id = try #require(check["id"] as? String)
            checks[try #require(check["verdict"] as? String), default: []].insert(id)
        }
        return (checks, run)
    }

    @Test(arguments: ["Examples/jsonl", "Scenarios/jsonl"])
    func scenariosPass(folder: String) async throws {
        let run = try await Command(
            "run", Files.root.appending(path: folder).path, "--exec",
            "python3 '\(Self.server)' {{port}}"
        ).run()
        #expect(run.status == 0, "\(run.all)")
    }

    @Test func scenariosPassOnTheReferenceServer() async throws {
        let run = try await Command("run", Files.root.appending(path: "Scenarios/jsonl").path).run()
        #expect(run.status == 0, "\(run.all)")
    }

    @Test(arguments: dialects)
    func theServerPassesAllChecks(dialect: String) async throws {
        let (checks, run) = try await check(dialect)
        #expect(run.status == 0, "\(run.all)")
        let bad = ["failed", "flaky", "inconclusive"].compactMap { checks[$0] }
        #expect(bad.isEmpty, "\(run.all)")
        #expect((checks["passed"]?.count ?? 0) > 30, "\(run.all)")
    }

    /// Mistakes in the server, with the checks that find them.
    private static let mistakes: [(from: String, to: String, check: String)] = [
        (
            "json.dumps({\"type\": kind} | message, ensure_ascii=False)",
            "str({\"type\": kind} | message).replace(\"'\", '\"')", "esc.roundtrip"
        ),
        ("json.loads(line)", "json.loads(line.replace(b\"\\\\n\", b\" \"))", "esc.roundtrip"),
        ("except (ValueError, RecursionError)", "except RecursionError", "json.invalid"),
        ("ValueError, RecursionError", "ValueError,", "json.depth"),
        (
            "json.loads(line)", "json.loads(line, object_pairs_hook=lambda p: dict(p[::-1]))",
            "json.duplicate"
        ),
        (
            "json.loads(line)", "json.loads(line if b': ' not in line else b'{}')",
            "json.spelling"
        ),
    ]

    @Test(arguments: mistakes.indices)
    func mistakesAreFound(index: Int) async throws {
        let mistake = Self.mistakes[index]
        let text = try String(contentsOfFile: Self.server, encoding: .utf8)
        #expect(text.contains(mistake.from), "\(mistake.from)")
        let broken = text.replacing(mistake.from, with: mistake.to)
        try await Files.with(["server.py": broken]) { folder in
            let (checks, run) = try await check(
                "jsonl", server: folder.appending(path: "server.py").path,
                ["--only", mistake.check, "--repeat", "0"])
            #expect(run.status == 1, "\(run.all)")
            let failed = checks["failed"] ?? []
            #expect(failed.contains { $0.hasPrefix(mistake.check) }, "\(run.all)")
        }
    }

    @Test func capturesAreDecodedAndDetected() async throws {
        let capture = Files.root.appending(path: "Examples/captures/json.pcap").path
        for arguments in [[], ["--dialect", Self.dialects[1]]] {
            let run = try await Command(["decode", capture] + arguments).run()
            #expect(run.status == 0, "\(run.all)")
            #expect(run.all.contains("say(room: \"tea\", text: \"Earl Grey?\")"), "\(run.all)")
            #expect(run.all.contains("the JSON object is incomplete"), "\(run.all)")
        }
    }
}
