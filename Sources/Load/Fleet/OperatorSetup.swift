import Diagnostics
import LineProtocol
import Results
import Scenario
import Session

/// The setup of one operator: a session that runs the dialect's `login` and `enter`. It is
/// discarded once the operator is in its room, as thousands of idle sessions would use a lot of
/// memory.
final class OperatorSetup {
    private static let connection = ConnectionID(operatorIndex: 0, generation: 1)

    private var session: ScenarioSession
    /// Maximum duration, in nanoseconds.
    private let timeout: Int64
    /// Time when the connection attempt started, in nanoseconds on the monotonic clock.
    private(set) var start: Int64 = 0
    /// Time when the connection was established; nil before that.
    private(set) var connectedAt: Int64?

    init(_ plan: FleetPlan, operator number: Int, room: Int) {
        timeout = plan.setupTimeout
        session = ScenarioSession(
            plan.operatorScript.setup,
            options: ExecutionOptions(
                variables: plan.operatorScript.variables.merging([
                    OperatorScriptCompiler.nameVariable: plan.name(number),
                    OperatorScriptCompiler.roomVariable: Array(
                        String(plan.wireNumber(room: room)).utf8),
                ]) { _, own in own },
                seed: SeededRandom.mixed(plan.seed &+ UInt64(number)),
                stepTimeout: plan.setupTimeout, fileTimeout: plan.setupTimeout))
    }

    /// A request to the owner of the socket.
    enum Wish: Equatable {
        case connect
        case send([UInt8])
    }

    func begin(at now: Int64) -> [Wish] {
        start = now
        session.start(at: now)
        return wishes()
    }

    func connected(at now: Int64) -> [Wish] {
        connectedAt = now
        session.handle(.connected(Self.connection), at: now)
        return wishes()
    }

    func connectFailed(_ reason: String, at now: Int64) {
        session.handle(.connectFailed(Self.connection, reason: reason), at: now)
    }

    func closed(byReset: Bool, at now: Int64) {
        session.handle(.closed(Self.connection, byReset ? .reset : .fin), at: now)
    }

    func receive(_ bytes: Span<UInt8>, at now: Int64) -> [Wish] {
        session.receive(bytes, Self.connection, at: now)
        return wishes()
    }

    func wake(at now: Int64) -> [Wish] {
        session.handle(.wake, at: now)
        return wishes()
    }

    var deadline: Int64? { session.deadline }

    /// True if the operator reached its room, false if it failed; nil while setup is in progress.
    var hasEnteredRoom: Bool? { session.result.map { $0.outcome == .passed } }

    /// Reason for the failure; nil unless setup failed.
    var failure: Diagnostic? { session.result?.diagnostic }

    /// Reason for the failure in words, without the name of the operator; nil unless setup failed.
    var failureText: String? {
        guard let failure else { return nil }
        if failure.code == "run.file-timeout" {
            let seconds = Double(timeout) / 1_000_000_000
            return "did not log in and enter its room within \(seconds) s (--login-timeout)"
        }
        return failure.message.replacing(
            "\(OperatorScriptCompiler.actor)'s connection", with: "the connection"
        ).replacing("while the scenario was waiting", with: "while the operator was waiting")
    }

    /// The last line received.
    var lastLine: [UInt8] {
        session.result?.transcript.last { $0.kind == .received }?.bytes ?? []
    }

    private func wishes() -> [Wish] {
        var result: [Wish] = []
        while let action = session.nextAction() {
            switch action {
            case .connect: result.append(.connect)
            case .send(_, let bytes): result.append(.send(bytes))
            // Ignored, because the connection outlives the session.
            case .close, .halfClose, .abort, .setReading, .hold, .release, .startTLS: break
            }
        }
        return result
    }
}
