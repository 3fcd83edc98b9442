import Console
import Results

/// Socket counts of a local port, read from `/proc/net/tcp`.
enum SocketTable {
    /// Largest number of TCP sockets on the machine for which the tables are read. For each chunk,
    /// the kernel searches the table from its start, so that reading a million lines takes minutes.
    static let socketsMax = 50_000

    /// Returns the counts; nil if the tables cannot be read, or if they are too large.
    static func counts(localPort port: Int) -> ObservedProcess.SocketCounts? {
        guard usedSockets(ProcFile.text("/proc/net/sockstat") ?? "") <= socketsMax else {
            return nil
        }
        var counter = Counter(port: port)
        // The table may grow while it is read.
        func take(_ bytes: ArraySlice<UInt8>) -> Bool {
            counter.take(bytes)
            return counter.lines <= socketsMax
        }
        guard ProcFile.read("/proc/net/tcp", take) else { return nil }
        counter.endTable()
        _ = ProcFile.read("/proc/net/tcp6", take)
        counter.endTable()
        return counter.lines <= socketsMax ? counter.counts : nil
    }

    /// Returns the number of TCP sockets in a line such as `TCP: inuse 12 orphan 0 …`; 0 if there
    /// is none.
    static func usedSockets(_ text: String) -> Int {
        let words = text.split(separator: "\n").first { $0.hasPrefix("TCP: inuse ") }?
            .split(separator: " ")
        return words.flatMap { $0.count > 2 ? Int($0[2]) : nil } ?? 0
    }

    /// Counter of the sockets in a table that is read in chunks, since it can have thousands of lines.
    struct Counter {
        private(set) var counts = ObservedProcess.SocketCounts()
        /// Number of lines so far.
        private(set) var lines = 0
        private let port: Int
        private var line: [UInt8] = []

        init(port: Int) { self.port = port }

        mutating func take(_ bytes: ArraySlice<UInt8>) {
            for byte in bytes {
                if byte == UInt8(ascii: "\n") {
                    lines += 1
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
