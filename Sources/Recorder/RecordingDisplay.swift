import Console
import Diagnostics
import DialectModel
import LineProtocol
import Scenario
import Session
import Synchronization
import Transcript

/// Shows a recorded conversation on standard error while it takes place. Secrets are masked.
final class RecordingDisplay: Sendable {
    private let mask: SecretMask
    private let secrets: Mutex<SecretArguments>

    init(_ dialect: Dialect, _ mask: SecretMask) {
        self.mask = mask
        secrets = Mutex(SecretArguments(dialect))
    }

    /// Shows an event as a line of a transcript.
    func show(_ event: Conversation.Event) {
        let text: String
        switch event.kind {
        case .opened: text = "connected"
        case .closed(let side, let isReset):
            let who = side == .fromClient ? "disconnected" : "was disconnected"
            text = who + (isReset ? " with a reset" : "")
        case .comment: return
        case .line(let line): text = shown(line)
        }
        let tenths = event.time / 100_000_000
        Output.error.write(
            "\(tenths / 10).\(tenths % 10)s  client \(event.connection + 1) \(text)\n")
    }

    private func shown(_ line: RecordedLine) -> String {
        let (bytes, payload) = secrets.withLock {
            $0.masked(line.bytes, payload: line.payload, from: line.direction)
        }
        let arrow = line.direction == .fromClient ? "->" : "<-"
        let suffix = payload.map { "  payload \(ScenarioSpelling.string(mask.masked($0)))" }
        return "\(arrow) \(escapedForDisplay(mask.masked(bytes)))\(suffix ?? "")"
    }
}
