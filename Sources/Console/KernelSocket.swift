/// A TCP socket as listed in `/proc/net/tcp` or `/proc/net/tcp6`.
package struct KernelSocket: Hashable {
    /// TCP states, numbered as in the kernel.
    package enum State: Int {
        case established = 1
        case synSent, synReceived, finWait1, finWait2, timeWait, close, closeWait, lastAck, listen,
            closing
        case newSynReceived
    }

    package var localPort: Int
    package var state: State
    /// Number of bytes sent but not yet acknowledged by the peer.
    package var unacknowledgedBytes: Int
    /// Number of bytes received but not yet read; in the `LISTEN` state, the number of connections
    /// not yet accepted.
    package var unreadBytes: Int

    /// Parses a line: `sl: local:port remote:port state tx:rx …`, with numbers in hexadecimal.
    /// Returns nil for the header and for malformed lines.
    package init?(_ line: ArraySlice<UInt8>) {
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
        guard fields.count > 5, fields[0].last == Self.colon,
            // The port follows the last colon of an address.
            let colon = fields[1].lastIndex(of: Self.colon),
            let port = Self.number(fields[1][(colon + 1)...]),
            let state = Self.number(fields[3]).flatMap(State.init)
        else { return nil }
        let queues = fields[4].split(separator: Self.colon)
        guard queues.count == 2, let unsent = Self.number(queues[0]),
            let unread = Self.number(queues[1])
        else { return nil }
        (localPort, self.state) = (port, state)
        (unacknowledgedBytes, unreadBytes) = (unsent, unread)
    }

    private static let colon = UInt8(ascii: ":")

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...8).contains(digits.count) else { return nil }
        var number = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | Int(digit - 0x30)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): number = number << 4 | Int(digit - 0x37)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | Int(digit - 0x57)
            default: return nil
            }
        }
        return number
    }
}
