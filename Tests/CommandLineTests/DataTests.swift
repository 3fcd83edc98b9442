import Foundation
import Testing

/// Scenarios that run for each row of a file.
struct DataTests {
    static let files = [
        "room.chat": """
        title     Text arrives
        dialect   irc
        operators alice, bob
        secret    code
        data      "rows/texts.csv"

        use login
        alice -> PRIVMSG bob :{{text}} {{code}}
        bob   <~ PRIVMSG bob :{{expected}} {{code}}

        """,
        "rows/texts.csv": "text,expected,code\nhello,hello,hunter1\n\"a, b\",other,hunter2\n",
        "lines.chat":
            "dialect irc\ndata \"l.jsonl\"\nalice -> NICK {{nick}}\nalice <- 432 {{...}}\n",
        "l.jsonl": "{\"nick\": \"1a\"}\n{\"nick\": \"2b\"}\n",
    ]

    @Test func eachRowIsAResultOfItsOwn() async throws {
        try await Files.with(Self.files) { folder in
            let formats = ["json", "junit", "tap", "github", "markdown", "html"]
            let reports = formats.flatMap { ["--report", "\($0)=run.\($0)"] }
            let outcome = try await Command(["run", "room.chat"] + reports).within(folder).run()
            #expect(outcome.status == 1, "\(outcome.all)")
            #expect(outcome.output.contains("✓ pass  Text arrives [row 1: hello]"))
            #expect(outcome.output.contains("✗ FAIL  Text arrives [row 2: a, b]"))
            #expect(outcome.output.contains("= note: row 2 is in rows/texts.csv:3\n"))
            #expect(outcome.output.contains("1 scenario, 2 runs in"), "\(outcome.output)")
            #expect(!outcome.all.contains("hunter"), "\(outcome.output)")
            for format in formats {
                let text = try Files.text(folder.appending(path: "run.\(format)"))
                #expect(text.contains("row 2"), "\(format)")
                #expect(!text.contains("hunter"), "\(format)")
            }
            let junit = try Files.text(folder.appending(path: "run.junit"))
            let names = junit.matches(of: /<testcase name="([^"]*)"/).map(\.1)
            #expect(Set(names).count == names.count)
        }
    }

    @Test func jsonLinesAndNamesByLine() async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command("run", "lines.chat:3").within(folder).run()
            #expect(outcome.status == 0, "\(outcome.all)")
            #expect(outcome.output.contains("lines [row 2: 2b]"))
        }
    }

    @Test func listShowsTheNumberOfRows() async throws {
        try await Files.with(Self.files) { folder in
            let list = try await Command("run", ".", "--list").within(folder).run()
            #expect(list.output.contains("Text arrives  (2 rows)\n"), "\(list.all)")
            let check = try await Command(
                "run", ".", "--dry-run", "--segment", "whole", "--segment", "byte"
            )
            .within(folder).run()
            #expect(check.output.contains("2 scenarios would run (8 runs)"), "\(check.all)")
        }
    }

    @Test func failedRowIsRunAgain() async throws {
        try await Files.with(Self.files) { folder in
            let environment = ["XDG_STATE_HOME": folder.path]
            let first = try await Command("run", ".").with(environment: environment)
                .within(folder).run()
            #expect(first.status == 1, "\(first.all)")
            let second = try await Command("run", ".", "--last-failed")
                .with(environment: environment).within(folder).run()
            #expect(second.output.contains("Text arrives [row 2: a, b]"), "\(second.all)")
            #expect(second.output.contains("1 scenario in"), "\(second.all)")
            // The row passes once the data are right, and nothing remains.
            try Data("text,expected,code\nhello,hello,x\n\"a, b\",\"a, b\",x\n".utf8)
                .write(to: folder.appending(path: "rows/texts.csv"))
            let third = try await Command("run", ".", "--last-failed")
                .with(environment: environment).within(folder).run()
            #expect(third.status == 0, "\(third.all)")
            #expect(third.output.contains("1 scenario in"), "\(third.all)")
            let fourth = try await Command("run", ".", "--last-failed")
                .with(environment: environment).within(folder).run()
            #expect(fourth.status == 66, "\(fourth.all)")
        }
    }

    @Test(arguments: [
        (["room.chat#1"], 0, "1 scenario in"), (["room.chat:7#1"], 0, "[row 1: hello]"),
        (["room.chat#1", "./room.chat#2"], 1, "1 scenario, 2 runs in"),
        (["room.chat#1", "room.chat"], 1, "1 scenario, 2 runs in"),
        (["room.chat#3"], 66, "`room.chat` has no row 3"), (["room.chat#0"], 66, "no such file"),
        (["plain.chat#1"], 66, "`plain.chat` has no rows"),
        (["room.chat:99#1"], 66, "has no line 99"),
    ])
    func rowsAreNamedByNumber(_ words: [String], _ status: Int, _ text: String) async throws {
        var files = Self.files
        files["plain.chat"] = "dialect irc\noperators a\nuse login\n"
        try await Files.with(files) { folder in
            let outcome = try await Command(["run"] + words).within(folder).run()
            #expect(outcome.status == Int32(status), "\(outcome.all)")
            #expect(outcome.all.contains(text), "\(outcome.all)")
        }
    }

    @Test func mistakeIsAnErrorOfTheFile() async throws {
        var files = Self.files
        files["rows/texts.csv"] = "text,expected,code\nhello\n"
        try await Files.with(files) { folder in
            for words in [["run"], ["lint"], ["run", "--dry-run"]] {
                let outcome = try await Command(words + ["room.chat"]).within(folder).run()
                #expect(outcome.status == 65, "\(outcome.all)")
                #expect(outcome.all.contains("--> rows/texts.csv:2:1"), "\(outcome.all)")
            }
        }
    }

    @Test func loadRefusesRows() async throws {
        try await Files.with(Self.files) { folder in
            let outcome = try await Command(
                "load", "lines.chat", "--for", "1s", "--operators", "2"
            ).within(folder).run()
            #expect(outcome.status == 64, "\(outcome.all)")
            #expect(outcome.errors.contains("lines.chat:2:6"), "\(outcome.errors)")
        }
    }
}
