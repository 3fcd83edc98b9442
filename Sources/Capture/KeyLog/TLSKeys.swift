import Synchronization

/// The secrets of TLS sessions, from a key log file and from the captures themselves.
///
/// Secrets from a capture are added while it is read, and apply to the packets after them.
package final class TLSKeys: Sendable {
    /// Maximum size of a key log in bytes.
    package static let logBytesMax = 32 << 20
    /// Maximum number of sessions; the secrets of any others are dropped.
    static let sessionsMax = 1 << 18
    /// Maximum number of different problems to keep.
    static let problemsMax = 8

    /// An invalid line of a key log.
    package struct Problem: Sendable, Hashable {
        /// Number of the line, starting at 1.
        package var line: Int
        /// What is wrong, and what was expected.
        package var text: String
    }

    private struct Session {
        var secrets: [TLSSecretLabel: [UInt8]] = [:]
        var isFromFile: Bool
        var isUsed = false
    }

    private struct State {
        var sessions: [[UInt8]: Session] = [:]
        var problems: [Problem] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// True if there are no secrets.
    var isEmpty: Bool { state.withLock { $0.sessions.isEmpty } }

    /// Number of sessions from the key log file.
    package var fileSessions: Int {
        state.withLock { $0.sessions.values.count { $0.isFromFile } }
    }

    /// Number of sessions from the key log file that no connection has used.
    package var unusedFileSessions: Int {
        state.withLock { $0.sessions.values.count { $0.isFromFile && !$0.isUsed } }
    }

    /// Invalid lines in the captures' key logs.
    package var problems: [Problem] { state.withLock(\.problems) }

    /// Adds the secrets of a key log file. Stops at the first invalid line and returns it; nil if
    /// all lines are valid.
    package func add(file log: [UInt8]) -> Problem? {
        var number = 0
        for line in log.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            if let problem = add(line, number, isFromFile: true) { return problem }
        }
        return nil
    }

    /// Adds the secrets of a key log in a capture. Invalid lines are skipped, and kept as problems.
    func add(captured log: ArraySlice<UInt8>) {
        var number = 0
        for line in log.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            guard let problem = add(line, number, isFromFile: false) else { continue }
            // A capture may be read more than once.
            state.withLock {
                guard $0.problems.count < Self.problemsMax, !$0.problems.contains(problem) else {
                    return
                }
                $0.problems.append(problem)
            }
        }
    }

    private func add(_ line: ArraySlice<UInt8>, _ number: Int, isFromFile: Bool) -> Problem? {
        do throws(TLSKeyLogLine.Invalid) {
            guard let parsed = try TLSKeyLogLine.parse(line) else { return nil }
            state.withLock {
                guard
                    $0.sessions[parsed.random] != nil || $0.sessions.count < Self.sessionsMax
                else { return }
                $0.sessions[parsed.random, default: Session(isFromFile: isFromFile)]
                    .secrets[parsed.label] = parsed.secret
            }
            return nil
        } catch {
            return Problem(line: number, text: error.text)
        }
    }

    /// Returns the secrets of the session whose ClientHello contains the random value; nil if there
    /// are none.
    func secrets(for random: [UInt8]) -> [TLSSecretLabel: [UInt8]]? {
        state.withLock {
            $0.sessions[random]?.isUsed = true
            return $0.sessions[random]?.secrets
        }
    }
}
