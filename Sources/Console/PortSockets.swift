import CEpoll

/// The TCP sockets of this machine that have a local port, without listening ones.
package struct PortSockets: Sendable, Hashable {
    /// TCP states, numbered as in the kernel.
    package enum State: Int {
        case established = 1
        case synSent, synReceived, finWait1, finWait2, timeWait, close, closeWait, lastAck, listen,
            closing
        case newSynReceived
    }

    /// Sums over the sockets in a state.
    package struct Sum: Sendable, Hashable {
        package var count = 0
        /// Number of bytes that the kernel has received but the program has not yet read.
        package var unreadBytes = 0
        /// Number of bytes sent but not yet acknowledged by the peer.
        package var unacknowledgedBytes = 0
    }

    private var sums = [Sum](repeating: Sum(), count: Int(LJ_TCP_STATES))

    package subscript(_ state: State) -> Sum { sums[state.rawValue] }

    /// Asks the kernel for the sockets; nil if they cannot be listed. Reads `/proc/net/tcp` if the
    /// kernel does not offer another way.
    package init?(localPort port: Int) {
        // For the kernel, port 0 means any port.
        guard (1...65_535).contains(port) else { return nil }
        var found = [lj_tcp_sum](repeating: lj_tcp_sum(), count: Int(LJ_TCP_STATES))
        if unsafe lj_tcp_sockets(CInt(port), &found) == 0 {
            sums = found.map {
                Sum(
                    count: Int(clamping: $0.count), unreadBytes: Int(clamping: $0.unread),
                    unacknowledgedBytes: Int(clamping: $0.unacknowledged))
            }
        } else if let table = SocketTable(["/proc/net/tcp", "/proc/net/tcp6"], localPort: port) {
            sums = table.sockets.sums
        } else {
            return nil
        }
    }

    init() {}

    mutating func add(_ state: State, unreadBytes: Int, unacknowledgedBytes: Int) {
        guard state != .listen else { return }
        sums[state.rawValue].count += 1
        sums[state.rawValue].unreadBytes += unreadBytes
        sums[state.rawValue].unacknowledgedBytes += unacknowledgedBytes
    }
}
