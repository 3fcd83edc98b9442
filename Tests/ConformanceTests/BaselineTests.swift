import DialectModel
import Conformance
import Diagnostics
import DialectFiles
import LineProtocol
import Results
import Session
import Synchronization
import Testing

/// Reading, writing and comparing baseline files.
struct BaselineTests {
    private static let baseline = CheckBaseline(
        dialect: "irc+ngircd", server: "ngircd 26.1", seed: 7, toolVersion: "0.1.0",
        entries: [
            CheckBaseline.Entry(CheckID("frame.nul"), CheckClass("pass, strip; cut")),
            CheckBaseline.Entry(
                CheckID("arity.few", "JOIN"), CheckClass("refuse"), open: "tolerance.too-few"),
            CheckBaseline.Entry(CheckID("esc.lenient", "a: 'b' #c"), CheckClass("ignore | refuse")),
            CheckBaseline.Entry(CheckID("id.dup"), .inconclusive),
        ])

    private func source(_ text: String) -> SourceText {
        SourceText(path: "x.lock", bytes: Array(text.utf8))
    }

    @Test func theFileIsInOrderAndReadAsItWasWritten() throws {
        let text = Self.baseline.text
        #expect(
            text.split(separator: "\n").dropFirst(2).joined(separator: "\n") == """
                format: linejudge.baseline/1
                dialect: irc+ngircd
                server: ngircd 26.1
                seed: 7
                tool: linejudge 0.1.0
                checks:
                  arity.few:JOIN: refuse  # tolerance.too-few is unspecified
                  'esc.lenient:a: ''b'' #c': ignore | refuse
                  frame.nul: pass, strip; cut
                  id.dup: inconclusive
                """)
        let read = try BaselineReader.baseline(source(text))
        #expect(read.text == text.replacing("  # tolerance.too-few is unspecified", with: ""))
    }

    @Test func theEarlierNameOfTheFormatIsRead() throws {
        let text = Self.baseline.text
        let earlier = text.replacing("linejudge.baseline/1", with: "linejudge.lock/1")
        #expect(earlier != text)
        #expect(
            try BaselineReader.baseline(source(earlier)) == BaselineReader.baseline(source(text)))
    }

    @Test func earlierNamesOfFindingsAndChecksAreRead() throws {
        var lines = Self.baseline.text.split(separator: "\n").map(String.init)
        lines += [
            "  id.dup:renamed: fails (untold)", "  live.pong:unasked: ignore | fails (unsaid)",
        ]
        let read = try BaselineReader.baseline(source(lines.joined(separator: "\n") + "\n"))
        let renamed = read[CheckID("id.dup", "renamed")]
        #expect(renamed?.measured == CheckClass(words: ["fails (not-notified)"]))
        let pong = read[CheckID("live.pong", "unsolicited")]
        #expect(pong?.measured == CheckClass(words: ["ignore", "fails (no-reason)"]))
    }

    @Test(arguments: [
        ("", "the baseline file is empty", 1, 1),
        ("checks: {}\n", "`format` is missing", 1, 1),
        ("format: linejudge.baseline/9\n", "unsupported format `linejudge.baseline/9`", 1, 9),
        ("format: linejudge.baseline/1\nchecks: {}\n", "`dialect` is missing", 1, 1),
        ("format: linejudge.baseline/1\ndialect: irc\n", "`checks` is missing", 1, 1),
        (
            "format: linejudge.baseline/1\ndialect: irc\nchecks: [a]\n",
            "`checks` must be a map of keys and values, found a list", 3, 9
        ),
        (
            "format: linejudge.baseline/1\ndialect: irc\nchecks:\n  frame.nul: [x]\n",
            "`checks.frame.nul` must be a string, found a list", 4, 14
        ),
        (
            "format: linejudge.baseline/1\ndialect: irc\nchecks:\n  Frame: x\n",
            "`Frame` is not a check name", 4, 3
        ),
        (
            "format: linejudge.baseline/1\ndialect: irc\nseed: x\nchecks: {}\n",
            "`seed` must be a whole number", 3, 7
        ),
        ("format: linejudge.baseline/1\ndialct: irc\n", "unknown key `dialct`", 2, 1),
        ("format: [\n", "invalid YAML", 2, 1),
    ])
    func mistakesAreReportedWithTheirLocation(
        text: String, message: String, line: Int, column: Int
    ) throws {
        do {
            _ = try BaselineReader.baseline(source(text))
            Issue.record("it was read")
        } catch {
            let found = error.diagnostics.first { $0.message.contains(message) }
            #expect(found != nil, "\(error.diagnostics.map(\.message))")
            #expect(found?.location?.position.line == line, "\(message)")
            #expect(found?.location?.position.column == column, "\(message)")
            #expect(found?.code.word.hasPrefix("baseline.") == true, "\(found?.code.word ?? "")")
        }
    }

    @Test func moreChecksThanAFileMayPinAreRefused() throws {
        func text(_ count: Int) -> String {
            "format: linejudge.baseline/1\ndialect: irc\nchecks:\n"
                + (0..<count).map { "  a.b:\($0): x\n" }.joined()
        }
        #expect(
            try BaselineReader.baseline(source(text(CheckBaseline.checksMax))).entries.count
                == 10_000)
        #expect(throws: Diagnosed.self) {
            try BaselineReader.baseline(source(text(CheckBaseline.checksMax + 1)))
        }
    }

    @Test func classesAgreeWhereOneServerCanDoBoth() {
        func agree(_ one: String, _ other: String) -> Bool {
            CheckClass(one).agrees(with: CheckClass(other))
        }
        #expect(agree("refuse", "refuse"))
        #expect(agree("refuse | ignore", "ignore"))
        #expect(agree("fails (lost) | varies", "holds"))
        #expect(!agree("refuse", "ignore"))
        #expect(!agree("inconclusive", "inconclusive"))
        #expect(CheckClass("b | a").description == "a | b")
    }

    @Test func aComparisonShowsWhatChangedAndWhatIsUndecided() {
        func baseline(_ classes: [String: String]) -> CheckBaseline {
            CheckBaseline(
                dialect: "irc", server: "", seed: 1, toolVersion: "",
                entries: classes.map { CheckBaseline.Entry(CheckID(parsing: $0), CheckClass($1)) })
        }
        let comparison = BaselineComparison(
            baseline(["a": "x", "b": "x", "c": "x", "d": "x", "e": "x | y", "g": "inconclusive"]),
            baseline(["a": "x", "b": "y", "c": "inconclusive", "e": "y", "f": "x", "g": "x"]))
        #expect(comparison.same == 1)
        #expect(comparison.changed.map(\.id.rule) == ["b"])
        #expect(comparison.undecided.map(\.id.rule) == ["c", "g"])
        #expect(comparison.unsteady.map(\.id.rule) == ["e"])
        #expect(comparison.gone.map(\.id.rule) == ["d"])
        #expect(comparison.added.map(\.id.rule) == ["f"])
    }
}

