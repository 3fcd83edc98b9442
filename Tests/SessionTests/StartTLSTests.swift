import Diagnostics
import Results
import Scenario
import Session
import Testing

/// The step that encrypts a connection, without a network.
@Suite struct StartTLSTests {
    private func session(
        _ text: String, segmentation: Segmentation = .whole
    ) throws -> ScenarioSession {
        var options = ExecutionOptions()
        options.segmentation = segmentation
        return ScenarioSession(try compiled("operators a\n" + text), options: options)
    }

    private let first = ConnectionID(operatorIndex: 0, generation: 1)

    /// Starts a session, connects it, and returns the actions up to the TLS handshake.
    private func actions(_ session: inout ScenarioSession) -> [SessionAction] {
        session.start(at: 0)
        var actions: [SessionAction] = []
        var time: Int64 = 0
        while time < 1_000_000_000, actions.last != .startTLS(first) {
            while let action = session.nextAction() {
                actions.append(action)
                if action == .connect(first) { session.handle(.connected(first), at: time) }
            }
            time = max(time + 1, min(session.deadline ?? time, 1_000_000_000))
            session.handle(.wake, at: time)
        }
        return actions
    }

    @Test(arguments: [Segmentation.whole, .byte, .coalesce, .finWithData, .midTerminator])
    func everythingBeforeTheStepIsSentInPlainText(segmentation: Segmentation) throws {
        var session = try session(
            "a -> STARTTLS\na starttls\na -> PING x\n", segmentation: segmentation)
        let before = actions(&session)
        #expect(before.last == .startTLS(first))
        let sent = before.flatMap { action -> [UInt8] in
            if case .send(_, let bytes) = action { bytes } else { [] }
        }
        #expect(String(decoding: sent, as: UTF8.self) == "STARTTLS\r\n")
        // Nothing is sent until the handshake is complete.
        session.handle(.wake, at: 1_000_000_001)
        #expect(session.nextAction() == nil)
        session.handle(.secured(first), at: 1_000_000_002)
        let next = session.nextAction()
        guard case .send = next else {
            Issue.record("\(next.map { "\($0)" } ?? "no action")")
            return
        }
    }

    @Test(arguments: [
        (true, ScenarioOutcome.Outcome.failed, "a cannot start TLS: no"),
        (false, .inconclusive, "a cannot start TLS: no"),
    ])
    func aFailedHandshakeEndsTheScenario(
        isServersFault: Bool, outcome: ScenarioOutcome.Outcome, message: String
    ) throws {
        var session = try session("a -> STARTTLS\na starttls\n")
        _ = actions(&session)
        session.handle(
            .securingFailed(first, reason: "no", isServersFault: isServersFault), at: 2_000_000_000)
        #expect(session.result?.outcome == outcome)
        #expect(session.result?.diagnostic?.code == "run.tls")
        #expect(session.result?.diagnostic?.message == message)
    }

    @Test func aHandshakeThatDoesNotEndTimesOut() throws {
        var session = try session("timeout step 3s\na starttls\n")
        _ = actions(&session)
        session.handle(.wake, at: 4_000_000_000)
        #expect(session.result?.outcome == .failed)
        #expect(
            session.result?.diagnostic?.message.contains("did not finish the TLS handshake") == true
        )
    }

    @Test func aServerThatClosesDuringTheHandshakeFails() throws {
        var session = try session("a -> STARTTLS\na starttls\n")
        _ = actions(&session)
        session.handle(.closed(first, .fin), at: 2_000_000_000)
        #expect(session.result?.outcome == .failed)
        #expect(session.result?.diagnostic?.code == "run.closed")
    }

    @Test func theStepIsPartOfTheLanguage() throws {
        let text = "dialect irc\noperators alice\n\nalice -> STARTTLS\nalice starttls\n"
        let program = try compiled(text)
        #expect(program.startsTLS)
        let formatted = try ScenarioFormatter.format(SourceText(path: "x.chat", text: text))
        #expect(formatted.contains("alice starttls\n"))
    }
}
