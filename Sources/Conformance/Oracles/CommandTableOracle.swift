import LineProtocol
import Results
import Session
import Synchronization

/// X: every line that was seen while checks were played, held against the dialect's command table.
final class CommandTableOracle: Sendable {
    private let ledger: Mutex<CommandTableTally>

    init(_ dialect: Dialect) { ledger = Mutex(CommandTableTally(dialect)) }

    /// Takes the lines of a play.
    func note(_ transcript: [TranscriptEntry]) {
        ledger.withLock { $0.note(transcript) }
    }

    var report: SchemaReport { ledger.withLock(\.report) }
}
