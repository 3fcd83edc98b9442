import DialectModel
import DialectFiles
import Diagnostics
import Foundation
import ReferenceServer
import Results
import Scenario
import Session
import Testing
import Transport

@testable import Load
import RepositoryFiles

private func program(_ text: String, _ dialect: String, path: String = "x.chat") throws -> Program {
    let file = try DialectLibrary.find(dialect)
    return try ProgramCompiler.compile(
        try ScenarioParser.file(from: SourceText(path: path, bytes: Array(text.utf8))),
        with: BoundDialect.of(file))
}

private func names(_ text: String, _ dialect: String) throws -> [String: String] {
    let file = try DialectLibrary.find(dialect)
    let names = ScenarioNames(
        try ScenarioParser.file(from: SourceText(path: "x.chat", bytes: Array(text.utf8))),
        BoundDialect.of(file))
    return Dictionary(
        uniqueKeysWithValues: names.rewrites().map { ($0.word, $0.prefix + $0.stem) })
}

@Test func namesOfOperatorsNicknamesAndRoomsAreFound() throws {
    let irc = try names(
        """
        operators alice, bob
        use login as alice
        use enter as alice (room: "talk")
        bob -> NICK carolina
        bob -> USER bob 0 * :Bob
        bob -> JOIN #lobby,#attic
        bob -> PRIVMSG nobody :hello
        """, "irc")
    #expect(
        irc == [
            "alice": "alice", "bob": "bob", "talk": "talk", "roomtalk": "roomtalk",
            "carolina": "carol", "lobby": "lobby", "attic": "attic",
        ])
    let livechat = try names(
        "operators maria\nmaria -> login(nickname: \"Maria Müller\")\nmaria -> join(chat: 5)",
        "livechat")
    #expect(livechat.keys.sorted() == ["5", "maria"])
    let nats = try names("operators a\na -> SUB greet.* 7", "nats")
    #expect(nats["greet"] == "greet")
}

@Test func aNameIsSpeltAsItWasAndNoLongerThanNineBytes() {
    let rewrite = NameRewrite(word: "alice", stem: "alice", index: 0)
    func shown(_ spelling: String) -> String {
        String(decoding: rewrite.value(33, spelling: Array(spelling.utf8)), as: UTF8.self)
    }
    #expect(shown("alice") == "alice0011")
    #expect(shown("ALICE") == "ALICE0011")
    #expect(shown("Alice") == "Alice0011")
    let number = NameRewrite(word: "2134", stem: "2134", digits: 7, index: 1)
    #expect(number.value(7, spelling: []) == Array("20000007".utf8))
}

@Test func namesCanKeepTheirLength() throws {
    let file = try DialectLibrary.find("irc")
    let text = """
        operators bob, ben, alice, alina, caroline, x
        use login
        use enter as alice (room: "long")
        """
    let names = ScenarioNames(
        try ScenarioParser.file(from: SourceText(path: "x.chat", bytes: Array(text.utf8))),
        BoundDialect.of(file))
    let rewrites = names.rewrites(keepsLength: true)
    for run in [0, 1, 1023] as [UInt32] {
        let values = rewrites.map { $0.value(run, spelling: []) }
        #expect(Set(values).count == values.count)
        for (rewrite, value) in zip(rewrites, values) {
            // A single letter cannot differ between runs.
            let isKept = value.count == rewrite.word.utf8.count
            #expect(isKept == (rewrite.word != "x"), "\(rewrite.word)")
        }
    }
    // The names of consecutive runs differ.
    for rewrite in rewrites {
        let values = Set((0..<1024).map { rewrite.value($0, spelling: []) })
        #expect(values.count == 1024, "\(rewrite.word)")
    }
}

/// The scenarios that `run` uses, run by several groups in parallel against one server.
@Suite struct ScenarioFleetTests {
    private func run(
        _ program: Program, _ dialect: String, groups: Int, rate: Double? = nil,
        milliseconds: Int64 = 1_000, mix: Bool = false
    ) async throws -> WorkerReport {
        let file = try DialectLibrary.find(dialect)
        let server = try await ReferenceServer.start(speaking: file.dialect)
        let duration = milliseconds * 1_000_000
        let model: LoadModel =
            rate.map { .open([RateStage(duration: duration, rate: $0)], .constant) }
            ?? .closed(.constant(0))
        var plan = FleetPlan(
            operatorScript: mix
                ? try operatorScript(dialect) : try OperatorScript(bare: BoundDialect.of(file)),
            model: model, mix: mix ? ActionMix([(.say, 1)]) : ActionMix([]),
            layout: RoomLayout(operators: mix ? 12 : 0, size: 4), run: 77)
        plan.scripts = [
            ScenarioScript(
                name: "s", program, dialect: BoundDialect.of(file), groups: groups)
        ]
        if mix {
            plan.scripts[0].share = 0.5
            plan.poolShare = 0.5
        }
        var options = FleetOptions(duration: duration)
        options.drain = 60_000_000_000
        let fleet = try Fleet(
            plan, options, against: Endpoint(.host("127.0.0.1", port: server.port)))
        let report = await fleet.run(LoadMonitor(workers: 1))
        await server.shutdown()
        return report
    }

