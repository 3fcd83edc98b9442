import DialectFiles
import Diagnostics
import Foundation
import Results
import Testing

@testable import Load
import RepositoryFiles

private func plan(_ text: String) throws -> LoadPlan {
    try PlanReader.plan(SourceText(path: "plan.yaml", bytes: Array(text.utf8)))
}

@Test func aPlanSaysAllOfALoad() throws {
    let plan = try plan(
        """
        name: rush
        target: irc://127.0.0.1:6667
        dialect: irc
        operators: 200
        room-size: 20
        pace: poisson
        kinds:
          - {name: talkers, weight: 3, does: {say: 9, probe: 1}}
          - {name: readers, does: nothing}
        stages:
          - {for: 10s, rate: 100/s}
          - {name: up, for: 2s, rate: 0..6000/m}
          - {for: 3s, steps: [10/s, 20/s, 30]}
        thresholds: ['p99(say) < 50ms', lost == 0]
        ramp: 2s
        warmup: 0
        drain: 1.5s
        login-timeout: 9s
        quantum: 0
        text-bytes: 99
        workers: 2
        seed: 7
        reset: true
        """)
    #expect(plan.name == "rush")
    #expect(plan.target == "irc://127.0.0.1:6667")
    #expect(plan.operators == 200)
    #expect(plan.pace == .poisson)
    #expect(plan.kinds.map(\.name) == ["talkers", "readers"])
    #expect(plan.kinds[0].mix?.weights.map(\.weight) == [9, 1])
    #expect(plan.kinds[1].mix == nil)
    #expect(plan.duration == 15_000_000_000)
    #expect(
        plan.stages.flatMap(\.rates) == [
            RateStage(duration: 10_000_000_000, rate: 100),
            RateStage(duration: 2_000_000_000, startRate: 0, endRate: 100),
            RateStage(duration: 1_000_000_000, rate: 10),
            RateStage(duration: 1_000_000_000, rate: 20),
            RateStage(duration: 1_000_000_000, rate: 30),
        ])
    #expect(plan.thresholds.map(\.text) == ["p99(say) < 50ms", "lost == 0"])
    #expect((plan.ramp, plan.warmup, plan.drain) == (2_000_000_000, 0, 1_500_000_000))
    #expect((plan.batchInterval, plan.textBytes, plan.workers, plan.seed) == (0, 99, 2, 7))
    #expect(plan.resets == true)
}

@Test func aStageMayEndWithoutArrivalsOrBeAPause() throws {
    let plan = try plan(
        "stages: [{for: 2s, rate: 100/s..0}, {for: 1s, rate: 0}, {for: 3s, rate: 0/s..50/s}]")
    #expect(
        plan.stages.flatMap(\.rates) == [
            RateStage(duration: 2_000_000_000, startRate: 100, endRate: 0),
            RateStage(duration: 1_000_000_000, rate: 0),
            RateStage(duration: 3_000_000_000, startRate: 0, endRate: 50),
        ])
}

@Test(arguments: ["behaviour", "persona"])
func theBehaviourHasANewAndAnOldName(key: String) throws {
    let slow = "{name: slow, \(key): slow-reader, reads: 5B/s}"
    let plan = try plan("kinds: [{name: talkers, does: say}, \(slow)]")
    #expect(plan.kinds[1].behaviour?.role == .slowReader)
    #expect(plan.kinds[1].behaviour?.bytesPerSecond == 5)
}

@Test(arguments: ["batch-interval", "quantum"])
func theBatchingIntervalHasANewAndAnOldName(_ key: String) throws {
    let plan = try plan("\(key): 2ms\nmix: say\nstages: [{for: 1s, rate: 10/s}]")
    #expect(plan.batchInterval == 2_000_000)
}

@Test func stagesOfTheClosedModelThink() throws {
    let plan = try plan(
        "model: closed\nthink: 1s..3s\nstages: [{for: 1s}, {for: 2s, think: ~500ms}]\nmix: relay")
    #expect(plan.isClosed == true)
    #expect(plan.think == .uniform(minimum: 1_000_000_000, maximum: 3_000_000_000))
    #expect(plan.stages.map(\.think) == [nil, .exponential(mean: 500_000_000)])
    #expect(plan.mix?.weights.map(\.action) == [.relay])
}

/// A mistake: the line and column of its diagnostic, the code, and words of the message.
private struct Mistake: Sendable, CustomTestStringConvertible {
    var text: String
    var line: Int
    var column: Int
    var code: String
    var words: [String]

    var testDescription: String { text }
}

