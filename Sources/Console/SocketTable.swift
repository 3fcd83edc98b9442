/// The sockets of a local port in `/proc/net/tcp` and `/proc/net/tcp6`, which have a line for each
/// TCP socket of the machine: `sl: local:port remote:port state tx:rx …`, in hexadecimal.
struct SocketTable {
    private(set) var sockets = PortSockets()
    /// Number of lines so far.
    private var lines = 0
    private let port: Int
    private var line: [UInt8] = []

    private static let lineBytesMax = 256
    /// Largest number of lines read. For each chunk, the kernel searches its table from the start,
    /// so that reading a million lines takes minutes.
    private static let linesMax = 50_000

    init(localPort port: Int) { self.port = port }

    /// Reads the files; nil if none of them can be read, or if they are too large.
    init?(_ paths: [String], localPort port: Int) {
        self.init(localPort: port)
        var isRead = false
        for path in paths {
            isRead = ProcFile.read(path) { take($0) } || isRead
            line.removeAll(keepingCapacity: true)
        }
        guard isRead, lines <= Self.linesMax else { return nil }
    }

    /// Adds a part of a table; returns false if there are too many lines.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> Bool {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                lines += 1
                addLine()
                line.removeAll(keepingCapacity: true)
            } else if line.count < Self.lineBytesMax {
                line.append(byte)
            }
        }
        return lines <= Self.linesMax
    }

    /// Adds the socket in the line, if it has the port. Skips the header and malformed lines.
    private mutating func addLine() {
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
        guard fields.count > 5, fields[0].last == Self.colon,
            // The port follows the last colon of an address.
            let colon = fields[1].lastIndex(of: Self.colon),
            Self.number(fields[1][(colon + 1)...]) == port,
            let state = Self.number(fields[3]).flatMap(PortSockets.State.init)
        else { return }
        let queues = fields[4].split(separator: Self.colon)
        guard queues.count == 2, let unsent = Self.number(queues[0]),
            let unread = Self.number(queues[1])
        else { return }
        sockets.add(state, unreadBytes: unread, unacknowledgedBytes: unsent)
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
