import Console
import Results

/// Socket counts of a local port, read from `/proc/net/tcp`.
enum SocketTable {
    /// Returns the counts; nil if the tables cannot be read.
    static func counts(localPort port: Int) -> ObservedProcess.SocketCounts? {
        var counter = Counter(port: port)
        guard ProcFile.read("/proc/net/tcp", { counter.take($0) }) else { return nil }
        counter.endTable()
        _ = ProcFile.read("/proc/net/tcp6") { counter.take($0) }
        counter.endTable()
        return counter.counts
    }

    /// Counter of the sockets in a table that is read in chunks, since it can have thousands of lines.
    struct Counter {
        private(set) var counts = ObservedProcess.SocketCounts()
        private let port: Int
        private var line: [UInt8] = []

        init(port: Int) { self.port = port }

        mutating func take(_ bytes: ArraySlice<UInt8>) {
            for byte in bytes {
                if byte == UInt8(ascii: "\n") {
                    count()
                    line.removeAll(keepingCapacity: true)
                } else if line.count < Self.lineBytesMax {
                    line.append(byte)
                }
            }
        }

        mutating func endTable() { line.removeAll(keepingCapacity: true) }

        private static let lineBytesMax = 256

        private mutating func count() {
            guard let socket = KernelSocket(line[...]), socket.localPort == port else { return }
            switch socket.state {
            case .established:
                counts.established += 1
                counts.sendQueueBytes &+= UInt64(socket.unacknowledgedBytes)
                counts.receiveQueueBytes &+= UInt64(socket.unreadBytes)
            case .timeWait: counts.timeWait += 1
            case .closeWait: counts.closeWait += 1
            default: break
            }
        }
    }
}
