import Foundation
import Glibc
import Testing

/// `linejudge load --shard`, started by launchers and by hand, and `linejudge report` on the results.
@Suite(.serialized) struct LoadShardTests {
    /// A server that runs for the duration of `body`.
    private func withServer(
        _ dialect: String, _ more: [String] = [], _ body: (String, Running) async throws -> Void
    ) async throws {
        let server = try Command(["serve", "--dialect", dialect] + more).start()
        let url = String(try server.line().dropFirst("listening on ".count))
        try await body(url, server)
        server.send(SIGTERM)
        _ = try await server.outcome()
    }

    private static func load(_ url: String, _ more: String...) -> [String] {
        [
            "load", "--server", url, "--dialect", "irc", "--operators", "48", "--room-size", "8",
            "--rate", "150/s", "--for", "2s", "--report", "json=load-{{shard}}.json", "--color",
            "never",
        ] + more
    }

    /// Runs all shards of a load in parallel.
    private static func shards(
        _ arguments: [String], in folder: URL, environments: [[String: String]]
    ) async throws -> [Command.Outcome] {
        let running = try environments.map {
            try Command(arguments).with(environment: $0).within(folder).start()
        }
        var outcomes: [Command.Outcome] = []
        for one in running { outcomes.append(try await one.outcome()) }
        return outcomes
    }

    private static func slurm(_ count: Int) -> [[String: String]] {
        (0..<count).map {
            [
                "SLURM_PROCID": "\($0)", "SLURM_NTASKS": "\(count)", "SLURM_STEP_ID": "0",
                "SLURM_JOB_ID": "4711",
            ]
        }
    }

