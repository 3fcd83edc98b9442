import Console
import Diagnostics
import DialectModel
import LineProtocol
import Scenario
import Session
import Synchronization
import Transcript

/// A live display of a conversation on standard error while it is recorded. Secrets are masked.
final class RecordingDisplay: Sendable {
    private struct State {
        /// Secrets given by the user and secrets seen in secret arguments.
        var mask: SecretMask
        var arguments: SecretArguments
    }

    private let state: Mutex<State>

    init(_ dialect: Dialect, _ mask: SecretMask) {
        state = Mutex(State(mask: mask, arguments: SecretArguments(dialect)))
    }

    /// Shows an event on one line, as in a transcript.
    func show(_ event: Conversation.Event) {
        let text: String
        switch event.kind {
        case .opened: text = "connected"
        case .closed(let side, let isReset):
            let who = side == .fromClient ? "disconnected" : "was disconnected"
            text = who + (isReset ? " with a reset" : "")
        case .startedTLS, .comment: return
        case .line(let line): text = shown(line)
        }
        let tenths = event.time / 100_000_000
        Output.error.write(
            "\(tenths / 10).\(tenths % 10)s  client \(event.connection + 1) \(text)\n")
    }

    private func shown(_ line: RecordedLine) -> String {
        let (bytes, payload) = state.withLock { state in
            var mask = state.mask
            let (bytes, payload) = state.arguments.masked(
                line.bytes, payload: line.payload, from: line.direction
            ) { mask.learn($0) }
            state.mask = mask
            return (mask.masked(bytes), payload.map(mask.masked))
        }
        let arrow = line.direction == .fromClient ? "->" : "<-"
        let suffix = payload.map { "  payload \(ScenarioSpelling.string($0))" }
        return "\(arrow) \(escapedForDisplay(bytes))\(suffix ?? "")"
    }
}
