import Foundation
import RepositoryFiles
import Testing

/// `check --dialect irc+rfc` against the student server in `Examples/ft_irc`, which has mistakes on
/// request.
struct SmallServerTests {
    /// The checks that fail because of each mistake: ids, or rules.
    private static let mistakes: [(name: String, checks: Set<String>)] = [
        (
            "one-recv-one-line",
            ["frame.seg", "frame.eof:whole", "frame.eof:part", "reconn.mid", "slow.writer"]
        ),
        (
            "name-stays-taken",
            ["frame.max:huge", "frame.eof:whole", "frame.eof:part", "reconn.mid"]
        ),
        ("empty-parameter", ["arity.empty", "reply.shape:empty"]),
        ("missing-nick", ["arity.few"]),
        ("rename-not-relayed", ["id.dup:renamed"]),
    ]

    private static func check(
        _ mistakes: [String], _ more: [String], repeating: Int = 0
    ) async throws -> Outcome {
        let server = Files.root.appending(path: "Examples/ft_irc/server.py").path
        let command = "python3 '\(server)' {{port}} secret \(mistakes.joined(separator: " "))"
        var outcome = Outcome()
        let run = try await Command(
            ["check", "--dialect", "irc+rfc", "--exec", command, "--repeat", "\(repeating)"]
                + ["--quiet", "--report", "json=-"] + more
        ).run()
        outcome.status = run.status
        outcome.text = run.all
        let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        for check in try #require(json?["checks"] as? [[String: Any]], "\(run.all)") {
            let id = try #require(check["id"] as? String)
            let verdict = try #require(check["verdict"] as? String)
            outcome.checks[verdict, default: []].insert(id)
        }
        return outcome
    }

    private struct Outcome {
        var status: Int32 = -1
        var text = ""
        /// Ids by verdict.
        var checks: [String: Set<String>] = [:]
    }

    @Test func aServerWithoutMistakesPasses() async throws {
        let outcome = try await Self.check([], ["--var", "password=secret"])
        #expect(outcome.status == 0, "\(outcome.text)")
        let bad = ["failed", "flaky", "inconclusive"].compactMap { outcome.checks[$0] }
        #expect(bad.isEmpty, "\(outcome.text)")
        #expect((outcome.checks["passed"]?.count ?? 0) > 50, "\(outcome.text)")
    }

    @Test func allMistakesAreFoundAndNothingElse() async throws {
        let outcome = try await Self.check(
            Self.mistakes.map(\.name), ["--var", "password=secret"])
        #expect(outcome.status == 1, "\(outcome.text)")
        let failed = outcome.checks["failed"] ?? []
        for (name, checks) in Self.mistakes {
            #expect(failed.contains { Self.matches($0, checks) }, "\(name): \(outcome.text)")
        }
        let all = Self.mistakes.reduce(into: Set<String>()) { $0.formUnion($1.checks) }
        let others = failed.filter { !Self.matches($0, all) }
        #expect(others.isEmpty, "\(others): \(outcome.text)")
    }

    /// With repetitions and shrinking, the check takes less than half a minute. The limit is higher,
    /// because other tests run at the same time.
    @Test func allMistakesAreConfirmedInTime() async throws {
        let begin = ContinuousClock.now
        let outcome = try await Self.check(
            Self.mistakes.map(\.name), ["--var", "password=secret"], repeating: 3)
        #expect(Sanitizer.isUsed || ContinuousClock.now - begin < .seconds(90))
        #expect(outcome.status == 1, "\(outcome.text)")
        let failed = outcome.checks["failed"] ?? []
        for (name, checks) in Self.mistakes {
            #expect(failed.contains { Self.matches($0, checks) }, "\(name): \(outcome.text)")
        }
        let undecided = ["flaky", "inconclusive", "delayed"].compactMap { outcome.checks[$0] }
        #expect(undecided.isEmpty, "\(outcome.text)")
    }

    @Test func theExampleIsShort() throws {
        let server = try Files.text(Files.root.appending(path: "Examples/ft_irc/server.py"))
        #expect(server.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    }

    /// Each mistake alone fails the checks that the tutorial names for it, and no others of them.
    @Test(arguments: mistakes.map(\.name))
    func eachMistakeHasItsOwnChecks(_ name: String) async throws {
        let only = ["frame.seg", "frame.eof:part", "arity.empty:JOIN", "arity.few:JOIN", "id.dup"]
            .flatMap { ["--only", $0] }
        let checks = try #require(Self.mistakes.first { $0.name == name }).checks
        let server = try await Self.check([name], only + ["--var", "password=secret"])
        #expect(server.status == 1, "\(server.text)")
        let failed = server.checks["failed"] ?? []
        #expect(!failed.isEmpty)
        #expect(failed.allSatisfy { Self.matches($0, checks) }, "\(server.text)")
    }

    /// A selection that takes seconds; `scripts/check-repeat.sh` runs all checks.
    @Test(arguments: [
        ("miniircd", "miniircd"), ("irc", "python-irc"), ("twisted", "twisted"),
        ("ircd-irc2", "ircd-irc2"), ("ircd-ircu", "ircd-ircu"),
    ])
    func serversOfTheMatrixHaveNoUnknownFailures(script: String, profile: String) async throws {
        let path = Files.root.appending(path: "scripts/servers/\(script).sh").path
        let rules = ["cmd", "frame.term", "frame.eof", "msg.history", "id.dup", "phase.after"]
        let password = script == "twisted" ? ["--var", "password=any"] : []
        let outcome = try await Command(
            [
                "check", "--dialect", "irc+\(profile)", "--exec", "'\(path)' {{port}} {{dir}}",
                "--repeat", "1", "--quiet",
            ] + rules.flatMap { ["--only", $0] } + password
        ).run()
        #expect(outcome.status == 0, "\(outcome.all)")
        #expect(!outcome.output.contains("FAILED"), "\(outcome.all)")
        #expect(outcome.output.contains("passed"), "\(outcome.all)")
    }

    /// A server whose PONG does not repeat the token is checked all the same, and that is reported.
    @Test func answersWithoutATokenAreCounted() async throws {
        let path = Files.root.appending(path: "scripts/servers/irc.sh").path
        try await Files.with { folder in
            let outcome = try await Command(
                "check", "--dialect", "irc", "--exec", "'\(path)' {{port}} {{dir}}", "--quiet",
                "--repeat", "1", "--only", "cmd.unknown", "--only", "frame.empty", "--out", "out"
            ).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(outcome.output.contains("FAILED  probe.token"), "\(outcome.all)")
            #expect(outcome.output.contains("✓ cmd.unknown"), "\(outcome.all)")
            // The scenario of a failure comes with the dialect that counts the answers.
            let dialect = try Files.text(folder.appending(path: "out/irc-counted.yaml"))
            #expect(dialect.contains("name: irc"))
        }
    }

    @Test func aBudgetEndsTheRunAndTheSummaryListsWhatDidNotRun() async throws {
        let begin = ContinuousClock.now
        let outcome = try await Self.check(
            ["one-recv-one-line"],
            ["--var", "password=secret", "--budget", Sanitizer.isUsed ? "36s" : "12s"])
        #expect(Sanitizer.isUsed || ContinuousClock.now - begin < .seconds(40))
        #expect(outcome.status == 1, "\(outcome.text)")
        // The most valuable check comes first.
        #expect(outcome.checks["failed"]?.contains("frame.seg") == true, "\(outcome.text)")
        #expect(outcome.text.contains("not run: out of time (--budget)"), "\(outcome.text)")
        #expect(outcome.text.contains(/[0-9]+ not run in/), "\(outcome.text)")
    }

    @Test(arguments: [["--baseline", "x"], ["--write-baseline", "x"], ["--fuzz", "1s"]])
    func aBudgetIsForChecksWithoutABaseline(_ options: [String]) async throws {
        let outcome = try await Command(
            ["check", "--dialect", "irc+rfc", "--budget", "3s"] + options
        ).run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains("--budget"), "\(outcome.all)")
    }

    @Test func withoutThePasswordNothingIsDecided() async throws {
        let outcome = try await Self.check([], ["--only", "cmd.unknown"])
        #expect(outcome.status == 2, "\(outcome.text)")
        #expect(outcome.checks["inconclusive"] == ["cmd.unknown"])
        #expect(outcome.text.contains("464"), "\(outcome.text)")
    }

    private static func matches(_ id: String, _ checks: Set<String>) -> Bool {
        checks.contains { id == $0 || id.hasPrefix($0 + ":") }
    }
}
