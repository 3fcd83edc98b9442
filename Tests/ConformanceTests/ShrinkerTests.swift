import LineProtocol
import Results
import Scenario
import Session
import Synchronization
import Testing

@testable import Conformance

/// Failing cases are reduced by lines, operators, bytes, segments and waits while they fail in the
/// same way.
struct ShrinkerTests {
    private let subject: Subject
    private let check: Check

    init() throws {
        subject = try EvidenceTable.subject("irc")
        check = Check(CheckID("test"), "it holds", setting: "framing", in: subject) { _ in [] }
    }

    /// A server that greets, answers probes, and ignores everything after a line that contains a
    /// given text.
    private final class Server: Sendable {
        private let deafens: String
        private let isDeaf = Mutex(false)

        init(deafens: String) { self.deafens = deafens }

        func answer(_ line: String) -> [SimulatedExecutor.Effect] {
            if line.hasPrefix("USER ") { isDeaf.withLock { $0 = false } }
            if line.contains(deafens) { isDeaf.withLock { $0 = true } }
            guard !isDeaf.withLock({ $0 }) else { return [] }
            let words = line.split(separator: " ").map(String.init)
            return switch words.first {
            case "USER": [.send(":s 001 \(words[1]) :hi\r\n")]
            case "PING": [.send(":s PONG s \(words[1])\r\n")]
            default: []
            }
        }
    }

    private func shrunk(_ script: CaseScript, deafens: String) async -> CheckCase {
        let server = Server(deafens: deafens)
        let judge = CaseJudge(
            subject: subject, executor: SimulatedExecutor { server.answer($0) })
        let testCase = script.made(.any) { $0.scripted() }
        let outcome = await judge.outcome(of: testCase, check, seed: 1)
        #expect(outcome.judgement.kind == "wedged")
        let shrinker = Shrinker(
            judge: judge, check: check, options: CheckOptions(seed: 1))
        return await shrinker.shrunk(outcome).testCase
    }

    private func script(_ handles: [String] = ["alice"]) -> CaseScript {
        var script = CaseScript("lines", subject)
        for handle in handles { script.logIn(CaseActor(handle: handle, name: handle + "77")) }
        for handle in handles { script.barrier(handle, role: .control) }
        return script
    }

    private func stimuli(_ testCase: CheckCase) -> [String] {
        testCase.steps.filter { $0.role == .stimulus }.map(\.text)
    }

    @Test func oneLineIsLeftWithTheBytesThatMatter() async {
        var script = script(["alice", "bob"])
        for word in ["one", "two", "a long text with a \u{1} in it", "three"] {
            script.send(.stimulus, Array("AWAY :\(word)\r\n".utf8), by: "alice")
            script.step(.question, .wait(10_000_000))
        }
        script.barrier("alice")
        let testCase = await shrunk(script, deafens: "\u{1}")
        #expect(stimuli(testCase) == [#"alice -> "AWAY \x01\r\n""#])
        #expect(testCase.actors.map(\.handle) == ["alice"])
        #expect(!testCase.steps.contains { $0.role == .control })
    }

    @Test func aCommandStaysACommand() async {
        var script = script()
        script.send(.stimulus, Array("AWAY :text\r\n".utf8), by: "alice")
        script.barrier("alice")
        #expect(stimuli(await shrunk(script, deafens: "AWAY")) == ["alice -> AWAY"])
    }

    @Test func cutsThatDoNotMatterGo() async {
        var script = script()
        let pieces = ["AW", "AY x", "\r\n"].map { Array($0.utf8) }
        script.send(.stimulus, pieces: pieces, by: "alice")
        script.barrier("alice")
        #expect(stimuli(await shrunk(script, deafens: "Y")) == ["alice -> AWAY"])
    }

    // MARK: Smaller forms

    private func talk(_ reducible: CheckCase.Reducible) -> CheckCase {
        var script = script(["alice", "bob"])
        for text in ["one", "two"] {
            script.speak(bytes: Array(text.utf8), by: "alice")
            script.hear(Array(text.utf8), as: "bob")
            script.barrier("alice")
        }
        script.step(
            .stimulus, .repeated(8, [.send("alice", .line(Array("LIST".utf8)))]), by: "alice")
        script.step(.question, .wait(100_000_000))
        return script.made(reducible) { $0.scripted() }
    }

    @Test func withALineGoesWhatHasToComeOfIt() throws {
        let testCase = talk(.texts)
        let first = try #require(testCase.removableStimuli.first)
        let smaller = try #require(testCase.without(stimuli: [first]))
        #expect(smaller.removedTexts == [Array("one".utf8)])
        #expect(smaller.expected([Array("one".utf8), Array("two".utf8)]) == [Array("two".utf8)])
        #expect(!smaller.steps.contains { $0.text.contains("one") })
        #expect(smaller.steps.count { $0.text == "sync alice" && $0.role == .question } == 1)
    }

    @Test func whatAJudgeCountsOnStays() {
        #expect(talk(.none).removableStimuli.isEmpty)
        #expect(talk(.none).removablePeople.isEmpty)
        #expect(talk(.texts).removableStimuli.count == 2)
        #expect(talk(.any).removableStimuli.count == 3)
        #expect(talk(.textsAndPeople).removablePeople == ["alice", "bob"])
    }

    @Test(arguments: [(["bob"], "sync alice"), (["alice", "bob"], "")])
    func whoIsLeftOutIsWaitedForNoMore(gone: [String], barrier: String) throws {
        var script = script(["alice", "bob", "carol"])
        script.step(.question, .sync("alice", "bob"))
        script.send(.stimulus, Array("LIST\r\n".utf8), by: "carol")
        let smaller = try #require(script.made(.any) { $0.scripted() }.without(people: gone))
        #expect(smaller.steps.filter { $0.handle == nil }.map(\.text) == [barrier])
    }

    @Test func aTextIsNotChangedWhereItIsWhatFailed() {
        let testCase = talk(.texts)
        #expect(!testCase.losesBytes(for: Finding("lost", expected: "", got: ""), subject))
        #expect(testCase.losesBytes(for: Finding("wedged", expected: "", got: ""), subject))
    }

    @Test func waitsAndRoundsAreShortened() throws {
        let testCase = talk(.any)
        let wedged = Finding("wedged", expected: "", got: "")
        let rounds = try #require(testCase.steps.firstIndex { $0.text.hasPrefix("repeat") })
        #expect(
            testCase.halvedRounds(rounds, wedged)?.steps[rounds].text.hasPrefix("repeat 4") == true)
        // The missing line is waited for.
        #expect(testCase.withoutWait(rounds + 1, wedged) == nil)
        let extra = Finding("extra-line", expected: "", got: "")
        #expect(testCase.withoutWait(rounds + 1, extra)?.steps[rounds + 1].text == "")
    }
}
