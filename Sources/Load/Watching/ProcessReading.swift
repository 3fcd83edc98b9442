import CEpoll
import Console
import Glibc

/// Counters of a process and its child processes, read from `/proc`.
struct ProcessReading: Sendable {
    /// Maximum number of child processes included.
    static let processesMax = 256
    /// Maximum number of threads per process included in context switches.
    static let threadsMax = 256

    /// Time when the main process's CPU time was read, on the monotonic clock.
    private(set) var time: Int64 = 0
    /// CPU time of each process, including threads that have ended, in nanoseconds.
    private(set) var cpuTimes: [Int: UInt64] = [:]
    /// Time that the current threads were ready to run but waited for a CPU, in nanoseconds; nil if
    /// the kernel does not report it.
    var waiting: UInt64? = isWaitingReported ? 0 : nil
    var residentPages: UInt64 = 0
    var threads = 0
    var processes = 0
    /// Number of open files; nil if the process may not be inspected.
    var files: Int? = 0
    var contextSwitches: UInt64 = 0
    var minorFaults: UInt64 = 0
    var majorFaults: UInt64 = 0

    static let ticksPerSecond = Double(max(sysconf(CInt(_SC_CLK_TCK)), 1))
    private static let tickNanoseconds = UInt64(1e9 / ticksPerSecond)
    private static let isWaitingReported = (unsafe access("/proc/self/schedstat", R_OK)) == 0
    static let pageBytes = UInt64(max(sysconf(CInt(_SC_PAGESIZE)), 1))

    private init() {}

    /// Reads the counters; returns nil if there is no such process.
    ///
    /// - Parameters:
    ///   - others: Child processes to exclude, along with their own children.
    ///   - now: Returns the time on the monotonic clock.
    init?(of pid: Int, without others: Set<Int> = [], now: () -> Int64 = lj_now) {
        var all = ProcessReading()
        guard all.add(pid, now) else { return nil }
        var waiting = Self.children(of: pid)
        while let child = waiting.popLast(), all.processes < Self.processesMax {
            if others.contains(child) { continue }
            if all.add(child, now) { waiting += Self.children(of: child) }
        }
        self = all
    }

    /// CPU time that the processes have used since an earlier reading, in nanoseconds. Processes
    /// that have ended since then are not included.
    func cpuTime(since earlier: ProcessReading) -> UInt64 {
        cpuTimes.reduce(0) { sum, process in
            // A process that is new, or that has the ID of one that ended, started after the
            // earlier reading.
            let before = earlier.cpuTimes[process.key] ?? 0
            return sum &+ (process.value >= before ? process.value - before : process.value)
        }
    }

    /// Name of a process's program; nil if there is no such process.
    static func program(of pid: Int) -> String? {
        ProcFile.text("/proc/\(pid)/comm").map { String($0.prefix { $0 != "\n" }) }
    }

    /// Number of files that a process may open; nil if unknown or unlimited.
    static func filesMax(of pid: Int) -> Int? {
        let lines = (ProcFile.text("/proc/\(pid)/limits") ?? "").split(separator: "\n")
        let name = "Max open files"
        return lines.first { $0.hasPrefix(name) }.flatMap { line in
            line.dropFirst(name.count).split(separator: " ").first.flatMap { Int($0) }
        }
    }

    /// Adds a process; returns false if it has ended.
    private mutating func add(_ pid: Int, _ now: () -> Int64) -> Bool {
        guard let text = ProcFile.text("/proc/\(pid)/stat"),
            let fields = ProcFile.fieldsAfterName(text)
        else { return false }
        func field(_ number: Int) -> UInt64 {
            let index = number - 3
            return index < fields.count ? UInt64(fields[index]) ?? 0 : 0
        }
        guard fields.first != "Z" else { return false }
        cpuTimes[pid] = Self.cpuTime(of: pid) ?? (field(14) &+ field(15)) &* Self.tickNanoseconds
        if processes == 0 { time = now() }
        processes += 1
        minorFaults += field(10)
        majorFaults += field(12)
        threads += Int(clamping: field(20))
        residentPages += field(24)
        if let open = ProcFile.openFiles(of: pid) {
            files = files.map { $0 + open }
        } else {
            files = nil
        }
        for thread in Self.threads(of: pid) {
            let folder = "/proc/\(pid)/task/\(thread)"
            // A thread may have ended since the threads were listed.
            waiting = waiting.map { $0 &+ (ProcFile.waitingNanoseconds(of: folder) ?? 0) }
            contextSwitches += Self.contextSwitches("\(folder)/status")
        }
        return true
    }

    /// CPU time of a process, in nanoseconds; nil if its clock cannot be read.
    private static func cpuTime(of pid: Int) -> UInt64? {
        var clock = clockid_t()
        var time = timespec()
        guard let pid = pid_t(exactly: pid), unsafe clock_getcpuclockid(pid, &clock) == 0,
            unsafe clock_gettime(clock, &time) == 0
        else { return nil }
        return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }

    private static func threads(of pid: Int) -> [Int] {
        Array(ProcFile.numbers(in: "/proc/\(pid)/task").prefix(threadsMax))
    }

    private static func children(of pid: Int) -> [Int] {
        threads(of: pid).flatMap { thread in
            (ProcFile.text("/proc/\(pid)/task/\(thread)/children") ?? "")
                .split(separator: " ").compactMap { Int($0) }
        }
    }

    private static func contextSwitches(_ path: String) -> UInt64 {
        (ProcFile.text(path) ?? "").split(separator: "\n").reduce(0) { sum, line in
            let parts = line.split(separator: "\t")
            guard parts.count == 2, parts[0].hasSuffix("ctxt_switches:") else { return sum }
            return sum + (UInt64(parts[1]) ?? 0)
        }
    }
}
