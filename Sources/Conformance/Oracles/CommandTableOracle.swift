import LineProtocol
import Results
import Session
import Synchronization

/// Command-table check: every received line is compared with the dialect's command table.
final class CommandTableOracle: Sendable {
    private let ledger: Mutex<CommandTableTally>

    init(_ dialect: Dialect) { ledger = Mutex(CommandTableTally(dialect)) }

    /// Checks the lines of a run.
    func note(_ transcript: [TranscriptEntry]) {
        ledger.withLock { $0.note(transcript) }
    }

    var report: SchemaReport { ledger.withLock(\.report) }
}