/// Classes measured on a simulated network, compared with a baseline.
struct BaselineRunTests {
    /// The number of unknown commands that are refused; the rest are ignored.
    private func runner(
        refusing count: Int = .max, policy: String?
    ) throws -> (CheckRunner, [CatalogueEntry]) {
        let file = try DialectLibrary.find("irc")
        var dialect = file.dialect
        dialect.policies["unknown-command"] = policy
        let subject = try Subject(BoundDialect(dialect, source: file.source))
        let unknown = Mutex(0)
        let executor = SimulatedExecutor { line in
            let words = line.split(separator: " ").map(String.init)
            let nick = words.last ?? ""
            switch words.first {
            case "NICK": return [.send(":s 001 \(nick) :Welcome\r\n")]
            case "USER": return []
            case "PING": return [.send(":s PONG s \(nick)\r\n")]
            default:
                let number = unknown.withLock { number in
                    number += 1
                    return number
                }
                return number <= count ? [.send(":s 421 x \(line) :Unknown command\r\n")] : []
            }
        }
        let runner = CheckRunner(
            subject, CheckOptions(seed: 1, jobs: 1, repetitions: 3, shrinks: false),
            executor: executor)
        return (runner, try Catalogue(subject).entries(only: ["cmd.unknown"]))
    }

    @Test(
        arguments: [(nil, "refuse"), ("error", "refuse"), ("ignore", "refuse")]
            as [(String?, String)])
    func whatAServerDoesIsTheSameClassWhateverTheDialectSays(
        policy: String?, word: String
    ) async throws {
        let (runner, entries) = try runner(policy: policy)
        let result = try #require(await runner.run(entries).first)
        #expect(result.measured == CheckClass(word))
    }

    @Test func varyingBehaviourIsRecordedAsAllObservedValues() async throws {
        // Two cases per run.
        let (runner, entries) = try runner(refusing: 2, policy: nil)
        let results = await runner.steadied(await runner.run(entries), entries)
        #expect(results.first?.measured == CheckClass("ignore | refuse"))
    }

    @Test func behaviourThatSometimesMatchesTheBaselineIsNoDrift() async throws {
        func measured(refusing count: Int, recorded: String) async throws -> BaselineComparison {
            let (runner, entries) = try runner(refusing: count, policy: nil)
            let baseline = CheckBaseline(
                dialect: "irc", server: "", seed: 1, toolVersion: "",
                entries: [CheckBaseline.Entry(CheckID("cmd.unknown"), CheckClass(recorded))])
            var results = CheckResults(
                toolVersion: "", seed: 1, dialect: "irc", endpoint: "", startedAt: 0)
            results.checks = await runner.confirmingDrift(
                of: await runner.run(entries), from: baseline, entries)
            results.compare(with: baseline, named: "x.lock", catalogue: [])
            #expect((results.exitCode == .drift) == results.drift?.comparison.hasDrift)
            return try #require(results.drift?.comparison)
        }
        #expect(try await measured(refusing: 2, recorded: "ignore").unsteady.count == 1)
        #expect(try await measured(refusing: .max, recorded: "ignore").changed.count == 1)
        #expect(try await measured(refusing: .max, recorded: "refuse").same == 1)
    }

    @Test func failuresInTheBaselineAreKnown() async throws {
        let (runner, entries) = try runner(policy: "ignore")
        var results = CheckResults(
            toolVersion: "", seed: 1, dialect: "irc", endpoint: "", startedAt: 0,
            checks: await runner.run(entries))
        #expect(results.exitCode == .failed)
        let baseline = CheckBaseline(results)
        results.compare(with: baseline, named: "x.lock", catalogue: [])
        #expect(results.checks.first?.verdict == .knownFailure)
        #expect(results.exitCode == .ok)
    }
}
