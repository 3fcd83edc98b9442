import Foundation
import Glibc
import Testing

/// `check --write-baseline`, `check --baseline` and `compare` of baseline files, through the
/// executable.
@Suite struct BaselineTests {
    @Test func aServerIsMeasuredRecordedAndCompared() async throws {
        try await Files.with { folder in
            let measured = try await Command(
                "check", "--dialect", "livechat", "--only", "cmd", "--only", "arity.few", "--seed",
                "5",
                "--write-baseline", "livechat.baseline", "--quiet"
            ).within(folder).run()
            #expect(measured.status == 0, "\(measured.all)")
            let text = try Files.text(folder.appending(path: "livechat.baseline"))
            #expect(
                text.contains("\nseed: 5\n") && text.contains("  cmd.unknown: refuse\n"), "\(text)")
            // The baseline names the dialect and the seed.
            let same = try await Command(
                "check", "--baseline", "livechat.baseline", "--only", "cmd", "--quiet"
            ).within(folder).run()
            #expect(same.status == 0, "\(same.all)")
            #expect(same.output.contains("seed 5"))
            #expect(same.output.contains("matches baseline livechat.baseline: 3 checks unchanged"))
            try await drift(folder)
        }
    }

    private func drift(_ folder: URL) async throws {
        let server = try Command([
            "serve", "--dialect", "livechat", "--fault", "unknown-commands-close",
        ]).start()
        let url = String(try server.line().dropFirst("listening on ".count))
        let other = try await Command(
            "check", "--baseline", "livechat.baseline", "--server", url, "--only", "cmd.unknown",
            "--repeat",
            "1", "--quiet", "--report", "json=check.json"
        ).within(folder).run()
        let again = try await Command(
            "check", "--dialect", "livechat", "--server", url, "--only", "cmd.unknown", "--repeat",
            "0", "--quiet", "--characterize", "other.lock"
        ).within(folder).run()
        server.send(SIGTERM)
        _ = try await server.outcome()
        #expect(other.status == 4, "\(other.all)")
        #expect(other.output.contains("cmd.unknown  refuse → close"), "\(other.all)")
        #expect(
            try Files.text(folder.appending(path: "check.json"))
                .contains("\"recorded\" : \"refuse\""))
        #expect(again.status == 0, "\(again.all)")
        for format in ["text", "markdown"] {
            let compared = try await Command(
                "compare", "livechat.baseline", "other.lock", "--format", format
            ).within(folder).run()
            #expect(compared.status == 1, "\(compared.all)")
            #expect(compared.output.contains("close"), "\(compared.all)")
        }
        let alike = try await Command("compare", "other.lock", "other.lock").within(folder).run()
        #expect(alike.status == 0, "\(alike.all)")
    }

    @Test(arguments: [
        (["check", "--dialect", "livechat", "--lock", "bad.baseline"], 65, "bad.baseline:4:3"),
        (["check", "--dialect", "livechat", "--lock", "none.lock"], 66, "cannot read"),
        (["check", "--lock", "a", "--characterise", "b"], 64, "cannot be used together"),
        (["compare", "bad.baseline", "bad.baseline"], 65, "not a check name"),
        (["compare", "bad.baseline", "run.json"], 65, "not a check name"),
        (
            ["compare", "binary", "binary"], 65,
            "not a results or baseline file, but a binary file"
        ),
        (["compare", "good.baseline", "run.json"], 64, "only some of the files"),
    ])
    func mistakesAreReported(arguments: [String], status: Int32, words: String) async throws {
        let files = [
            "binary": "\u{7F}ELF\u{0}\u{0}\u{0}",
            "bad.baseline": "format: linejudge.baseline/1\ndialect: irc\nchecks:\n  No: x\n",
            "good.baseline":
                "format: linejudge.baseline/1\ndialect: irc\nchecks: {frame.nul: cut}\n",
        ]
        try await Files.with(files) { folder in
            if arguments.contains("run.json") { try await results(in: folder) }
            let outcome = try await Command(arguments).within(folder).run()
            #expect(outcome.status == status, "\(outcome.all)")
            #expect(outcome.errors.contains(words), "\(outcome.all)")
        }
    }

    /// Results of a passing run.
    private func results(in folder: URL) async throws {
        let scenario = "dialect livechat\n\na -> /join\na <- {{...}}\n"
        try Data(scenario.utf8).write(to: folder.appending(path: "s.chat"))
        let run = try await Command("run", "s.chat", "--report", "json=run.json")
            .within(folder).run()
        #expect(run.status < 64, "\(run.all)")
    }
}