private let mistakes = [
    Mistake(
        text: "operaters: 5", line: 1, column: 1, code: "plan.unknown-key",
        words: ["unknown key `operaters`", "did you mean `operators`?"]),
    Mistake(
        text: "operators: many", line: 1, column: 12, code: "plan.wrong-type",
        words: ["`operators` must be a whole number, found `many`"]),
    Mistake(
        text: "stages:\n  - {for: 10s, rate: fast}", line: 2, column: 22, code: "plan.bad-value",
        words: ["`stages[0].rate` must be a rate, such as 2000/s", "found `fast`"]),
    Mistake(
        text: "stages: [{rate: 5/s}]", line: 1, column: 10, code: "plan.missing-key",
        words: ["has no `for`", "`for: 10s`"]),
    Mistake(
        text: "stages: [{for: 10s}]", line: 1, column: 10, code: "plan.missing-key",
        words: ["has no `rate`"]),
    Mistake(
        text: "stages: [{for: 10, rate: 5/s}]", line: 1, column: 16, code: "plan.bad-duration",
        words: ["`10` is not a duration"]),
    Mistake(
        text: "thresholds: ['p99(shout) < 1ms']", line: 1, column: 14, code: "plan.bad-value",
        words: ["`shout` is not a known latency: expected connect, login"]),
    Mistake(
        text: "think: 1s", line: 1, column: 1, code: "plan.conflict",
        words: ["`think` requires the closed model", "`model: closed`"]),
    Mistake(
        text: "model: shut", line: 1, column: 8, code: "plan.unknown-word",
        words: ["`model` must be `open` or `closed`"]),
    Mistake(
        text: "mix: {say: 1, relay: 1}", line: 1, column: 15, code: "plan.conflict",
        words: ["`say` and `relay` cannot be mixed"]),
    Mistake(
        text: "kinds: [{name: a, does: nothing}]", line: 1, column: 1, code: "plan.conflict",
        words: ["no kind sends anything", "`does: say`"]),
    Mistake(
        text: "kinds: [{name: a, behaviour: lazy}]", line: 1, column: 30, code: "plan.unknown-word",
        words: ["`kinds[0].behaviour` must be", "`slow-reader`", "found `lazy`"]),
    Mistake(
        text: "kinds: [{name: a, behaviour: mute, does: say}]", line: 1, column: 36,
        code: "plan.conflict", words: ["operators with the mute behaviour perform no actions"]),
    Mistake(
        text: "kinds: [{name: a, behaviour: mute, reads: 5B/s}]", line: 1, column: 36,
        code: "plan.conflict", words: ["`behaviour: slow-reader`"]),
    Mistake(
        text: "kinds: [{name: a, does: say, every: 5s}]", line: 1, column: 30,
        code: "plan.conflict", words: ["`behaviour: reconnecting`"]),
    Mistake(
        text: "kinds: [{name: a, behaviour: slow-reader, reads: fast}]", line: 1, column: 50,
        code: "plan.bad-value", words: ["bytes per second, such as 200B/s"]),
    Mistake(
        text: "kinds: [{name: a, behaviour: reconnecting, every: 5ms}]", line: 1, column: 51,
        code: "plan.bad-value", words: ["200ms or longer"]),
    Mistake(
        text: "kinds: [{name: a, scenario: x.chat, does: say}]", line: 1, column: 37,
        code: "plan.conflict", words: ["`scenario` and `does` are mutually"]),
    Mistake(
        text: "stages: [{curve: nowhere.csv}]", line: 1, column: 18, code: "plan.unreadable",
        words: ["cannot read curve `nowhere.csv`"]),
    Mistake(
        text: "a: 1\n b: 2", line: 2, column: 3, code: "plan.yaml", words: ["invalid YAML"]),
    Mistake(text: "# nothing", line: 1, column: 1, code: "plan.empty", words: ["is empty"]),
    Mistake(
        text: "[1]", line: 1, column: 1, code: "plan.wrong-type", words: ["a plan must be a map"]),
]

@Test(arguments: mistakes)
private func aMistakeIsReportedWithItsLocationAndTheExpectation(_ mistake: Mistake) throws {
    let error = try #require(throws: Diagnosed.self) { try plan(mistake.text) }
    let fault = try #require(error.diagnostics.first)
    #expect(fault.code.word == mistake.code)
    let text = DiagnosticRenderer().text(error.diagnostics)
    for words in mistake.words { #expect(text.contains(words), "\(text)") }
    #expect(text.contains("plan.yaml:\(mistake.line):\(mistake.column)"), "\(text)")
}

@Test func aCurveIsReadFromAFile() throws {
    let source = SourceText(
        path: "plan.yaml",
        bytes: Array("stages: [{curve: day.csv}, {for: 6s, curve: day.csv}]".utf8))
    let rows = "second,rate\n0,100\n\n# noon\n10,300\n30,0\n"
    let plan = try PlanReader.plan(source) { name in
        name == "day.csv" ? .success(Array(rows.utf8)) : .failure(.init("nothing there"))
    }
    #expect(
        plan.stages[0].rates == [
            RateStage(duration: 10_000_000_000, startRate: 100, endRate: 300),
            RateStage(duration: 20_000_000_000, startRate: 300, endRate: 0),
        ])
    #expect(plan.stages[1].duration == 6_000_000_000)
    #expect(plan.stages[1].rates.map(\.duration) == [2_000_000_000, 4_000_000_000])
}

