import Console
import Glibc

/// A source of samples of a server's state, as visible from outside.
package protocol ServerWatch: Sendable {
    /// Returns the current state; nil if it cannot be observed.
    func look() -> ServerState?
}

/// A server watch that asks the kernel for the connections and the resource use of a server on this
/// machine, without special privileges.
package struct LoopbackWatch: ServerWatch {
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
        guard let sockets = PortSockets(localPort: port) else { return nil }
        var state = ServerState(sockets)
        guard let server = process,
            let session = ProcessStat(of: "/proc/\(server)")?.session
        else { return state }
        for process in ProcFile.numbers(in: "/proc") {
            guard let stat = ProcessStat(of: "/proc/\(process)"), stat.session == session else {
                continue
            }
            state.cpuTicks = (state.cpuTicks ?? 0) + stat.cpuTicks
            for thread in ProcFile.numbers(in: "/proc/\(process)/task").prefix(Self.threadsMax) {
                let folder = "/proc/\(process)/task/\(thread)"
                state.waitingNanoseconds =
                    (state.waitingNanoseconds ?? 0)
                    + Int64(clamping: ProcFile.waitingNanoseconds(of: folder) ?? 0)
                let isRunnable = ProcessStat(of: folder)?.isRunnable
                state.isRunnable = state.isRunnable || isRunnable == true
            }
            state.residentBytes = (state.residentBytes ?? 0) + stat.residentPages * Self.pageBytes
            state.openFiles =
                (state.openFiles ?? 0) + (ProcFile.openFiles(of: process) ?? 0)
        }
        return state
    }

    private static let pageBytes = max(1, Int(sysconf(Int32(_SC_PAGESIZE))))
}

/// The contents of `/proc/PID/stat`, or of the same file of a thread.
struct ProcessStat: Hashable {
    /// Whether the process's main thread, or this thread, has the CPU or waits for it.
    var isRunnable: Bool
    var session: Int
    /// User and system time in hundredths of a second.
    var cpuTicks: Int
    var residentPages: Int

    /// Reads the file; nil if there is no such process or thread.
    ///
    /// - Parameter folder: The folder of the process or thread in `/proc`.
    init?(of folder: String) {
        guard let text = ProcFile.text("\(folder)/stat") else { return nil }
        self.init(text)
    }

    /// Parses the line; nil if it is malformed.
    init?(_ text: String) {
        guard let fields = ProcFile.fieldsAfterName(text), fields.count > 21,
            let session = Int(fields[3]), let user = Int(fields[11]),
            let system = Int(fields[12]), let resident = Int(fields[21])
        else { return nil }
        isRunnable = fields[0] == "R"
        self.session = session
        cpuTicks = user + system
        residentPages = resident
    }
}
