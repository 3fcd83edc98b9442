import Foundation
import Testing

/// Resources of the server in the results of a load.
@Suite(.serialized) struct WatchTests {
    private static let small = [
        "load", "--operators", "10", "--rate", "50/s", "--for", "2500ms", "--report",
        "json=load.json", "--report", "html=load.html", "--color", "never",
    ]

    private func check(_ outcome: Command.Outcome, in folder: URL) async throws {
        #expect([0, 2].contains(outcome.status), "\(outcome.all)")
        #expect(outcome.output.contains("server (linejudge, PID "), "\(outcome.all)")
        try await LoadSchema.validate("load.json", in: folder)
        let results = try JSONDecoder().decode(
            Results.self, from: Data(contentsOf: folder.appending(path: "load.json")))
        #expect(Set(results.processes.map(\.role)) == ["server", "generator"])
        for process in results.processes {
            #expect(process.samples.count >= 3)
            #expect(process.samples.allSatisfy { $0.residentBytes > 1_000_000 && $0.threads > 0 })
        }
        let server = try #require(results.processes.first { $0.role == "server" })
        // On a machine with many sockets, they are not counted in each second.
        #expect(server.samples.contains { $0.sockets != nil })
        let page = try Files.text(folder.appending(path: "load.html"))
        for title in ["<h2>CPU</h2>", "<h2>Memory</h2>", "<h2>Processes</h2>"] {
            #expect(page.contains(title))
        }
    }

    private struct Results: Decodable {
        struct Process: Decodable {
            var role: String
            var samples: [Sample]
        }
        struct Sample: Decodable {
            var residentBytes: Int
            var threads: Int
            var sockets: Sockets?
        }
        struct Sockets: Decodable {
            var established: Int
        }

        var processes: [Process]
    }

    @Test func aServerThatTheLoadStartedIsObserved() async throws {
        try await Files.with { folder in
            let server =
                "\(Command.executable.path) serve --dialect irc --listen 127.0.0.1:{{port}}"
            let outcome = try await Command(
                Self.small + ["--dialect", "irc", "--exec", server]
            ).within(folder).run()
            try await check(outcome, in: folder)
        }
    }

    @Test func aServerThatIsNamedByItsProcessIsObserved() async throws {
        try await Files.with { folder in
            let server = try Command("serve", "--dialect", "irc").start()
            let url = String(try server.line().dropFirst("listening on ".count))
            let outcome = try await Command(
                Self.small + [
                    "--dialect", "irc", "--server", url, "--watch",
                    "\(server.process.id)",
                ]
            ).within(folder).run()
            try await check(outcome, in: folder)
            server.send(SIGTERM)
            _ = try await server.outcome()
        }
    }

    @Test(arguments: [
        ("0", "expected a process ID"), ("-1", "expected a process ID"),
        ("8388608", "this machine has no process with this ID"),
        ("ngircd", "expected a process ID"),
    ])
    func aProcessThatIsNotThereIsRefused(_ pid: String, _ reason: String) async throws {
        let outcome = try await Command("load", "--watch=\(pid)").run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains(reason), "\(outcome.all)")
    }

    @Test func aSearchNamesWhatWasSaturated() async throws {
        try await Files.with { folder in
            let outcome = try await Command(
                "load", "--operators", "10", "--rate", "8/s", "--for", "1500ms", "--find-rate",
                "p50(say) < 1us", "--report", "json=load.json", "--color", "never"
            ).within(folder).run()
            #expect([1, 2].contains(outcome.status), "\(outcome.all)")
            let json = try Files.text(folder.appending(path: "load.json"))
            #expect(json.contains("\"generatorCores\" : "))
        }
    }
}
