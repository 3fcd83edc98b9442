import Console
import Glibc

/// Counters of a process and its child processes, read from `/proc`.
struct ProcessReading: Sendable {
    /// Maximum number of child processes included.
    static let processesMax = 256
    /// Maximum number of threads per process included in context switches.
    static let threadsMax = 256

    /// User and system time in clock ticks.
    var ticks: UInt64 = 0
    /// Time that the current threads ran, and time that they were ready to run but waited for a
    /// CPU, in nanoseconds; nil if the kernel does not report them.
    var scheduling: (running: UInt64, waiting: UInt64)? = (0, 0)
    var residentPages: UInt64 = 0
    var threads = 0
    var processes = 0
    /// Number of open files; nil if the process may not be inspected.
    var files: Int? = 0
    var contextSwitches: UInt64 = 0
    var minorFaults: UInt64 = 0
    var majorFaults: UInt64 = 0

    static let ticksPerSecond = Double(max(sysconf(CInt(_SC_CLK_TCK)), 1))
    static let pageBytes = UInt64(max(sysconf(CInt(_SC_PAGESIZE)), 1))

    private init() {}

    /// Reads the counters; returns nil if there is no such process.
    ///
    /// - Parameter others: Child processes to exclude, along with their own children.
    init?(of pid: Int, without others: Set<Int> = []) {
        var all = ProcessReading()
        guard all.add(pid) else { return nil }
        var waiting = Self.children(of: pid)
        while let child = waiting.popLast(), all.processes < Self.processesMax {
            if others.contains(child) { continue }
            if all.add(child) { waiting += Self.children(of: child) }
        }
        self = all
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
    private mutating func add(_ pid: Int) -> Bool {
        guard let text = ProcFile.text("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")")
        else {
            return false
        }
        // Field 2, the program's name in parentheses, may contain spaces. Field 3 follows it.
        let fields = text[text.index(after: end)...].split(separator: " ")
        func field(_ number: Int) -> UInt64 {
            let index = number - 3
            return index < fields.count ? UInt64(fields[index]) ?? 0 : 0
        }
        guard fields.first != "Z" else { return false }
        minorFaults += field(10)
        majorFaults += field(12)
        ticks += field(14) + field(15)
        threads += Int(clamping: field(20))
        residentPages += field(24)
        processes += 1
        if let open = ProcFile.openFiles(of: pid) {
            files = files.map { $0 + open }
        } else {
            files = nil
        }
        for thread in Self.threads(of: pid) {
            addScheduling("/proc/\(pid)/task/\(thread)/schedstat")
            contextSwitches += Self.contextSwitches("/proc/\(pid)/task/\(thread)/status")
        }
        return true
    }

    private mutating func addScheduling(_ path: String) {
        let numbers = (ProcFile.text(path) ?? "").split { $0 == " " || $0 == "\n" }.compactMap {
            UInt64($0)
        }
        guard numbers.count >= 2, let sum = scheduling else {
            scheduling = nil
            return
        }
        scheduling = (sum.running &+ numbers[0], sum.waiting &+ numbers[1])
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
            guard line.contains("ctxt_switches:"), let number = line.split(separator: "\t").last
            else { return sum }
            return sum + (UInt64(number) ?? 0)
        }
    }
}
