/// S: what can be seen of a server from outside: its halves of the sockets, and its process.
package struct ServerState: Sendable, Hashable {
    /// Its sockets on which both directions are open.
    package var established = 0
    /// Its sockets whose peer has closed and that it has not closed itself: it ignores the end.
    package var closeWait = 0
    /// Bytes that have come to it and that it has not read.
    package var unreadBytes = 0
    /// Bytes that it has sent and that nobody has taken.
    package var unsentBytes = 0
    /// CPU time in hundredths of a second; nil where the process is not known.
    package var cpuTicks: Int?
    /// Its open files.
    package var openFiles: Int?
    /// Its memory that is in use, in bytes.
    package var residentBytes: Int?

    /// A state in which nothing was seen.
    package init() {}

    /// What the table of sockets shows of the server that listens at a port.
    init(_ table: SocketTable, port: Int) {
        for socket in table.sockets where socket.localPort == port {
            switch socket.state {
            case .established: established += 1
            case .closeWait: closeWait += 1
            case .finWait1, .lastAck, .closing: break
            default: continue
            }
            unreadBytes += socket.unreadBytes
            unsentBytes += socket.unsentBytes
        }
    }
}

/// S: what was seen of a server before, while and after something was tried.
package struct ServerMeasure: Sendable, Hashable {
    /// Before the first connection was made.
    package var before: ServerState
    /// The last look while the play lasted.
    package var last: ServerState
    /// The highest of each.
    package var peak: ServerState
    /// When all connections were closed again, and a while had been given.
    package var after: ServerState
    /// From the first look to the last one, in nanoseconds.
    package var duration: Int64

    /// A measure that begins with this look.
    package init(_ before: ServerState) {
        self.before = before
        last = before
        peak = before
        after = before
        duration = 0
    }

    /// Takes a look while the play lasts.
    package mutating func note(_ state: ServerState, at time: Int64) {
        last = state
        duration = time
        peak.established = max(peak.established, state.established)
        peak.closeWait = max(peak.closeWait, state.closeWait)
        peak.unreadBytes = max(peak.unreadBytes, state.unreadBytes)
        peak.unsentBytes = max(peak.unsentBytes, state.unsentBytes)
        peak.openFiles = Self.higher(peak.openFiles, state.openFiles)
        peak.residentBytes = Self.higher(peak.residentBytes, state.residentBytes)
    }

    private static func higher(_ left: Int?, _ right: Int?) -> Int? {
        guard let left, let right else { return left ?? right }
        return max(left, right)
    }

    /// How much of a core the server has used, 0…; nil where the process is not known.
    package var cpuShare: Double? {
        guard let first = before.cpuTicks, let then = last.cpuTicks,
            duration >= Self.shareDurationMin
        else { return nil }
        return Double(then - first) * 10_000_000 / Double(duration)
    }

    /// Over less a share of the time says nothing: the kernel counts in hundredths of a second.
    private static let shareDurationMin: Int64 = 500_000_000
    /// Who uses so much of a core while it does not answer is spinning.
    private static let spinningShare = 0.8

    /// What its sockets say of a server that does not answer, or does not close; nil: nothing.
    package var symptom: String? {
        var parts: [String] = []
        if last.closeWait > before.closeWait {
            parts.append("its socket is in CLOSE_WAIT: it ignores our end")
        }
        if last.unreadBytes > before.unreadBytes {
            let bytes = last.unreadBytes - before.unreadBytes
            parts.append(bytes == 1 ? "1 byte waits unread" : "\(bytes) bytes wait unread")
        }
        if let share = cpuShare, share >= Self.spinningShare {
            parts.append("it uses \(Int(share * 100)) % of a core")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension ServerState {
    /// Whether what a play took has been given back, as far as files and sockets go.
    func hasReturned(to before: ServerState) -> Bool {
        closeWait <= before.closeWait && established <= before.established
            && (openFiles ?? 0) <= (before.openFiles ?? .max)
    }
}
