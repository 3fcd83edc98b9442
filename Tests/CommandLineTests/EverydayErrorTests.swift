import Foundation
import Testing

/// Mistakes that people make every day, and the answers to them.
struct EverydayErrorTests {
    @Test(arguments: [("good.chat:99", 66), ("good.chat:8", 66), ("good.chat:7", 0)])
    func lineMustExist(_ word: String, _ code: Int32) async throws {
        try await Files.with(RunTests.files) { folder in
            let outcome = try await Command("run", word).within(folder).run()
            #expect(outcome.status == code, "\(outcome.all)")
            #expect(outcome.errors.contains("has no line") == (code == 66))
        }
    }

    @Test func assumedDialectIsNamed() async throws {
        try await Files.with(["a.chat": "alice connect\n"]) { folder in
            let outcome = try await Command("run", "a.chat").within(folder).run()
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("no dialect specified in a.chat; assuming livechat"))
        }
        try await Files.with(RunTests.files) { folder in
            let outcome = try await Command("run", "good.chat").within(folder).run()
            #expect(!outcome.errors.contains("assuming"))
        }
    }

    @Test func hintToRerunHasTheSeed() async throws {
        try await Files.with(RunTests.files) { folder in
            let outcome = try await Command("run", "bad.chat").within(folder).run()
            let seed = try #require(outcome.output.firstMatch(of: /seed (\d+)\n/)).1
            #expect(outcome.output.contains("run bad.chat --last-failed --seed \(seed)\n"))
            let given = try await Command("run", "bad.chat", "--seed", "5").within(folder).run()
            #expect(given.output.contains("run bad.chat --seed 5 --last-failed\n"))
        }
    }

    static let foreign: [([String], String)] = [
        (["load", "--duration", "5s"], "--for 30s"), (["load", "--duration=5s"], "--for 30s"),
        (["load", "--vus", "5"], "--operators 100"), (["load", "--users", "5"], "--operators 100"),
        (["load", "-c", "5"], "--operators 100"), (["load", "--rps", "5"], "--rate 100/s"),
        (["load", "--qps", "5"], "--rate 100/s"), (["load", "--operator", "5"], "--operators?"),
        (["run", "--host", "x", "y"], "--server HOST:PORT"),
        (["run", "--timeout", "5s", "y"], "--timeout-step 5s"),
        (["check", "--url", "x"], "--server HOST:PORT"),
    ]

    @Test(arguments: foreign)
    func optionsOfOtherToolsLeadToOurs(_ words: [String], _ option: String) async throws {
        let outcome = try await Command(words).run()
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(option), "\(outcome.errors)")
    }

    @Test func checkOfAClosedPortIsOneLine() async throws {
        let outcome = try await Command("check", "--server", "irc://127.0.0.1:1").run()
        #expect(outcome.status == 69)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errors
                == "error: 127.0.0.1:1 refused the connection: no server is listening\n")
    }

    @Test func checkOfAnotherMachineWarns() async throws {
        let outcome = try await Command("check", "--help").run()
        #expect(outcome.output.contains("not meant for production servers"))
    }

    @Test func recordTriesTheServerFirst() async throws {
        try await Files.with { folder in
            let outcome = try await Command(
                "record", "--server", "irc://127.0.0.1:1", "-o", "x.chat"
            ).within(folder).run()
            #expect(outcome.status == 69, "\(outcome.all)")
            #expect(outcome.errors.contains("127.0.0.1:1 refused the connection"))
            #expect(!outcome.errors.contains("recording between"))
        }
    }

    @Test func missingFoldersOfReportsAreCreated() async throws {
        try await Files.with(RunTests.files) { folder in
            let outcome = try await Command(
                "run", "good.chat", "--report", "junit=a/b/run.xml"
            ).within(folder).run()
            #expect(outcome.status == 0)
            #expect(try Files.text(folder.appending(path: "a/b/run.xml")).hasPrefix("<?xml"))
        }
    }

    @Test func scenariosOfOtherDialectsDoNotRunAgainstAServer() async throws {
        try await Files.with(RunTests.files) { folder in
            let one = try await Command(
                "run", "good.chat", "irc.chat", "--server", "irc://127.0.0.1:1"
            ).within(folder).run()
            #expect(one.errors.contains("1 scenario for livechat left out"), "\(one.all)")
            #expect(one.output.contains(" 1 scenario against"))
            let both = try await Command(
                "run", "good.chat", "irc.chat", "--server", "127.0.0.1:1"
            ).within(folder).run()
            #expect(both.status == 64, "\(both.all)")
            #expect(both.errors.contains("written for both"))
        }
    }
}
