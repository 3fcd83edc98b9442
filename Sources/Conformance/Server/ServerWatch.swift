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
    /// Maximum number of threads per process to look at.
    private static let threadsMax = 256
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
            for thread in ProcFile.numbers(in: "/proc/\(process)/task").prefix(Self.threadsMax) {
                let folder = "/proc/\(process)/task/\(thread)"
                state.waitingNanoseconds =
                    (state.waitingNanoseconds ?? 0) + Self.waitingNanoseconds(folder)
                let isRunnable = ProcessStat(Self.contents("\(folder)/stat"))?.isRunnable
                state.isRunnable = state.isRunnable || isRunnable == true
            }
            state.residentBytes = (state.residentBytes ?? 0) + stat.residentPages * Self.pageBytes
            state.openFiles =
                (state.openFiles ?? 0) + (ProcFile.openFiles(of: process) ?? 0)
        }
        return state
    }

    /// Returns how long a thread was ready to run but did not run; 0 if unknown. The kernel does not
    /// count the current wait.
    ///
    /// - Parameter folder: The thread's folder in `/proc`.
    private static func waitingNanoseconds(_ folder: String) -> Int64 {
        let numbers = contents("\(folder)/schedstat").split(separator: 0x20)
        return numbers.dropFirst().first.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    private static let pageBytes = max(1, Int(sysconf(Int32(_SC_PAGESIZE))))

    /// Returns the contents of a file provided by the kernel; empty if it cannot be read.
    private static func contents(_ path: String) -> [UInt8] {
        var bytes: [UInt8] = []
        _ = ProcFile.read(path) {
            bytes += $0
            return bytes.count < tableBytesMax
        }
        return bytes
    }
}

/// The contents of `/proc/PID/stat`, or of the same file of a thread.
struct ProcessStat: Hashable {
    /// Whether the process's main thread, or this thread, has the CPU or waits for it.
    var isRunnable: Bool
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
        isRunnable = fields[0] == "R"
        self.session = session
        cpuTicks = user + system
        residentPages = resident
    }
}
