import Console
import Glibc

/// A source of samples of a server's state, as visible from outside.
package protocol ServerWatch: Sendable {
    /// Returns the current state; nil if it cannot be observed.
    func look() -> ServerState?
}

/// A server watch that reads the connections and resource use of a server on this machine from
/// `/proc`, without special privileges.
package struct LoopbackWatch: ServerWatch {
    /// Maximum number of bytes read from a kernel table.
    private static let tableBytesMax = 64 << 20
    private let port: Int
    private let process: Int?

    /// Creates an observer of the server that listens on a port.
    ///
    /// - Parameter process: Process id of the server, if this program started it. The resource use
    ///   of all processes in its session is added up.
    package init(port: Int, process: Int? = nil) {
        self.port = port
        self.process = process
    }

    package func look() -> ServerState? {
        let texts = ["/proc/net/tcp", "/proc/net/tcp6"].map { Self.contents($0) }
        guard texts.contains(where: { !$0.isEmpty }) else { return nil }
        var state = ServerState(texts, port: port)
        guard let server = process,
            let session = ProcessStat(Self.contents("/proc/\(server)/stat"))?.session
        else { return state }
        for process in ProcFile.numbers(in: "/proc") {
            guard let stat = ProcessStat(Self.contents("/proc/\(process)/stat")),
                stat.session == session
            else { continue }
            state.cpuTicks = (state.cpuTicks ?? 0) + stat.cpuTicks
            state.waitingNanoseconds =
                (state.waitingNanoseconds ?? 0) + Self.waitingNanoseconds(process)
            state.residentBytes = (state.residentBytes ?? 0) + stat.residentPages * Self.pageBytes
            state.openFiles =
                (state.openFiles ?? 0) + (ProcFile.openFiles(of: process) ?? 0)
        }
        return state
    }

    /// Returns how long a process was ready to run but did not run; 0 if unknown. The second number
    /// in `schedstat` is for the main thread, which handles the connections in most servers.
    private static func waitingNanoseconds(_ process: Int) -> Int64 {
        let numbers = contents("/proc/\(process)/schedstat").split(separator: 0x20)
        return numbers.dropFirst().first.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    private static let pageBytes = max(1, Int(sysconf(Int32(_SC_PAGESIZE))))

    /// Returns the contents of a file provided by the kernel; empty if it cannot be read.
    private static func contents(_ path: String) -> [UInt8] {
        var bytes: [UInt8] = []
        _ = ProcFile.read(path) { if bytes.count < tableBytesMax { bytes += $0 } }
        return bytes
    }
}

/// The contents of `/proc/PID/stat`.
struct ProcessStat: Hashable {
    var session: Int
    /// User and system time in hundredths of a second.
    var cpuTicks: Int
    var residentPages: Int

    /// Parses the line; nil if it is malformed. The name in parentheses may contain any characters.
    init?(_ text: [UInt8]) {
        guard let end = text.lastIndex(of: 0x29) else { return nil }
        let fields = text[(end + 1)...].split(separator: 0x20).map {
            String(decoding: $0, as: UTF8.self)
        }
        // Indices are relative to the third field, which is the state.
        guard fields.count > 21, let session = Int(fields[3]), let user = Int(fields[11]),
            let system = Int(fields[12]), let resident = Int(fields[21])
        else { return nil }
        self.session = session
        cpuTicks = user + system
        residentPages = resident
    }
}
