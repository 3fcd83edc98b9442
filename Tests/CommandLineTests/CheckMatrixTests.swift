import Foundation
import Glibc
import Testing

/// `check` of several servers and `report` of the saved results, through the executable.
@Suite struct CheckMatrixTests {
    @Test func serversStandSideBySideAndTheOtherOneIsNamed() async throws {
        var servers: [(running: Running, url: String)] = []
        for fault in [nil, "unknown-commands-close", nil] {
            let server = try Command(
                ["serve", "--dialect", "livechat"] + (fault.map { ["--fault", $0] } ?? [])
            ).start()
            servers.append(
                (server, String(try server.line().dropFirst("listening on ".count))))
        }
        let targets = servers.flatMap { ["--server", $0.url] }
        let names = ["--name", "old", "--name", "odd", "--name", "new"]
        try await Files.with { folder in
            let outcome = try await Command(
                [
                    "check", "--dialect", "livechat", "--only", "cmd", "--repeat", "0", "--quiet",
                    "--seed", "2",
                ] + targets
                    + names + ["--report", "json=m.json", "--out", "failures"]
            ).within(folder).run()
            for server in servers { server.running.send(SIGTERM) }
            for server in servers { _ = try await server.running.outcome() }
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(outcome.output.contains("odd: close; others: refuse"), "\(outcome.all)")
            #expect(
                FileManager.default.fileExists(
                    atPath: folder.appending(path: "failures/odd/cmd.unknown.chat").path))
            let report = try await Command(
                "report", "m.json", "--report", "html=m.html", "--format", "markdown", "--exit-code"
            ).within(folder).run()
            #expect(report.status == 1, "\(report.all)")
            #expect(report.output.contains("| cmd.unknown | refuse | **close** | refuse |"))
            #expect(try Files.text(folder.appending(path: "m.html")).contains("3 servers: "))
        }
    }

    @Test func savedChecksOfOneServerEachStandSideBySide() async throws {
        try await Files.with { folder in
            for name in ["a", "b"] {
                let outcome = try await Command(
                    "check", "--dialect", "livechat", "--only", "cmd.case", "--quiet", "--report",
                    "json=\(name).json"
                ).within(folder).run()
                #expect(outcome.status == 0, "\(outcome.all)")
            }
            let report = try await Command("report", "a.json", "b.json").within(folder).run()
            #expect(report.status == 0, "\(report.all)")
            #expect(report.output.contains("all servers behave the same"), "\(report.all)")
            let same = try await Command("compare", "a.json", "b.json").within(folder).run()
            #expect(same.status == 0, "\(same.all)")
        }
    }

    @Test(arguments: [
        (["--server", "irc://h", "--server", "nats://h"], 64, "different dialects"),
        (["--server", "irc://h", "--server", "irc://i", "--name", "a"], 64, "name all or none"),
        (
            ["--server", "irc://h", "--server", "irc://i", "--lock", "x.lock"], 64,
            "describes one server"
        ),
        (
            ["--server", "h:1", "--server", "h:2", "--software", "x@1"], 64,
            "pass it for all or none"
        ),
    ])
    func conflictingOptionsAreRefused(
        options: [String], status: Int32, words: String
    ) async throws {
        let outcome = try await Command(["check"] + options).run()
        #expect(outcome.status == status, "\(outcome.all)")
        #expect(outcome.errors.contains(words), "\(outcome.all)")
    }

    @Test func whatALinterFindsIsAReportToo() async throws {
        let scenario = "dialect livechat\noperators a, b\n\na -> /join\na <- {{...}}\n"
        try await Files.with(["s.chat": scenario]) { folder in
            let outcome = try await Command("lint", "s.chat", "--report", "sarif=-")
                .within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(outcome.output.contains("\"uri\" : \"s.chat\""), "\(outcome.all)")
            #expect(outcome.output.contains("\"startLine\" : 2"), "\(outcome.all)")
            #expect(outcome.errors.contains("1 file"), "\(outcome.all)")
        }
    }
}
