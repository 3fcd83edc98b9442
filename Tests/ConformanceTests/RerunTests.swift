import Results
import Scenario
import Session
import Synchronization
import Testing

@testable import Conformance

/// Checks that run again use new client names, because a server may not have freed the earlier ones.
struct RerunTests {
    /// A server that never frees a name. It delays one login, or the first answer after `AWAY`.
    private final class Server: Sendable {
        private struct State {
            var names: Set<String> = []
            var slowAnswers = 0
        }

        /// Number of the login to delay; 0 for none.
        private let slowLogin: Int
        private let state: Mutex<State>

        init(slowLogin: Int = 0, slowAnswers: Int = 0) {
            self.slowLogin = slowLogin
            state = Mutex(State(slowAnswers: slowAnswers))
        }

        private let isAway = Mutex(false)

        func answer(_ line: String) -> [SimulatedExecutor.Effect] {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "USER":
                isAway.withLock { $0 = false }
                let (isNew, count) = state.withLock { state in
                    (state.names.insert(words[1]).inserted, state.names.count)
                }
                guard isNew else { return [.send(":s 433 * \(words[1]) :in use\r\n")] }
                let welcome = ":s 001 \(words[1]) :hi\r\n"
                return count == slowLogin ? [.sendLater(welcome, 8_000_000_000)] : [.send(welcome)]
            case "AWAY":
                isAway.withLock { $0 = true }
                return []
            case "PING":
                let isSlow = state.withLock { state in
                    guard isAway.withLock({ $0 }), state.slowAnswers > 0 else { return false }
                    state.slowAnswers -= 1
                    return true
                }
                let pong = ":s PONG s \(words[1])\r\n"
                return isSlow ? [.sendLater(pong, 2_000_000_000)] : [.send(pong)]
            default: return []
            }
        }
    }

    private func verdict(of server: Server) async throws -> (Verdict, reason: String) {
        let subject = try EvidenceTable.subject("irc")
        let check = Check(CheckID("test"), "it is served", setting: "framing", in: subject) {
            maker in
            var script = maker.script("a line")
            script.barrier("alice", role: .control)
            script.send(.stimulus, Array("AWAY :one\r\n".utf8), by: "alice")
            script.barrier("alice")
            return [script.made()]
        }
        let runner = CheckRunner(
            subject, CheckOptions(seed: 1), executor: SimulatedExecutor { server.answer($0) })
        let result = try #require(await runner.run([.check(check)]).first)
        return (result.verdict, result.reason)
    }

    @Test func aDelayedCheckRunsAgainWithNewNames() async throws {
        let (verdict, reason) = try await verdict(of: Server(slowAnswers: 1))
        #expect(verdict == .passed, "\(reason)")
    }

    @Test func aCheckThatIsDelayedAgainStaysDelayed() async throws {
        let (verdict, reason) = try await verdict(of: Server(slowAnswers: 100))
        #expect(verdict == .delayed, "\(reason)")
    }

    /// The survey uses 12 names, and the check's first login takes longer than a hurried check
    /// waits, but not as long as the dialect allows.
    @Test func anInconclusiveCheckRunsAgainWithNewNamesAndTheFullTime() async throws {
        let (verdict, reason) = try await verdict(of: Server(slowLogin: 13))
        #expect(verdict == .passed, "\(reason)")
    }
}
