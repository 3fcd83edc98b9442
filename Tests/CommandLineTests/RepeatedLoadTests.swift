import Foundation
import Glibc
import Testing

/// `linejudge load --repeat`, and `compare` with its results, through the executable.
@Suite(.serialized) struct RepeatedLoadTests {
    private static let small = [
        "load", "--dialect", "livechat", "--operators", "10", "--rate", "50/s", "--for", "500ms",
        "--color", "never",
    ]

    private static func serve(_ options: String = "") -> String {
        "\(Command.executable.path) serve --listen 127.0.0.1:{{port}} \(options)"
    }

    private func json(_ file: URL) throws -> [String: Any] {
        try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    }

    private func validate(_ schema: String, _ file: String, in folder: URL) async throws {
        var validate = Command(
            "python3", Files.root.appending(path: "Tests/ReportTests/Tools/validate.py").path,
            Files.root.appending(path: "docs/\(schema)").path, file)
        validate.program = URL(filePath: "/usr/bin/env")
        let valid = try await validate.within(folder).run()
        #expect(valid.status == 0, "\(valid.all)")
    }

    @Test func twoServersAreTestedInTurnAndCompared() async throws {
        try await Files.with { folder in
            let outcome = try await Command(
                Self.small + [
                    "--repeat", "3", "--exec", Self.serve(), "--against-exec",
                    Self.serve("--line-cost 5ms"), "--report", "json=r.json", "--report",
                    "html=r.html", "--report", "markdown=r.md",
                ]
            ).within(folder).run()
            #expect([0, 1, 2].contains(outcome.status), "\(outcome.all)")
            #expect(outcome.output.contains("6 load tests of A (this server) and B"))
            let order = outcome.output.split(separator: "\n").filter { $0.contains("/6  ") }.map {
                $0.contains("  A  ") ? "A" : "B"
            }
            #expect(order == ["A", "B", "B", "A", "A", "B"], "\(outcome.all)")
            let sides = try #require(
                try json(folder.appending(path: "r.json"))["sides"] as? [[String: Any]])
            #expect(sides.map { ($0["loads"] as? [Any])?.count } == [3, 3])
            try await validate("repeated-load.schema.json", "r.json", in: folder)

            let compared = try await Command(
                "compare", "r.json", "--report", "json=c.json", "--color", "never"
            ).within(folder).run()
            try await validate("comparison.schema.json", "c.json", in: folder)
            let comparisons = try #require(
                try json(folder.appending(path: "c.json"))["comparisons"] as? [[String: Any]])
            let verdict = try #require(comparisons.first?["verdict"] as? String)
            let words = try #require(
                ["passed": "NOT WORSE", "failed": "WORSE", "inconclusive": "INCONCLUSIVE"][verdict])
            for text in [outcome.output, compared.output] {
                #expect(text.contains("\n\(words): "), "\(text)")
            }
            let status: Int32 = verdict == "passed" ? 0 : verdict == "failed" ? 1 : 2
            #expect(compared.status == status)
            let markdown = try Files.text(folder.appending(path: "r.md"))
            #expect(markdown.contains("linejudge compare: \(words.lowercased())"))
            let page = try Files.text(folder.appending(path: "r.html"))
            #expect(page.contains("\(words.prefix(1))\(words.dropFirst().lowercased()): "))
            // 5 ms per line are many times the cost of a line.
            let figures = try #require(comparisons.first?["figures"] as? [[String: Any]])
            let cost = try #require(
                figures.first {
                    $0["group"] as? String == "server" && $0["name"] as? String == "CPU per message"
                })
            #expect(cost["after"] as? Double ?? 0 > cost["before"] as? Double ?? .infinity)

            let again = try await Command("report", "r.json", "--color", "never")
                .within(folder).run()
            #expect(again.output.contains("\n\(words): "), "\(again.all)")
        }
    }

    @Test func oneServerIsRepeatedAndGroupsAreCompared() async throws {
        try await Files.with { folder in
            for name in ["a", "b"] {
                let outcome = try await Command(
                    Self.small + ["--repeat", "2", "--report", "json=\(name).json", "--quiet"]
                ).within(folder).run()
                #expect([0, 2].contains(outcome.status), "\(outcome.all)")
                #expect(outcome.output.contains("2 load tests of built-in"))
                #expect(outcome.output.contains("deviation"))
            }
            let single = try await Command(Self.small + ["--report", "json=one.json", "--quiet"])
                .within(folder).run()
            #expect([0, 2].contains(single.status), "\(single.all)")
            for arguments in [
                ["a.json", "b.json"], ["a.json", "--with", "b.json"],
                ["a.json", "one.json", "--with", "b.json", "one.json"],
            ] {
                let compared = try await Command(["compare"] + arguments).within(folder).run()
                // Which verdict it is depends on what else the machine does.
                let words = try #require(
                    [0: "NOT WORSE", 1: "WORSE", 2: "INCONCLUSIVE"][compared.status],
                    "\(compared.all)")
                #expect(compared.output.contains("\n\(words): "), "\(compared.all)")
                #expect(compared.output.contains(" load tests, livechat, 10 operators"))
            }
            for (arguments, message) in [
                (["compare", "a.json"], "contains the results of only one server"),
                (["compare", "one.json"], "contains the results of only one server"),
                (["report", "a.json", "b.json"], "cannot be merged"),
                (["report", "a.json", "--format", "csv"], "unknown format `csv`"),
            ] {
                let outcome = try await Command(arguments).within(folder).run()
                #expect(outcome.status == 64, "\(outcome.all)")
                #expect(outcome.errors.contains(message), "\(outcome.all)")
            }
        }
    }

    @Test(arguments: [
        (["--against-exec", "/no/such/server {{port}}"], "--against-exec:1:1"),
        (["--against", "livechat://127.0.0.1:9"], "127.0.0.1:9"),
    ])
    func noLoadTestIsWastedIfTheSecondServerIsMissing(_ other: [String], _ name: String)
        async throws
    {
        let outcome = try await Command(Self.small + ["--exec", Self.serve()] + other).run()
        #expect(outcome.status == 69, "\(outcome.all)")
        #expect(outcome.errors.contains(name), "\(outcome.all)")
        #expect(!outcome.output.contains("/10  "), "\(outcome.all)")
    }

    @Test(arguments: [
        (["--repeat", "2", "--live"], "--live cannot be combined with repeated load tests"),
        (["--repeat", "0"], "1 to 100"),
        (["--against-watch", "1"], "--against-watch requires --against"),
        (
            ["--against", "127.0.0.1:9", "--against-exec", "x {{port}}"],
            "--against and --against-exec cannot be combined"
        ),
        (
            ["--server", "irc://127.0.0.1", "--against", "nats://127.0.0.1"],
            "the servers speak different protocols: irc and nats"
        ),
        (
            ["--repeat", "2", "--report", "csv=x.csv"],
            "there is no csv report for repeated load tests"
        ),
        (["--budget", "cpu > 5%"], "expected a budget such as 'cpu < 150%'"),
        (["--budget", "memory < 5%"], "expected a size such as 512MiB"),
        (["--budget", "cpu < 5%"], "the budget `cpu < 5%` requires the server's process"),
        (
            ["--threshold", "p99(relay) < 1s"],
            "limits relay, which this load test does not measure"
        ),
        (
            ["--threshold", "p99(step) < 1s"],
            "pass a scenario to measure step; this one measures connect, login, say"
        ),
        (
            ["--report", "json=x", "--report", "html=x"],
            "two reports cannot be written to the same file, x"
        ),
        (["--model", "closed", "--pace", "poisson"], "--pace requires --model open"),
    ])
    func whatDoesNotFitIsRefused(_ options: [String], _ message: String) async throws {
        let outcome = try await Command(Self.small + options).run()
        #expect(outcome.status == 64, "\(outcome.all)")
        #expect(outcome.errors.contains(message), "\(outcome.all)")
    }

    @Test func aServerThatExceedsTheBudgetEndsTheLoad() async throws {
        try await Files.with { folder in
            let outcome = try await Command(
                Self.small + [
                    "--for", "600s", "--exec", Self.serve(), "--budget", "memory < 1MiB",
                    "--report", "json=load.json",
                ]
            ).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(
                outcome.output.contains("ended early because it exceeded the budget memory < 1MiB"),
                "\(outcome.all)")
            try await LoadSchema.validate("load.json", in: folder)
            let figures = try LoadFigures(folder.appending(path: "load.json"))
            #expect(figures.text("exceededBudget") == "memory < 1MiB")
            #expect(figures.text("interruption") == "aborted")
        }
    }
}