    @Test(arguments: [
        "irc/nickname-case", "irc/channel-message", "irc/private-message", "irc/ping",
        "irc/registration", "irc/join-part", "irc/notice", "irc/quit", "livechat/relay",
        "livechat/rooms", "livechat/duplicate-nickname", "livechat/private", "nats/publish",
        "nats/connect", "teamspeak/registration",
    ])
    func aScenarioAsItIsIsALoad(_ name: String) async throws {
        let url = Repository.root.appending(path: "Scenarios/\(name).chat")
        let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        let dialect = String(name.split(separator: "/")[0])
        let program = try program(text, dialect, path: "Scenarios/\(name).chat")
        let report = try await run(program, dialect, groups: 4)
        let tally = report.scenarios[0]
        #expect(tally.failed == 0, "\(report.violations.kept.map(\.story))")
        #expect(tally.undecided == 0, "\(tally.reasons)")
        #expect(tally.passed > 0)
        #expect(report.violations.counts == [:])
        #expect(!tally.steps.isEmpty)
        #expect(report.recorder.response(.iteration)?.count == tally.response.count)
    }

    private static let echo = """
        operators alice
        use login
        alice -> PING {{nonce}}
        alice <~ PONG {{_}} {{nonce}}
        """

    @Test func theRequestedNumberOfRunsBegins() async throws {
        let report = try await run(
            try program(Self.echo, "irc"), "irc", groups: 20, rate: 40, milliseconds: 1_500)
        #expect(report.counts.sent == 60)
        #expect(report.scenarios[0].started == 60)
        #expect(report.scenarios[0].passed == 60)
        #expect(report.scenarios[0].unfinished == 0)
        let locations = report.scenarios[0].steps.keys.sorted { $0.line < $1.line }
        #expect(locations.last == StepLocation(line: 4, text: "alice <~ PONG {{_}} {{nonce}}"))
        #expect(locations.first?.behaviour == "login")
        #expect(report.scenarios[0].steps[locations[locations.count - 1]]?.service.count == 60)
    }

    @Test func scenariosAndOperatorsShareTheArrivals() async throws {
        let report = try await run(
            try program(Self.echo, "irc"), "irc", groups: 10, rate: 80, mix: true)
        #expect(report.scenarios[0].passed == 40)
        #expect(report.counts.sent == 80)
        #expect(report.counts.owed == 40 * 3)
        #expect(report.counts.delivered == report.counts.owed)
        #expect(report.violations.counts == [:])
    }

    @Test func anUnmetExpectationIsAViolationWithItsLocationAndTheReceivedLine() async throws {
        let wrong =
            "operators alice\nuse login\nalice -> PRIVMSG nobody :hello\nalice <- 433 {{...}}\n"
        let report = try await run(
            try program(wrong, "irc", path: "folder/wrong.chat"), "irc", groups: 3, rate: 20)
        let tally = report.scenarios[0]
        #expect(tally.failed == 20)
        #expect(tally.passed == 0)
        #expect(tally.failures == [4: 20])
        #expect(report.violations.counts == [.unmet: 20])
        let first = try #require(report.violations.kept.first)
        #expect(first.story.hasPrefix("folder/wrong.chat:4: expected 433"), "\(first.story)")
        #expect(String(decoding: first.line, as: UTF8.self).contains(" 401 "))
    }

    @Test func whereNothingListensTheLoadEndsAtOnce() async throws {
        let file = try DialectLibrary.find("irc")
        let server = try await ReferenceServer.start(speaking: file.dialect)
        let port = server.port
        await server.shutdown()
        var plan = FleetPlan(
            operatorScript: try OperatorScript(bare: BoundDialect.of(file)),
            model: .closed(.constant(0)), mix: ActionMix([]),
            layout: RoomLayout(operators: 0, size: 1))
        plan.scripts = [
            ScenarioScript(
                name: "s", try program(Self.echo, "irc"), dialect: BoundDialect.of(file), groups: 5)
        ]
        let watch = LoadMonitor(workers: 1)
        let fleet = try Fleet(
            plan, FleetOptions(duration: 600_000_000_000),
            against: Endpoint(.host("127.0.0.1", port: port)))
        _ = await fleet.run(watch)
        #expect(watch.failure == "connection refused")
    }
}

@Test func aScenarioThatWaitsLongerThanTheLoadIsRefusedWithItsLocation() throws {
    let slow = try program(
        "operators alice\nalice -> PING x\nrepeat 3 {\n    wait 20s\n}\nalice close", "irc")
    let found = ScenarioScript.obstacle(slow, duration: 30_000_000_000, isServerGiven: true)
    let obstacle = try #require(found)
    #expect(obstacle.code.word == "load.scenario-too-long")
    #expect(obstacle.message.contains("at least 60.0 s"))
    let text = DiagnosticRenderer().text([obstacle])
    #expect(text.contains("x.chat:4:5"), "\(text)")
    #expect(ScenarioScript.obstacle(slow, duration: 70_000_000_000, isServerGiven: true) == nil)
}

@Test func aScenarioThatStartsItsServerNeedsOne() throws {
    let own = try program("exec \"server {{port}}\"\nalice -> PING x\nalice close", "irc")
    let obstacle = try #require(
        ScenarioScript.obstacle(own, duration: 1_000_000_000, isServerGiven: false))
    #expect(obstacle.code.word == "load.scenario-starts-server")
    #expect(ScenarioScript.obstacle(own, duration: 1_000_000_000, isServerGiven: true) == nil)
}
