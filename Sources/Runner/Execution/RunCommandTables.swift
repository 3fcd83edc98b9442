import LineProtocol
import Results
import Session
import Synchronization

/// X: every line that was seen while scenarios were played, held against the command tables of their dialects.
final class RunCommandTables: Sendable {
    private struct Entry {
        /// Its name, with its profile.
        var name: String
        var dialect: Dialect
        var ledger: CommandTableTally
    }

    private let entries = Mutex<[Entry]>([])
    /// Whether secrets are hidden in transcripts.
    private let isMasked: Bool

    init(isMasked: Bool) { self.isMasked = isMasked }

    /// Takes the lines of a play.
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
            $0.name == name && $0.dialect.judgesLines(as: dialect)
        }
        if let same { return same }
        entries.append(
            Entry(name: name, dialect: dialect, ledger: CommandTableTally(dialect)))
        return entries.count - 1
    }

    /// What was found, the dialect that was seen first at the front.
    var tables: [RunResults.CommandTable] {
        entries.withLock { entries in
            entries.map { RunResults.CommandTable(dialect: $0.name, report: $0.ledger.report) }
        }
    }
}

extension Dialect {
    /// Whether lines that are right in one are right in the other.
    fileprivate func judgesLines(as other: Dialect) -> Bool {
        framing == other.framing && syntax == other.syntax && escaping == other.escaping
            && tolerance == other.tolerance && commands.signatures == other.commands.signatures
    }
}
