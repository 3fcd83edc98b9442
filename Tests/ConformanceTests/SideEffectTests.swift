import DialectModel
import DialectFiles
import LineProtocol
import ReferenceServer
import Results
import Session
import Synchronization
import Testing

@testable import Conformance

/// Without a probe, checks read back what they stored on the server.
struct SideEffectTests {
    /// IRC without a probe, with a topic that is set and requested.
    private static func dialect(_ dialect: inout Dialect) {
        for name in ["probe", "remember", "recall"] { dialect.behaviours[name] = nil }
        dialect.behaviours["login"] = behaviour(
            "login", ["name"],
            """
            -> nick(nickname: {{name}})
            -> user(username: {{name}}, mode: "0", unused: "*", realname: {{name}})
            <~ welcome(client: {{name}})
            <~ {{/376|422/}} {{...}}
            -> JOIN #{{name}}
            <~ 366 {{...}}
            """)
    }

    private static func readingBack(_ dialect: inout Dialect) {
        Self.dialect(&dialect)
        dialect.behaviours["remember"] = behaviour(
            "remember", ["value"], "-> TOPIC #{{name}} :{{value}}")
        dialect.behaviours["recall"] = behaviour(
            "recall", ["value"], "-> TOPIC #{{name}}\n<~ 332 {{name}} #{{name}} {{value}}")
    }

    private static func behaviour(
        _ name: String, _ parameters: [String], _ text: String
    ) -> Behaviour {
        Behaviour(name: name, parameters: parameters, scenarioText: text, line: 1, column: 1)
    }

    // MARK: On a simulated network

    /// The verdict on a server that answers lines in this way.
    private func judgement(
        _ answer: @escaping @Sendable (String) -> [SimulatedExecutor.Effect]
    ) async throws -> (Judgement, ScenarioOutcome) {
        let file = try DialectLibrary.find("irc")
        var dialect = file.dialect
        Self.readingBack(&dialect)
        let subject = try Subject(BoundDialect(dialect, source: file.source))
        let check = Check(CheckID("test"), "", setting: "framing", in: subject, cases: { _ in [] })
        var script = CaseScript("a line without an answer", subject)
        script.logIn(CaseActor(handle: "alice", name: "alice7"))
        script.barrier("alice", role: .control)
        script.send(.stimulus, Array("AWAY\r\n".utf8), by: "alice")
        script.barrier("alice")
        let judge = CaseJudge(subject: subject, executor: SimulatedExecutor(answer: answer))
        let outcome = await judge.outcome(of: script.made(), check, seed: 1)
        return (outcome.judgement, outcome.result)
    }

    /// A server that keeps a topic until it receives a line other than these.
    private final class Topic: Sendable {
        private let state = Mutex((text: "", isOver: false))
        /// The topic after any change; empty: the one that was set; nil: the server no longer
        /// answers.
        let afterwards: String?

        init(afterwards: String?) { self.afterwards = afterwards }

        func answer(_ line: String) -> [SimulatedExecutor.Effect] {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            switch words.first {
            case "USER": return [.send(":s 001 alice7 :hi\r\n:s 422 alice7 :none\r\n")]
            case "JOIN": return [.send(":s 366 alice7 #alice7 :end\r\n")]
            case "AWAY": state.withLock { $0.isOver = true }
            case "TOPIC" where words.count > 2:
                state.withLock { $0.text = String(words[2].drop { $0 == ":" }) }
            case "TOPIC":
                return topic.map { [.send(":s 332 alice7 #alice7 :\($0)\r\n")] } ?? []
            default: break
            }
            return []
        }

        private var topic: String? {
            state.withLock { $0.isOver && afterwards != "" ? afterwards : $0.text }
        }
    }

    @Test func aServerThatKeepsAValueIsAlive() async throws {
        let server = Topic(afterwards: "")
        let (judgement, result) = try await judgement { server.answer($0) }
        #expect(judgement == .passed)
        let topics = result.transcript.filter { $0.kind == .received }.map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
        #expect(
            topics.suffix(2) == [
                ":s 332 alice7 #alice7 :alive1", ":s 332 alice7 #alice7 :alive2",
            ])
    }

    @Test func aServerThatIsDeafIsWedged() async throws {
        let server = Topic(afterwards: nil)
        let (judgement, _) = try await judgement { server.answer($0) }
        #expect(judgement.kind == "wedged")
    }

    @Test func aServerThatReportsAnotherValueHasForgotten() async throws {
        let server = Topic(afterwards: "old")
        guard case .failed(let finding) = try await judgement({ server.answer($0) }).0 else {
            Issue.record("nothing was found")
            return
        }
        #expect(finding.kind == "forgotten")
        #expect(finding.got == "read back `:s 332 alice7 #alice7 :old`")
    }

    @Test func whereThereIsAProbeItIsAsked() throws {
        #expect(SideEffect(try EvidenceTable.subject("irc")) == nil)
        #expect(SideEffect(try EvidenceTable.subject("plain")) == nil)
    }

    // MARK: Against the reference server

    @Test func aFaultIsFoundThatSilenceDoesNotShow() async throws {
        for isRead in [false, true] {
            let results = try await check(
                "irc", fault: .wedgeLongLine, only: ["frame.max:over"],
                changing: isRead ? Self.readingBack : Self.dialect)
            #expect(results.map(\.verdict) == [isRead ? .failed : .observed])
            #expect(results.first?.finding?.kind == (isRead ? "wedged" : nil))
        }
    }

    @Test func withoutAFaultItIsRead() async throws {
        let results = try await check(
            "irc", only: ["frame.max:over", "cmd.unknown", "arity.few:JOIN"],
            changing: Self.readingBack)
        #expect(results.count == 3)
        for result in results {
            #expect(
                [.passed, .observed].contains(result.verdict),
                "\(result.id): \(result.verdict) \(result.reason)")
        }
    }
}
