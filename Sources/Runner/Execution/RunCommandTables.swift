import LineProtocol
import Results
import Session
import Synchronization

/// A check of every line that servers send during a run against the command table of its dialect.
/// The commands that clients send are only counted.
final class RunCommandTables: Sendable {
    private struct Entry {
        /// Name of the dialect, including its profile.
        var name: String
        var dialect: Dialect
        var tally: CommandTableTally
    }

    private let entries = Mutex<[Entry]>([])

    /// Checks the received lines of one scenario run, and counts the commands in it.
    func note(
        _ transcript: [TranscriptEntry], of scenario: LoadedScenario, _ dialect: Dialect
    ) {
        entries.withLock { entries in
            let index = index(of: dialect, &entries)
            entries[index].tally.note(transcript, of: scenario.path)
        }
    }

    /// Returns the index of a dialect's entry. Dialects with the same name have separate entries if
    /// their tables differ.
    private func index(of dialect: Dialect, _ entries: inout [Entry]) -> Int {
        let name = dialect.profile.map { "\(dialect.name)+\($0)" } ?? dialect.name
        let same = entries.firstIndex {
            $0.name == name && $0.dialect.judgesLines(as: dialect)
        }
        if let same { return same }
        entries.append(
            Entry(name: name, dialect: dialect, tally: CommandTableTally(dialect)))
        return entries.count - 1
    }

    /// Results by dialect, in order of first use.
    var tables: [RunResults.CommandTable] {
        entries.withLock { entries in
            entries.map { RunResults.CommandTable(dialect: $0.name, report: $0.tally.report) }
        }
    }
}

extension Dialect {
    /// Returns true if both dialects apply the same rules to lines.
    fileprivate func judgesLines(as other: Dialect) -> Bool {
        framing == other.framing && syntax == other.syntax && escaping == other.escaping
            && tolerance == other.tolerance && commands.signatures == other.commands.signatures
    }
}
