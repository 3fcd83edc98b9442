import Console

/// State of a server as visible from outside: its sockets and its process.
package struct ServerState: Sendable, Hashable {
    /// Number of sockets that are open in both directions.
    package var established = 0
    /// Number of sockets that the peer has closed but the server has not (state CLOSE_WAIT).
    package var closeWait = 0
    /// Number of bytes that the kernel has received but the server has not yet read.
    package var unreadBytes = 0
    /// Number of bytes that the server has sent but the peer has not yet acknowledged.
    package var unacknowledgedBytes = 0
    /// CPU time in hundredths of a second; nil if the process is unknown.
    package var cpuTicks: Int?
    /// How long the process's threads were ready to run while others had the CPU, in nanoseconds;
    /// nil if unknown.
    package var waitingNanoseconds: Int64?
    /// Whether a thread of the process has the CPU or waits for it.
    package var isRunnable = false
    package var openFiles: Int?
    /// Resident memory in bytes; nil if the process is unknown.
    package var residentBytes: Int?

    package init() {}

    /// Counts the sockets of the server.
    init(_ sockets: PortSockets) {
        established = sockets[.established].count
        closeWait = sockets[.closeWait].count
        for state: PortSockets.State in [.established, .closeWait, .finWait1, .lastAck, .closing] {
            unreadBytes += sockets[state].unreadBytes
            unacknowledgedBytes += sockets[state].unacknowledgedBytes
        }
    }
}

/// State of a server before, during and after a run.
package struct ServerMeasure: Sendable, Hashable {
    /// The state before the first connection.
    package var before: ServerState
    /// The last sample during the run, before the session reset the remaining connections.
    package var last: ServerState
    /// Maximum of each value during the run.
    package var peak: ServerState
    /// The state after all connections were closed and the server had time to clean up.
    package var after: ServerState
    /// Time between the first and the last sample, in nanoseconds.
    package var duration: Int64
    /// Number of intervals between samples for which the CPU use is known.
    private var knownIntervals = 0
    /// Number of these intervals in which the server was busy.
    private var busyIntervals = 0

    /// Creates a measure from its first sample.
    package init(_ before: ServerState) {
        self.before = before
        last = before
        peak = before
        after = before
        duration = 0
    }

    /// Adds a sample during the run.
    package mutating func note(_ state: ServerState, at time: Int64) {
        if let share = state.cpuShare(since: last, after: time - duration) {
            knownIntervals += 1
            if share > ServerState.idleShareMax { busyIntervals += 1 }
        }
        last = state
        duration = time
        peak.established = max(peak.established, state.established)
        peak.closeWait = max(peak.closeWait, state.closeWait)
        peak.unreadBytes = max(peak.unreadBytes, state.unreadBytes)
        peak.unacknowledgedBytes = max(peak.unacknowledgedBytes, state.unacknowledgedBytes)
        peak.openFiles = Self.higher(peak.openFiles, state.openFiles)
        peak.residentBytes = Self.higher(peak.residentBytes, state.residentBytes)
    }

    private static func higher(_ left: Int?, _ right: Int?) -> Int? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }

    /// CPU use as a fraction of one core; nil if the process is unknown or the duration is too
    /// short. Time that the server spent waiting for the CPU is excluded, so that a spinning server
    /// is recognised even on a busy machine.
    package var cpuShare: Double? {
        guard duration >= Self.shareDurationMin else { return nil }
        // Several processes can wait at the same time.
        let available = max(duration - last.waiting(since: before), duration / 4)
        return last.cpuShare(since: before, of: available)
    }

    /// True if the server was busy in most of the intervals between samples. It is also true if no
    /// interval is known.
    package var isMostlyBusy: Bool { busyIntervals * 2 > knownIntervals || knownIntervals == 0 }

    /// Minimum duration for a meaningful fraction: the kernel counts CPU time in hundredths of a
    /// second.
    private static let shareDurationMin: Int64 = 500_000_000
    /// CPU use, as a fraction of one core, above which an unresponsive server counts as spinning.
    private static let spinningShare = 0.8

    /// Possible reason the server does not answer or does not close the connection; nil if there is
    /// none.
    package var symptom: String? {
        var parts: [String] = []
        if last.closeWait > before.closeWait {
            parts.append("the server ignores the client's close (its socket is in CLOSE_WAIT)")
        }
        if last.unreadBytes > before.unreadBytes {
            let bytes = last.unreadBytes - before.unreadBytes
            parts.append(bytes == 1 ? "1 byte is unread" : "\(bytes) bytes are unread")
        }
        if let share = cpuShare, share >= Self.spinningShare {
            parts.append("the server uses \(Int(share * 100))% of a core")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension ServerState {
    /// Maximum CPU use of an idle server, as a fraction of one core.
    static let idleShareMax = 0.3
    /// Minimum time that the server must have been able to run for a meaningful fraction.
    private static let availableMin: Int64 = 20_000_000

    /// Returns the CPU use since an earlier sample, as a fraction of one core; nil if the process is
    /// unknown, or if other processes had the CPU nearly all the time.
    ///
    /// - Parameter time: Time between the samples, in nanoseconds.
    func cpuShare(since earlier: ServerState, after time: Int64) -> Double? {
        let available = time - waiting(since: earlier)
        guard available >= Self.availableMin else { return nil }
        return cpuShare(since: earlier, of: available)
    }

    /// Returns the CPU use since an earlier sample, as a fraction of `available` nanoseconds; nil if
    /// the process is unknown.
    fileprivate func cpuShare(since earlier: ServerState, of available: Int64) -> Double? {
        guard let first = earlier.cpuTicks, let then = cpuTicks else { return nil }
        return Double(then - first) * 10_000_000 / Double(available)
    }

    /// Returns how long the process waited for the CPU since an earlier sample, in nanoseconds.
    fileprivate func waiting(since earlier: ServerState) -> Int64 {
        (waitingNanoseconds ?? 0) - (earlier.waitingNanoseconds ?? 0)
    }

    /// Returns whether the server has read everything, does not want the CPU, and used little CPU
    /// time since an earlier sample.
    ///
    /// - Parameter time: Time between the samples, in nanoseconds.
    func isIdle(since earlier: ServerState, after time: Int64) -> Bool {
        // On a busy machine, a thread that wants the CPU may not get it between two samples.
        guard unreadBytes == 0, !isRunnable else { return false }
        guard cpuTicks != nil else { return true }
        return cpuShare(since: earlier, after: time).map { $0 <= Self.idleShareMax } ?? false
    }

    /// Returns whether all files and sockets used in a run have been released.
    func hasReturned(to before: ServerState) -> Bool {
        closeWait <= before.closeWait && established <= before.established
            && (openFiles ?? 0) <= (before.openFiles ?? .max)
    }
}
