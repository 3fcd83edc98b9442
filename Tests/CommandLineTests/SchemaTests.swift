import Foundation
import Glibc
import Testing

/// The command-table check in runs and loads.
@Suite struct SchemaTests {
    /// Short scenarios with relayed texts, for each built-in dialect.
    static let scenarios: [(dialect: String, files: [String])] = [
        ("livechat", ["relay", "private", "rooms", "who", "escaping"]),
        ("irc", ["private-message", "channel-message", "join-part", "unknown-command", "notice"]),
        ("msnp", ["conversation", "login"]), ("nats", ["publish", "whitespace"]),
        ("plain", ["relay", "names"]), ("teamspeak", ["private-text", "channel-text", "session"]),
    ]

    /// Dialects in which a stray line is found; in `plain` every line is a text.
    static let withCommands = scenarios.filter { $0.dialect != "plain" }

    /// Dialects whose loads need no variables, and those of them in which no refusal answers a text
    /// to a room.
    static let inLoads = ["livechat", "irc", "nats", "plain", "teamspeak"]
    static let inQuietLoads = ["livechat", "irc", "nats", "plain"]

    private func paths(_ scenarios: (dialect: String, files: [String])) -> [String] {
        scenarios.files.map {
            Files.root.appending(path: "Scenarios/\(scenarios.dialect)/\($0).chat").path
        }
    }

    /// The command table in the results file.
    private func table(_ file: URL, of member: String) throws -> [String: Any] {
        let all = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let tables = all?[member] as? [[String: Any]]
        return try #require(tables?.first ?? all?[member] as? [String: Any])
    }

    private func broken(_ table: [String: Any]) -> Int { table["brokenLines"] as? Int ?? -1 }

    @Test(arguments: scenarios)
    func aRunFindsNothingInAServerWithoutFaults(
        _ scenarios: (dialect: String, files: [String])
    ) async throws {
        try await Files.with { folder in
            let outcome = try await Command(
                ["run", "--schema", "fail", "--report", "json=run.json"] + paths(scenarios)
            ).within(folder).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            let table = try table(folder.appending(path: "run.json"), of: "commandTables")
            #expect(broken(table) == 0)
            #expect(table["lines"] as? Int ?? 0 > 0)
        }
    }

    @Test(arguments: withCommands)
    func aRunFindsAnUnknownLine(
        _ scenarios: (dialect: String, files: [String])
    ) async throws {
        try await withFault("stray-line", scenarios.dialect) { url in
            try await Files.with { folder in
                let outcome = try await Command(
                    [
                        "run", "--server", url, "--schema", "fail", "--report", "json=run.json",
                        "--report", "html=run.html", "--report", "junit=run.xml", "--color",
                        "never", "--timeout-step", "1s",
                    ] + paths(scenarios)
                ).within(folder).run()
                #expect(outcome.status == 1, "\(outcome.all)")
                #expect(outcome.output.contains("XYZZY: unknown command"), "\(outcome.all)")
                #expect(outcome.output.contains(".chat:"))
                let table = try table(folder.appending(path: "run.json"), of: "commandTables")
                #expect(broken(table) > 0)
                for report in ["run.html", "run.xml"] {
                    #expect(try Files.text(folder.appending(path: report)).contains("XYZZY"))
                }
                let again = try await Command("report", "run.json").within(folder).run()
                #expect(again.output.contains("XYZZY: unknown command"), "\(again.all)")
            }
        }
    }

    @Test(arguments: inLoads)
    func aLoadFindsNothingInAServerWithoutFaults(_ dialect: String) async throws {
        try await Files.with { folder in
            let outcome = try await Command(
                "load", "--dialect", dialect, "--operators", "8", "--room-size", "4", "--rate",
                "60/s", "--for", "1s", "--schema", "fail", "--report", "json=load.json", "--color",
                "never"
            ).within(folder).run()
            if Self.inQuietLoads.contains(dialect) {
                #expect([0, 2].contains(outcome.status), "\(outcome.all)")
            }
            #expect(outcome.output.contains("passed: schema == 0 (0)"), "\(outcome.all)")
            let table = try table(folder.appending(path: "load.json"), of: "commandTable")
            #expect(broken(table) == 0)
            #expect(table["lines"] as? Int ?? 0 > 60)
        }
    }

    @Test(arguments: [("livechat", 1), ("irc", 1), ("irc", 2), ("nats", 1), ("teamspeak", 1)])
    func aLoadFindsAnUnknownLine(_ dialect: String, _ processes: Int) async throws {
        try await withFault("stray-line:20%", dialect) { url in
            try await Files.with { folder in
                let words = [
                    "load", "--server", url, "--dialect", dialect, "--operators", "8",
                    "--room-size", "4", "--rate", "60/s", "--for", "1s", "--color", "never",
                    "--processes", "\(processes)",
                ]
                let reports = ["json=load.json", "junit=load.xml", "html=load.html"].flatMap {
                    ["--report", $0]
                }
                let outcome = try await Command(words + ["--schema", "fail"] + reports)
                    .within(folder).run()
                #expect(outcome.status == 1, "\(outcome.all)")
                #expect(outcome.output.contains("failed: schema == 0"), "\(outcome.all)")
                #expect(outcome.output.contains("XYZZY: unknown command"), "\(outcome.all)")
                let table = try table(folder.appending(path: "load.json"), of: "commandTable")
                #expect(broken(table) > 0)
                try await validate("load.json", folder)
                for report in ["load.html", "load.xml"] {
                    #expect(try Files.text(folder.appending(path: report)).contains("XYZZY"))
                }
                let other = try await Command(words).within(folder).run()
                if Self.inQuietLoads.contains(dialect) {
                    #expect([0, 2].contains(other.status), "\(other.all)")
                }
                #expect(other.output.contains("XYZZY: unknown command"), "\(other.all)")
            }
        }
    }

    private func validate(_ file: String, _ folder: URL) async throws {
        var validate = Command(
            "python3", Files.root.appending(path: "Tests/ReportTests/Tools/validate.py").path,
            Files.root.appending(path: "docs/load-results.schema.json").path, file)
        validate.program = URL(filePath: "/usr/bin/env")
        let valid = try await validate.within(folder).run()
        #expect(valid.status == 0, "\(valid.all)")
    }

    private func withFault(
        _ fault: String, _ dialect: String, _ body: (String) async throws -> Void
    ) async throws {
        let server = try Command("serve", "--dialect", dialect, "--fault", fault).start()
        let url = String(try server.line().dropFirst("listening on ".count))
        do {
            try await body(url)
        } catch {
            server.send(SIGTERM)
            throw error
        }
        server.send(SIGTERM)
        _ = try await server.outcome()
    }
}
