import Foundation
import Testing

/// A small Python server whose messages extend to the end of the line, with a user's dialect that
/// specifies more or less of what the server does.
struct OwnProtocolTests {
    private static let fixtures = Files.root.appending(path: "Tests/CommandLineTests/Fixtures")

    /// Starts the server on the port that Linejudge chooses.
    private static func server(_ faults: String) -> String {
        "python3 \(fixtures.appending(path: "nick.py").path) {{port}} \(faults)"
    }

    /// Runs `body` in a folder with the dialect `own.yaml`, which extends the fixture.
    private func withDialect(
        _ settings: String, _ body: (URL) async throws -> Void
    ) async throws {
        let base = try String(
            contentsOf: Self.fixtures.appending(path: "nick.yaml"), encoding: .utf8)
        try await Files.with([
            "nick.yaml": base, "own.yaml": "name: own\nbased-on: nick.yaml\n\(settings)\n",
        ]) { folder in try await body(folder) }
    }

    /// Runs one check, and returns its verdict and its reason.
    private func check(
        _ id: String, _ faults: String, _ folder: URL
    ) async throws -> (verdict: String, reason: String, text: String) {
        let run = try await Command(
            "check", "--dialect", "own.yaml", "--exec", Self.server(faults), "--only", id,
            "--repeat", "0", "--quiet", "--report", "json=-"
        ).within(folder).run()
        let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let checks = try #require(json?["checks"] as? [[String: Any]], "\(run.all)")
        let check = try #require(checks.first { $0["id"] as? String == id }, "\(run.all)")
        return (
            try #require(check["verdict"] as? String), check["reason"] as? String ?? "", run.all
        )
    }

    /// The dialect's tolerance applies to received lines as well, but the verdict depends on what
    /// the server sent.
    @Test(arguments: [
        ("ignore", "", "failed", "3 bytes longer"), ("ignore", "cuts", "passed", ""),
        ("join-last", "", "passed", ""), ("join-last", "cuts", "failed", "truncated"),
        ("'?'", "", "observed", "join-last"), ("'?'", "cuts", "observed", "ignore"),
    ])
    func extraArgumentsAreJudgedByWhatTheServerSent(
        tolerance: String, faults: String, verdict: String, reason: String
    ) async throws {
        try await withDialect("tolerance: {too-many: \(tolerance)}") { folder in
            let found = try await check("arity.extra:SAY", faults, folder)
            #expect(found.verdict == verdict, "\(found.text)")
            #expect(found.reason.hasPrefix(reason), "\(found.text)")
        }
    }

    @Test(arguments: ["ignore", "join-last", "'?'"])
    func textAfterACarriageReturnIsReadAsTheServerSentIt(tolerance: String) async throws {
        try await withDialect("tolerance: {too-many: \(tolerance)}") { folder in
            for (faults, reason) in [("", "pass"), ("cuts", "cut")] {
                let found = try await check("inj.cr", faults, folder)
                #expect(found.verdict == "observed", "\(found.text)")
                #expect(found.reason == reason, "\(found.text)")
            }
        }
    }

    /// The server refuses probes before the login as well.
    @Test(arguments: [("", "error"), ("silent", "ignore")])
    func aRefusalBeforeTheLoginIsDistinctFromTheProbesRefusal(
        faults: String, reason: String
    ) async throws {
        try await withDialect("") { folder in
            let found = try await check("phase.before:SAY", faults, folder)
            #expect(found.verdict == "observed", "\(found.text)")
            #expect(found.reason == reason, "\(found.text)")
        }
        let verdict = faults.isEmpty ? "passed" : "failed"
        try await withDialect("policies: {early-command: error}") { folder in
            let found = try await check("phase.before:SAY", faults, folder)
            #expect(found.verdict == verdict, "\(found.text)")
        }
    }

    /// Both scenarios fail on the server that has the problem and pass on the other.
    @Test(arguments: [
        ("frame.empty", "empty", "", ""),
        ("arity.extra:SAY", "", "cuts", "tolerance: {too-many: ignore}"),
    ])
    func writtenScenariosFailOnTheServerWithTheProblem(
        id: String, faulty: String, healthy: String, settings: String
    ) async throws {
        try await withDialect(settings) { folder in
            let outcome = try await Command(
                "check", "--dialect", "own.yaml", "--exec", Self.server(faulty), "--only", id,
                "--out", "failures", "--repeat", "1"
            ).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(!outcome.output.contains("expectations cannot express"), "\(outcome.all)")
            let name = "failures/\(id.replacing(":", with: "-")).chat"
            for (faults, status) in [(faulty, Int32(1)), (healthy, 0)] {
                let run = try await Command("run", name, "--exec", Self.server(faults))
                    .within(folder).run()
                #expect(run.status == status, "\(faults): \(run.all)")
            }
        }
    }

    /// The settings that the summary prints specify what the server does, so nothing fails, and
    /// fewer checks are open.
    @Test func printedSettingsSpecifyTheObservedBehaviour() async throws {
        func arguments(_ dialect: String) -> [String] {
            ["check", "--dialect", dialect, "--exec", Self.server(""), "--repeat", "0"]
                + ["cmd.unknown", "phase.before", "frame.nul", "arity.extra"].flatMap {
                    ["--only", $0]
                }
        }
        try await withDialect("tolerance: {too-many: '?'}") { folder in
            let first = try await Command(arguments("own.yaml")).within(folder).run()
            #expect(first.status == 0, "\(first.all)")
            let lines = first.output.split(separator: "\n").drop {
                !$0.contains("add to the dialect")
            }.dropFirst().prefix { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
            #expect(
                lines == [
                    "policies:", "  early-command: error", "  nul: pass",
                    "  unknown-command: error",
                    "tolerance:", "  too-many: join-last",
                ], "\(first.all)")
            let text = "name: more\nbased-on: nick.yaml\n" + lines.joined(separator: "\n") + "\n"
            try Data(text.utf8).write(to: folder.appending(path: "more.yaml"))
            let second = try await Command(arguments("more.yaml")).within(folder).run()
            #expect(second.status == 0, "\(second.all)")
            #expect(second.output.contains("4 passed"), "\(second.all)")
        }
    }

    @Test(arguments: [
        ("-> say(text: {{text}})", "<~ said(from: {{from}}, text: {{text}})"),
        ("-> SAY|{{text}}", "<~ SAID|{{from}}|{{text}}"),
    ])
    func messagesThatExtendToTheEndOfTheLineContainSeparators(
        say: String, heard: String
    ) async throws {
        let settings = """
            tolerance: {too-many: join-last}
            behaviours:
              say: |
                \(say)
              heard: |
                \(heard)
            """
        try await withDialect(settings) { folder in
            let scenario = """
                dialect own.yaml
                operators alice, bob
                use login
                use say as alice (room: 1, text: "|a||b|")
                use heard as bob (from: "alice", room: 1, text: "|a||b|")
                alice -> say(text: "c|d")
                bob <- said(from: "alice", text: "c|d")
                bob <! said()

                """
            try Data(scenario.utf8).write(to: folder.appending(path: "rest.chat"))
            let run = try await Command("run", "rest.chat", "--exec", Self.server(""))
                .within(folder).run()
            #expect(run.status == 0, "\(run.all)")
            for id in ["inj.sep", "esc.roundtrip:ends"] {
                let found = try await check(id, "", folder)
                #expect(found.verdict == "passed", "\(found.text)")
                let cut = try await check(id, "cuts", folder)
                #expect(cut.verdict == "failed", "\(cut.text)")
            }
        }
    }
}
