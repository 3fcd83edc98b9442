import LineProtocol
import Session
import Synchronization

/// X: every line that was seen while scenarios were played, held against the command tables of their dialects.
final class SchemaShelf: Sendable {
    private struct Entry {
        var dialect: String
        var signatures: [CommandSignature]
        var ledger: SchemaLedger
    }

    private let entries = Mutex<[Entry]>([])
    /// Whether secrets are hidden in transcripts.
    private let isMasked: Bool

    init(isMasked: Bool) { self.isMasked = isMasked }

    /// Takes the lines of a play.
    ///
    func note(
        _ transcript: [TranscriptEntry], of scenario: LoadedScenario, _ dialect: Dialect
    ) {
        let isMasked = isMasked || !scenario.secretNames.isEmpty
        entries.withLock { entries in
            let place = place(of: dialect, &entries)
            entries[place].ledger.note(transcript, of: scenario.path, isMasked: isMasked)
        }
    }

    /// Two files may call different tables by the same name.
    private func place(of dialect: Dialect, _ entries: inout [Entry]) -> Int {
        let name = dialect.profile.map { "\(dialect.name)+\($0)" } ?? dialect.name
        let same = entries.firstIndex {
            $0.dialect == name && $0.signatures == dialect.commands.signatures
        }
        if let same { return same }
        entries.append(
            Entry(
                dialect: name, signatures: dialect.commands.signatures,
                ledger: SchemaLedger(dialect)))
        return entries.count - 1
    }

    /// What was found, the dialect that was seen first at the front.
    var tables: [RunResults.CommandTable] {
        entries.withLock { entries in
            entries.map { RunResults.CommandTable(dialect: $0.dialect, report: $0.ledger.report) }
        }
    }
}
