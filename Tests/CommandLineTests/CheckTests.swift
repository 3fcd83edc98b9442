import Foundation
import Glibc
import Testing

/// `linejudge check` through the executable.
@Suite struct CheckTests {
    /// A server started with these options, and its URL.
    private func withServer(
        _ options: [String], _ body: (String) async throws -> Void
    ) async throws {
        let server = try Command(["serve", "--dialect", "livechat"] + options).start()
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

    @Test func variablesOfBehavioursAreRequiredUnlessChecksAreOnlyListed() async throws {
        let words = ["check", "--dialect", "msnp", "--server", "127.0.0.1:1"]
        let outcome = try await Command(words).run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains("pass --var ticket=VALUE"), "\(outcome.all)")
        let list = try await Command(words + ["--list"]).run()
        #expect(list.status == 0, "\(list.all)")
    }

    @Test func theListSaysWhatWouldBeAskedAndOnWhatItRests() async throws {
        let all = try await Command("check", "--dialect", "irc", "--list").run()
        #expect(all.status == 0, "\(all.all)")
        #expect(all.output.contains("arity.few:JOIN"))
        #expect(all.output.contains("policies.unknown-command"))
        let some = try await Command(
            "check", "--dialect", "irc", "--list", "--only", "frame", "--skip", "frame.max"
        ).run()
        let lines = some.output.split(separator: "\n")
        #expect(!lines.isEmpty)
        for line in lines {
            #expect(line.hasPrefix("frame.") && !line.hasPrefix("frame.max"), "\(line)")
        }
    }

    @Test(arguments: ["--only", "--skip"])
    func aPatternThatMatchesNothingIsAnError(_ option: String) async throws {
        let outcome = try await Command("check", "--dialect", "irc", option, "frame.nowhere").run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains("no check of this dialect matches `frame.nowhere`"))
        #expect(outcome.errors.contains("frame.seg"))
    }

    @Test func aServerThatIsNotThereIsUnavailable() async throws {
        var url = ""
        // A port that was just free.
        try await withServer([]) { url = $0 }
        let outcome = try await Command(
            "check", "--dialect", "livechat", "--server", url, "--only", "cmd", "--quiet"
        ).run()
        #expect(outcome.status == 69, "\(outcome.all)")
    }

    @Test func whereNothingIsWrongNothingIsFound() async throws {
        let outcome = try await Command(
            "check", "--dialect", "livechat", "--only", "cmd", "--only", "frame.empty", "--quiet",
            "--report", "json=-"
        ).run()
        #expect(outcome.status == 0, "\(outcome.all)")
        let json =
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        #expect(json?["schema"] as? String == "linejudge.check/2")
        let checks = try #require(json?["checks"] as? [[String: Any]])
        #expect(checks.contains { $0["verdict"] as? String == "passed" })
        #expect(outcome.errors.contains("passed"))
    }

    @Test func aFaultIsFoundAndTheScenarioThatIsWrittenShowsItAgain() async throws {
        try await withServer(["--fault", "unknown-commands-close"]) { url in
            try await Files.with { folder in
                let outcome = try await Command(
                    "check", "--dialect", "livechat", "--server", url, "--only", "cmd.unknown",
                    "--repeat", "1", "--out", "failures", "--quiet", "--seed", "1"
                ).within(folder).run()
                #expect(outcome.status == 1, "\(outcome.all)")
                #expect(outcome.output.contains("FAILED"))
                #expect(outcome.output.contains("linejudge run failures/cmd.unknown"))
                let written = try FileManager.default.contentsOfDirectory(
                    atPath: folder.appending(path: "failures").path)
                #expect(written.contains { $0.hasSuffix(".chat") })
                try await evidenceIsReadable(folder.appending(path: "failures"))
                let again = try await Command("run", "failures", "--server", url)
                    .within(folder).run()
                #expect(again.status == 1, "\(again.all)")
                // A scenario that shows a fault passes on a healthy server.
                let fine = try await Command("run", "failures").within(folder).run()
                #expect(fine.status == 0, "\(fine.all)")
            }
        }
    }

    @Test func anInterruptionEndsItWithWhatWasFoundUntilThen() async throws {
        try await Files.with { folder in
            let running = try Command([
                "check", "--dialect", "livechat", "--jobs", "1", "--report", "json=check.json",
            ]).within(folder).start()
            #expect(try running.line().contains("of livechat against"))
            running.send(SIGINT)
            let outcome = try await running.outcome()
            #expect(outcome.status == 130, "\(outcome.all)")
            #expect(outcome.output.contains("interrupted"))
            let json = try Files.text(folder.appending(path: "check.json"))
            #expect(json.contains("\"interruption\" : \"interrupted\""))
        }
    }

    /// Linejudge and other programs can read the capture, and it agrees with the wire log.
    private func evidenceIsReadable(_ folder: URL) async throws {
        let log = try Files.text(folder.appending(path: "cmd.unknown.jsonl"))
        let lines = try log.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        #expect(lines.contains { $0?["kind"] as? String == "closedByPeer" })
        let decoded = try await Command("decode", "cmd.unknown.pcapng", "--dialect", "livechat")
            .within(folder).run()
        #expect(decoded.status == 0, "\(decoded.all)")
        #expect(decoded.output.contains("! unknown command"), "\(decoded.all)")
        var tcpdump = Command("tcpdump -vv -n -r cmd.unknown.pcapng 2>&1")
        tcpdump.program = URL(filePath: "/bin/sh")
        tcpdump.arguments = ["-c", tcpdump.arguments[0]]
        let packets = try await tcpdump.within(folder).run()
        #expect(packets.status == 0, "\(packets.all)")
        #expect(packets.output.contains("(correct)"), "\(packets.all)")
        #expect(!packets.output.contains("incorrect"), "\(packets.all)")
    }
}
