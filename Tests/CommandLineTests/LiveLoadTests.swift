import Foundation
import Testing

/// The page that `load --live` serves.
@Suite(.serialized) struct LiveLoadTests {
    private static let options = [
        "load", "--operators", "20", "--rate", "100/s", "--for", "600s", "--color", "never",
    ]

    /// Returns the address of the live page.
    private func address(_ running: Running) throws -> String {
        _ = try running.line()
        return String(try running.line().dropFirst("live page at ".count))
    }

    @Test(arguments: [[], ["--processes", "2"]])
    func pageShowsWhatTheResultsContainAndItsButtonsWork(_ more: [String]) async throws {
        try await Files.with { folder in
            let running = try Command(
                Self.options + ["--live", "--report", "json=load.json"] + more
            ).within(folder).start()
            let url = try address(running)
            let tool = Files.root.appending(path: "Tests/CommandLineTests/Tools/live.py").path
            var watch = Command("timeout", "200", "python3", tool, url, "load.json")
            watch.program = URL(filePath: "/usr/bin/env")
            let watched = try await watch.within(folder).run()
            #expect(watched.status == 0, "\(watched.all)")
            let outcome = try await running.outcome()
            #expect([0, 2].contains(outcome.status), "\(outcome.all)")
            #expect(outcome.output.contains("paused manually once"), "\(outcome.all)")
            try await LoadSchema.validate("load.json", in: folder)
        }
    }

    @Test func clientsThatDoNotReadChangeNothing() async throws {
        let running = try Command(
            ["load", "--operators", "10", "--rate", "50/s", "--for", "2s", "--live"]
        ).start()
        let url = try address(running)
        let port = try #require(url.split(separator: ":").last?.split(separator: "/").first)
        // Each client subscribes and then neither reads nor closes.
        var stuck = Command(
            "bash", "-c",
            "for i in 1 2 3 4 5; do exec {client}<>/dev/tcp/127.0.0.1/\(port); "
                + "printf 'GET /events HTTP/1.1\\r\\nHost: 127.0.0.1:\(port)\\r\\n\\r\\n' >&$client; "
                + "done; sleep 3")
        stuck.program = URL(filePath: "/usr/bin/env")
        _ = try await stuck.run()
        let outcome = try await running.outcome()
        #expect([0, 2].contains(outcome.status), "\(outcome.all)")
        #expect(outcome.output.contains("100 sent in 2.00 s"), "\(outcome.all)")
    }

    @Test func aPublicAddressNeedsATokenAndPrintsAWarning() async throws {
        let running = try Command(Self.options + ["--live", "0.0.0.0:0"]).start()
        let url = try address(running)
        #expect(url.contains("/?token="))
        let refused = try await curl(String(url.prefix { $0 != "?" }))
        #expect(refused == "403")
        #expect(try await curl(url) == "200")
        running.send(SIGTERM)
        let outcome = try await running.outcome()
        #expect(outcome.errors.contains("warning: anyone who knows"), "\(outcome.all)")
    }

    @Test(arguments: ["127.0.0.1:99999", "host:", "unix:/tmp/live"])
    func anAddressThatIsNoneIsRefused(_ address: String) async throws {
        let outcome = try await Command("load", "--live", address).run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains("--live cannot use this address"))
    }

    @Test func aValueThatIsNoAddressIsRefused() async throws {
        let outcome = try await Command("load", "--live=text").run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains("invalid value `text` for --live"))
        #expect(outcome.errors.contains("expected HOST:PORT"))
    }

    @Test func aPlanMayFollowTheOption() async throws {
        let outcome = try await Command("load", "--live", "nowhere.yaml").run()
        #expect(outcome.status == 66, "\(outcome.all)")
        #expect(outcome.errors.contains("`nowhere.yaml`"))
    }

    /// Returns the status of a request.
    private func curl(_ url: String) async throws -> String {
        var curl = Command("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", url)
        curl.program = URL(filePath: "/usr/bin/env")
        return try await curl.run().output
    }
}