    @Test func shardsTogetherAreTheWholeLoad() async throws {
        try await withServer("irc") { url, _ in
            try await Files.with { folder in
                let outcomes = try await Self.shards(
                    Self.load(url, "--shard", "auto", "--start-at", "+4s"), in: folder,
                    environments: Self.slurm(3))
                for (index, outcome) in outcomes.enumerated() {
                    #expect(outcome.status == 0, "\(outcome.all)")
                    #expect(
                        outcome.output.contains(
                            "shard \(index)/3 from a Slurm step, 16 operators, 2 rooms, 50/s"),
                        "\(outcome.all)")
                    #expect(outcome.output.contains("this is only shard \(index)/3"))
                }
                let report = try await Command(
                    "report", "load-2.json", "load-0.json", "load-1.json", "--report",
                    "json=all.json", "--report", "pretty=-", "--exit-code"
                ).within(folder).run()
                #expect([0, 2].contains(report.status), "\(report.all)")
                let all = try LoadFigures(folder.appending(path: "all.json"))
                #expect(all["asked.operators"] == 48)
                #expect(all["asked.rooms"] == 6)
                #expect(all["asked.ratePerSecond"] == 150)
                #expect(all["operators.ready"] == 48)
                #expect(all["traffic.sent"] == 300)
                #expect(all["traffic.delivered"] == 2_100)
                #expect(all.count("say") == 2_100)
                #expect(all.total("sent") == 300)
                #expect(all.violations == [:])
                #expect(!report.output.contains("missing"))
                try await LoadSchema.validate("all.json", "load-1.json", in: folder)
            }
        }
    }

    @Test func shardsOfSeveralProcessesFindWhatTheServerDid() async throws {
        let faults = ["--fault", "leak:5%", "--metrics", "127.0.0.1:0"]
        try await withServer("irc", faults) { url, server in
            let metrics = String(try server.line().dropFirst("metrics at ".count))
            try await Files.with { folder in
                // Without a common run id, a leaked text would count as foreign.
                let load = Self.load(url, "--processes", "2", "--start-at", "+4s", "--quiet")
                let running = try (0..<3).map {
                    try Command(load + ["--shard", "\($0)/3"]).within(folder).start()
                }
                for one in running { #expect(try await one.outcome().status == 0) }
                let report = try await Command(
                    "report", "load-0.json", "load-1.json", "load-2.json", "--report",
                    "json=all.json", "--exit-code"
                ).within(folder).run()
                #expect(report.status == 1, "\(report.all)")
                let injected = try await Metrics.faults("leak", at: metrics)
                #expect(injected > 0)
                let all = try LoadFigures(folder.appending(path: "all.json"))
                // Texts that leak to operators of a shard that has already ended are not seen.
                #expect(Array(all.violations.keys) == ["leaked"])
                let leaked = all.violations["leaked"] ?? 0
                #expect(leaked <= injected && leaked > injected / 2, "\(leaked) of \(injected)")
                #expect(all["asked.processes"] == 6)
                #expect(all["traffic.delivered"] == 2_100)
            }
        }
    }

    @Test func missingAndDoubledShardsAreSaid() async throws {
        try await withServer("irc") { url, _ in
            try await Files.with { folder in
                let load = Self.load(url, "--for", "300ms", "--quiet")
                let outcomes = try await Self.shards(
                    load + ["--shard", "auto/3"], in: folder,
                    environments: (0..<2).map { ["JOB_COMPLETION_INDEX": "\($0)"] })
                #expect(outcomes.map(\.status) == [0, 0], "\(outcomes.map(\.all))")
                let some = try await Command(
                    "report", "load-0.json", "load-1.json", "--exit-code", "--color", "never"
                ).within(folder).run()
                #expect(some.status == 2, "\(some.all)")
                #expect(some.output.contains("INCONCLUSIVE: shard 2/3 is missing"))
                let doubled = try await Command("report", "load-0.json", "load-0.json")
                    .within(folder).run()
                #expect(doubled.status == 64, "\(doubled.all)")
                #expect(doubled.errors.contains("shard 0/3 occurs twice"))
            }
        }
    }

    @Test func aShardThatIsEndedReportsWhatItMeasured() async throws {
        try await withServer("irc") { url, _ in
            try await Files.with { folder in
                let running = try Command(
                    Self.load(url, "--shard", "1/2", "--start-at", "+600s", "--login-timeout", "1s")
                ).within(folder).start()
                #expect(try running.line().contains("shard 1/2, 24 operators"))
                #expect(try running.line().hasPrefix("sending starts in "))
                running.send(SIGTERM)
                let outcome = try await running.outcome()
                #expect(outcome.status == 143, "\(outcome.all)")
                let figures = try LoadFigures(folder.appending(path: "load-1.json"))
                #expect(figures.text("interruption") == "terminated")
                #expect(figures["traffic.sent"] == 0)
            }
        }
    }

    @Test func filesThatAllShardsWriteAreSaid() async throws {
        let outcome = try await Command(
            "load", "--server", "irc://127.0.0.1:9", "--shard", "0/2", "--report", "json=l.json"
        ).run()
        #expect(outcome.status == 69, "\(outcome.all)")
        #expect(outcome.output.contains("every shard writes `l.json`"), "\(outcome.all)")
    }

    @Test(arguments: [
        (["--shard", "3/3"], "there is no shard 3 of 3"),
        (["--shard", "auto"], "cannot determine which shard this is"),
        (["--shard", "first"], "expected INDEX/COUNT or auto"),
        (["--shard", "0/50"], "need a room each"),
        (["--start-at", "noon"], "expected a time such as"),
        (["--start-at", "2026-03-01T12:00:00"], "with a time zone"),
        (["--start-at", "2026-03-01T12:00:00Z"], " ago"),
        (
            ["--start-at", "+2s", "--ramp", "10s"],
            "operators need 10.0 s (--ramp) to connect"
        ),
        (["--start-at", "2199-03-01T12:00:00Z"], "the maximum is one day"),
        (["--start-at", "+5s", "--find-rate", "p99(say) < 5ms"], "remove one of them"),
        (["--shard", "0/2", "--find-rate", "p99(say) < 5ms"], "does not support shards"),
        (["--report", "json=load-{{shard}}.json"], "requires --shard"),
    ])
    func invalidShardIsRefused(arguments: [String], words: String) async throws {
        let outcome = try await Command(
            ["load", "--server", "irc://127.0.0.1:9", "--operators", "48"] + arguments
        ).run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains(words), "\(outcome.all)")
        #expect(
            outcome.errors.contains("help: ") || words.hasPrefix("expected")
                || words == "with a time zone")
        #expect(outcome.output.isEmpty)
    }

    @Test func shardsRequireAServer() async throws {
        let outcome = try await Command("load", "--shard", "0/2").run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains("its own reference server"))
    }
}
