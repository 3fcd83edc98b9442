/// The kernel's table of TCP sockets, from `/proc/net/tcp` and `tcp6`.
struct SocketTable {
    /// A socket, as its owner sees it.
    struct Socket: Hashable {
        var localPort: Int
        var remotePort: Int
        var state: State
        /// Number of bytes sent but not yet acknowledged.
        var unsentBytes: Int
        /// Number of bytes received but not yet read; in the state `LISTEN`, number of connections
        /// not yet accepted.
        var unreadBytes: Int
        /// Number that identifies the socket in `/proc/PID/fd`.
        var inode: Int
    }

    /// TCP states, with the kernel's numbers.
    enum State: Int {
        case established = 1
        case synSent, synReceived, finWait1, finWait2, timeWait, close, closeWait, lastAck, listen,
            closing
        case newSynReceived
    }

    private(set) var sockets: [Socket] = []

    /// Parses the tables; malformed lines are skipped.
    init(_ texts: [[UInt8]]) {
        for text in texts {
            for line in text.split(separator: 0x0A).dropFirst() {
                if let socket = Self.socket(line) { sockets.append(socket) }
            }
        }
    }

    private static func socket(_ line: ArraySlice<UInt8>) -> Socket? {
        let fields = line.split(separator: 0x20)
        guard fields.count > 9, let local = port(fields[1]), let remote = port(fields[2]),
            let state = hex(fields[3]).flatMap(State.init)
        else { return nil }
        let queues = fields[4].split(separator: 0x3A)
        guard queues.count == 2, let unsent = hex(queues[0]), let unread = hex(queues[1]) else {
            return nil
        }
        return Socket(
            localPort: local, remotePort: remote, state: state, unsentBytes: unsent,
            unreadBytes: unread, inode: Int(String(decoding: fields[9], as: UTF8.self)) ?? 0)
    }

    /// Parses the port after the last colon of an address.
    private static func port(_ field: ArraySlice<UInt8>) -> Int? {
        guard let colon = field.lastIndex(of: 0x3A) else { return nil }
        return hex(field[(colon + 1)...])
    }

    private static func hex(_ digits: ArraySlice<UInt8>) -> Int? {
        Int(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
