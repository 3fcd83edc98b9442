import Glibc

/// Observer of a server from outside.
package protocol ServerWatch: Sendable {
    /// Returns the current state; nil if it is not visible.
    func look() -> ServerState?
}

/// Observer of a local server that reads `/proc` and needs no privileges.
package struct LoopbackWatch: ServerWatch {
    /// Maximum number of bytes read from a kernel table.
    private static let tableBytesMax = 64 << 20
    private let port: Int
    private let session: Int?

    /// Creates an observer of the server that listens on a port.
    ///
    /// - Parameter session: Session leader of the server if we started it. The usage of all
    ///   processes in the session is added up.
    package init(port: Int, session: Int? = nil) {
        self.port = port
        self.session = session
    }

    package func look() -> ServerState? {
        let texts = ["/proc/net/tcp", "/proc/net/tcp6"].map { Self.contents($0) }
        guard texts.contains(where: { !$0.isEmpty }) else { return nil }
        var state = ServerState(SocketTable(texts), port: port)
        guard let session else { return state }
        for process in Self.numbers(in: "/proc") {
            guard let stat = ProcessStat(Self.contents("/proc/\(process)/stat")),
                stat.session == session
            else { continue }
            state.cpuTicks = (state.cpuTicks ?? 0) + stat.cpuTicks
            state.residentBytes = (state.residentBytes ?? 0) + stat.residentPages * Self.pageBytes
            state.openFiles =
                (state.openFiles ?? 0) + Self.numbers(in: "/proc/\(process)/fd").count
        }
        return state
    }

    private static let pageBytes = max(1, Int(sysconf(Int32(_SC_PAGESIZE))))

    /// Returns the numeric entries of a directory.
    private static func numbers(in path: String) -> [Int] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var numbers: [Int] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = Int(name) { numbers.append(number) }
        }
        return numbers
    }

    /// Returns the contents of a kernel file; empty if it cannot be read.
    private static func contents(_ path: String) -> [UInt8] {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < tableBytesMax {
            let count = unsafe read(file, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return bytes
    }
}

/// The contents of `/proc/PID/stat`.
struct ProcessStat: Hashable {
    var session: Int
    /// User and system time in hundredths of a second.
    var cpuTicks: Int
    var residentPages: Int

    /// Parses the line. Returns nil if it is malformed. The name in parentheses may contain any
    /// characters.
    init?(_ text: [UInt8]) {
        guard let end = text.lastIndex(of: 0x29) else { return nil }
        let fields = text[(end + 1)...].split(separator: 0x20).map {
            String(decoding: $0, as: UTF8.self)
        }
        // Indices count from the third field, which is the state.
        guard fields.count > 21, let session = Int(fields[3]), let user = Int(fields[11]),
            let system = Int(fields[12]), let resident = Int(fields[21])
        else { return nil }
        self.session = session
        cpuTicks = user + system
        residentPages = resident
    }
}
