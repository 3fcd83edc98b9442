import DialectModel
import Conformance
import DialectFiles
import LineProtocol
import Results
import Testing

/// Verdicts on servers that treat an unknown command in different ways, on a simulated network.
@Suite
struct OracleTests {
    /// The server's treatment of an unknown command and of the lines after it.
    enum Manner: String, CaseIterable, Sendable {
        case refuses, ignores, serves, closes, closesAfterWord, resets
    }

    private func result(_ manner: Manner, policy: String? = "error") async throws -> CheckResult {
        let file = try DialectLibrary.find("irc")
        var dialect = file.dialect
        dialect.policies["unknown-command"] = policy
        let subject = try Subject(BoundDialect(dialect, source: file.source))
        let runner = CheckRunner(
            subject, CheckOptions(seed: 1, jobs: 1, repetitions: 0, shrinks: false),
            executor: SimulatedExecutor { Self.answer($0, manner) })
        let entries = try Catalogue(subject).entries(only: ["cmd.unknown"])
        return try #require(await runner.run(entries).first)
    }

    /// A stateless server: the answer after an unknown command carries the second probe's token.
    private static func answer(_ line: String, _ manner: Manner) -> [SimulatedExecutor.Effect] {
        let words = line.split(separator: " ").map(String.init)
        let nick = words.last ?? ""
        switch words.first {
        case "NICK": return [.send(":s 001 \(nick) :Welcome\r\n")]
        case "USER": return []
        case "PING": return [.send(":s PONG s \(nick)\r\n")]
        default: break
        }
        return switch manner {
        case .refuses: [.send(":s 421 x \(line) :Unknown command\r\n")]
        case .ignores: []
        case .serves: [.send(":s 305 x :Done\r\n")]
        case .closes: [.close]
        case .closesAfterWord: [.send("ERROR :bye\r\n"), .close]
        case .resets: [.reset]

        }
    }

    @Test
    func aRefusalIsWhatWasToCome() async throws {
        #expect(try await result(.refuses).verdict == .passed)
    }

    @Test(arguments: [
        (Manner.ignores, "silent", "sent no answer"),
        (.serves, "served", "answered with `:s 305 x :Done`"),
        (.closes, "closed", "closed the connection (FIN) without a message"),
        (.closesAfterWord, "closed", "closed the connection (FIN); its last line was `ERROR :bye`"),
        (.resets, "closed", "closed the connection (RST) without a message"),
    ])
    func anythingElseIsNamed(manner: Manner, kind: String, got: String) async throws {
        let result = try await result(manner)
        #expect(result.verdict == .failed)
        #expect(result.finding?.kind == kind)
        #expect(result.finding?.got == got)
    }

    @Test(arguments: [(Manner.refuses, "error"), (.ignores, "ignore"), (.serves, "serve")])
    func whatTheDialectLeavesOpenIsMeasured(manner: Manner, name: String) async throws {
        let result = try await result(manner, policy: nil)
        #expect(result.verdict == .observed)
        #expect(result.reason == name)
    }

    @Test
    func aCloseWithoutAWordIsNoPolicy() async throws {
        #expect(try await result(.closes, policy: nil).verdict == .failed)
        #expect(try await result(.closesAfterWord, policy: nil).verdict == .observed)
    }
}
