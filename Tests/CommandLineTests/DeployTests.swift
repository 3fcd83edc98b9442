import Foundation
import Testing

/// The files in `deploy/` fit the command's options; loads from several machines, which here are
/// one, under real launchers.
@Suite(.serialized) struct DeployTests {
    private static let folder = Files.root.appending(path: "deploy")

    private static func command(_ program: String, _ arguments: [String]) -> Command {
        var command = Command(arguments)
        command.program = URL(filePath: program)
        return command
    }

    @Test(arguments: ["mpirun.sh", "slurm.sbatch"])
    func theScriptsAreScripts(name: String) async throws {
        let outcome = try await Self.command(
            "/bin/sh", ["-n", Self.folder.appending(path: name).path]
        ).run()
        #expect(outcome.status == 0, "\(outcome.all)")
    }

    @Test func theFlagsOfTheKubernetesJobAreThoseOfTheCommand() async throws {
        let text = try Files.text(Self.folder.appending(path: "kubernetes.yaml"))
        let job = try #require(try YamlFile.load(text))
        #expect(job["kind"] as? String == "Job")
        let spec = try #require(job["spec"] as? [String: Any])
        #expect(spec["completionMode"] as? String == "Indexed")
        #expect(spec["completions"] as? Int == spec["parallelism"] as? Int)
        let template = try #require(spec["template"] as? [String: Any])
        let pod = try #require(template["spec"] as? [String: Any])
        let container = try #require((pod["containers"] as? [[String: Any]])?.first)
        let variables = try #require(container["env"] as? [[String: Any]])
        let count = variables.first { $0["name"] as? String == "JOB_COMPLETIONS" }
        #expect(count?["value"] as? String == (spec["completions"] as? Int).map { "\($0)" })
        try await Files.with { folder in
            let arguments = try #require(container["args"] as? [String]).map { argument in
                argument.replacing("START_AT", with: "+60s")
                    .replacing("irc://chat:6667", with: "irc://127.0.0.1:9")
                    .replacing("/results/", with: folder.path + "/")
            }
            let outcome = try await Command(arguments).with(environment: [
                "JOB_COMPLETION_INDEX": "1", "JOB_COMPLETIONS": "3", "JOB_UID": "x",
            ]).run()
            // The options were accepted; nothing listens on the port.
            #expect(outcome.status == 69, "\(outcome.all)")
            #expect(outcome.output.contains("shard 1/3 from an indexed Kubernetes job"))
        }
    }

    /// Runs a script that starts a load of three shards, and checks the results.
    private static func load(_ command: (URL, [String]) -> Command) async throws {
        let server = try Command("serve", "--dialect", "irc").start()
        let url = String(try server.line().dropFirst("listening on ".count))
        try await Files.with { folder in
            let script = command(
                folder,
                [
                    "--server", url, "--dialect", "irc", "--operators", "48", "--room-size", "8",
                    "--rate", "150/s", "--for", "2s",
                ])
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let outcome = try await script.with(environment: [
                "PROGRAM": Command.executable.path, "LEAD": "20", "PATH": path + ":/usr/sbin",
                "RESULTS": folder.appending(path: "results").path, "HOME": folder.path,
            ]).within(folder).run()
            #expect([0, 2].contains(outcome.status), "\(outcome.all)")
            let files = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "results").path)
            #expect(
                files.sorted() == ["load-0.json", "load-1.json", "load-2.json", "load.html"],
                "\(outcome.all)")
            let shards = try (0..<3).map {
                try LoadFigures(folder.appending(path: "results/load-\($0).json"))
            }
            #expect(shards.map { $0["traffic.sent"] } == [100, 100, 100])
            let report = try await Command(
                ["report"]
                    + (0..<3).map { "results/load-\($0).json" } + ["--report", "json=all.json"]
            ).within(folder).run()
            #expect(report.status == 0, "\(report.all)")
            let all = try LoadFigures(folder.appending(path: "all.json"))
            #expect(all["asked.operators"] == 48)
            #expect(all["operators.ready"] == 48)
            #expect(all["traffic.sent"] == 300)
            #expect(all["traffic.delivered"] == 2_100)
            #expect(all.count("say") == 2_100)
            #expect(all.violations == [:])
        }
        server.send(SIGTERM)
        _ = try await server.outcome()
    }

    @Test func openMPIMakesALoadOfThreeShards() async throws {
        try await Self.load { folder, options in
            let root = getuid() == 0 ? " --allow-run-as-root" : ""
            return Self.command(
                "/usr/bin/env",
                [
                    "MPIRUN=mpirun\(root) --oversubscribe",
                    Self.folder.appending(path: "mpirun.sh").path,
                ]
                    + ["3"] + options)
        }
    }

    @Test func slurmMakesALoadOfThreeShards() async throws {
        try await Self.load { folder, options in
            Self.command(
                Files.root.appending(path: "scripts/launchers/slurm.sh").path,
                [
                    folder.appending(path: "slurm").path, "salloc", "--quiet", "--nodes=3",
                    "--ntasks-per-node=1", Self.folder.appending(path: "slurm.sbatch").path,
                ] + options)
        }
    }
}
