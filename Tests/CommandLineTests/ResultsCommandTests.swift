import Foundation
import Testing

/// `linejudge report` and `linejudge compare` through the executable.
@Suite struct ResultsCommandTests {
    private static let load = [
        "load", "--operators", "10", "--rate", "50/s", "--for", "500ms", "--quiet",
    ]

    /// A folder with the results of two loads and a run.
    private func withResults(_ body: (URL) async throws -> Void) async throws {
        let scenario = "dialect livechat\n\na -> /join\na <- {{...}}\n"
        try await Files.with(["s.chat": scenario]) { folder in
            for name in ["a", "b"] {
                let outcome = try await Command(Self.load + ["--report", "json=\(name).json"])
                    .within(folder).run()
                #expect([0, 2].contains(outcome.status), "\(outcome.all)")
            }
            let run = try await Command("run", "s.chat", "--report", "json=run.json")
                .within(folder).run()
            #expect(run.status < 64, "\(run.all)")
            try await body(folder)
        }
    }

    @Test(arguments: [["report"], ["report", "b.json"], ["compare", "b.json"]])
    func aDamagedHistogramIsLocated(_ words: [String]) async throws {
        try await withResults { folder in
            let file = folder.appending(path: "a.json")
            let damaged = try Files.text(file)
                .replacing(/"histogram" : "HI/, with: "\"histogram\" : \"XX", maxReplacements: 1)
            try Data(damaged.utf8).write(to: file)
            let outcome = try await Command(words + ["a.json"]).within(folder).run()
            #expect(outcome.status == 65, "\(outcome.all)")
            #expect(outcome.errors.contains("a.json"), "\(outcome.errors)")
            #expect(
                outcome.errors.contains(#/`[a-zA-Z0-9. ]+histogram` is not a valid histogram/#),
                "\(outcome.errors)")
        }
    }

    /// Changes the results in `b.json` to those of a load test that ran at the same time as `a.json`.
    private static func overlap(in folder: URL) throws {
        let start = try Files.text(folder.appending(path: "a.json"))
            .firstMatch(of: /"measuredFrom" : [0-9]+/)
        let file = folder.appending(path: "b.json")
        let text = try Files.text(file).replacing(
            /"measuredFrom" : [0-9]+/, with: try #require(start).output)
        try Data(text.utf8).write(to: file)
    }

    @Test func resultsAreShownAgainMergedAndCompared() async throws {
        try await withResults { folder in
            let again = try await Command("report", "a.json", "--format", "json")
                .within(folder).run()
            #expect(again.status == 0)
            #expect(again.output == (try Files.text(folder.appending(path: "a.json"))))
            let apart = try await Command("report", "a.json", "b.json").within(folder).run()
            #expect(apart.status == 64, "\(apart.all)")
            #expect(apart.errors.contains("when that one was not running"), "\(apart.all)")
            try Self.overlap(in: folder)
            let merged = try await Command(
                "report", "a.json", "b.json", "--report", "json=both.json", "--format", "pretty"
            ).within(folder).run()
            #expect(merged.status == 0, "\(merged.all)")
            #expect(merged.output.contains("50 sent in 500 ms"))
            #expect(merged.output.contains("450 of 450 deliveries arrived"))
            let compared = try await Command(
                "compare", "a.json", "both.json", "--tolerance", "1000%", "--format", "markdown"
            ).within(folder).run()
            #expect([0, 1, 2].contains(compared.status), "\(compared.all)")
            #expect(compared.output.contains("the load tests differ in operators: 10 and 20"))
            let three = try await Command(
                "compare", "a.json", "a.json", "b.json", "--tolerance", "1000%", "--report",
                "html=out/compare.html"
            ).within(folder).run()
            #expect([0, 1, 2].contains(three.status), "\(three.all)")
            #expect(three.output.contains("CI of B - A"))
            #expect(three.output.contains("CI of C - A"))
            let page = try Files.text(folder.appending(path: "out/compare.html"))
            #expect(page.contains("C compared with A"))
            let run = try await Command("report", "run.json", "--format", "tap")
                .within(folder).run()
            #expect(run.status == 0)
            #expect(run.output.hasPrefix("TAP version"))
            let same = try await Command("compare", "run.json", "run.json").within(folder).run()
            #expect(same.status == 0, "\(same.all)")
            try await whatDoesNotFit(folder)
        }
    }

    private func whatDoesNotFit(_ folder: URL) async throws {
        let mistakes: [([String], Int32, String)] = [
            (["report", "a.json", "run.json"], 64, "not load results"),
            (["report", "a.json", "--format", "tap"], 64, "unknown format `tap`"),
            (["report", "missing.json"], 66, "cannot read"),
            (["report", "s.chat"], 65, "not a results file"),
            (["compare", "a.json", "run.json"], 64, "compare two load tests or two runs"),
            (["compare", "a.json", "a.json", "--tolerance", "5"], 64, "such as 5%"),
            (["compare", "a.json"], 64, "contains the results of only one server"),
            (["compare"] + [String](repeating: "a.json", count: 7), 64, "found 7"),
            (
                ["compare", "a.json", "a.json", "--report", "htlm=x"], 64, "did you mean html?"
            ),
        ]
        for (words, status, message) in mistakes {
            let outcome = try await Command(words).within(folder).run()
            #expect(outcome.status == status, "\(outcome.all)")
            #expect(outcome.errors.contains(message), "\(outcome.all)")
            #expect(outcome.output.isEmpty)
        }
    }
}