@Test(arguments: ["", "0,1", "a,b\n0,1\nx,2", "0,1\n0,2", "0,-1\n1,2", "0,0\n5,0"])
func whatIsNoCurveIsRefused(rows: String) {
    #expect(throws: PlanText.Malformed.self) { try PlanReader.points(Array(rows.utf8)) }
}

@Test func aKindMayRunAScenario() throws {
    let plan = try plan(
        "kinds: [{name: a, scenario: x.chat, weight: 2, think: 1s}]\nmodel: closed\nabort-on-fail: 3s"
    )
    #expect(plan.kinds[0].scenario == "x.chat")
    #expect(plan.kinds[0].think == .constant(1_000_000_000))
    #expect(plan.abortGrace == 3_000_000_000)
}

@Test func behavioursAreReadWithTheirKeys() throws {
    let plan = try plan(
        """
        kinds:
          - {name: talkers, does: say}
          - {name: slow, behaviour: slow-reader, reads: 2KiB/s, receive-buffer: 8KiB}
          - {name: typists, behaviour: slow-writer, writes: 2B/s}
          - {name: guests, behaviour: reconnecting, every: 5s, away: 2s, by: reset, does: say}
          - {name: dead, behaviour: mute, weight: 3}
        """)
    let behaviours = plan.kinds.map(\.behaviour)
    #expect(behaviours[0] == nil)
    #expect(behaviours[1]?.bytesPerSecond == 2048)
    #expect(behaviours[1]?.receiveBuffer == 8192)
    #expect(behaviours[2]?.bytesPerSecond == 2)
    #expect(behaviours[3]?.every == 5_000_000_000)
    #expect(behaviours[3]?.away == 2_000_000_000)
    #expect(behaviours[3]?.leave == .reset)
    #expect(behaviours[4]?.role == .mute)
    #expect(plan.kinds[3].mix != nil)
    #expect(behaviours[3]?.summary == "reconnecting by reset")
}

@Test func aPlanIsStretchedAsAWhole() throws {
    var plan = try plan("stages: [{for: 1s, rate: 5/s}, {for: 3s, rate: 5/s..9/s}]")
    plan.scale(to: 8_000_000_000)
    #expect(plan.stages.map(\.duration) == [2_000_000_000, 6_000_000_000])
    #expect(plan.stages[1].rates.map(\.duration) == [6_000_000_000])
    plan.hold(rate: 7)
    #expect(plan.stages.flatMap(\.rates) == [RateStage(duration: 8_000_000_000, rate: 7)])
}

@Test func kindsAlternateAsTheirWeightsSay() {
    let kinds = [("a", 3), ("b", 2)].map { OperatorKind(name: $0.0, weight: $0.1, mix: nil) }
    #expect(OperatorKind.pattern(kinds) == [0, 1, 0, 1, 0])
    #expect(OperatorKind.pattern([]) == [])
}

@Test func listenersSayNothingAndHearAll() throws {
    var plan = try livechatPlan(.say)
    let say = ActionMix([(.say, 1)])
    plan.kinds = [
        OperatorKind(name: "talkers", weight: 1, mix: say),
        OperatorKind(name: "listeners", weight: 2, mix: nil),
    ]
    let pool = OperatorPool(plan)
    #expect(pool.count == plan.layout.operators)
    #expect((0..<3).map { plan.kind(of: $0)?.mix == nil } == [true, false, true])
}

@Test func theExamplesOfTheDocumentsAreRead() throws {
    let page = String(
        decoding: try Data(contentsOf: Repository.root.appending(path: "docs/load.md")),
        as: UTF8.self)
    let blocks = page.components(separatedBy: "```yaml\n").dropFirst()
        .map { $0.components(separatedBy: "```")[0] }
    #expect(!blocks.isEmpty)
    for block in blocks { #expect(try plan(block).duration != nil) }
    for name in ["evening", "conversation", "crowd"] {
        let file = Repository.root.appending(path: "Examples/plans/\(name).yaml")
        let plan = try plan(String(decoding: try Data(contentsOf: file), as: UTF8.self))
        #expect(plan.thresholds.contains { $0.text == "lost == 0" })
    }
}
