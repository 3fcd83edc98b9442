import Console

/// Busy time of all CPUs of this machine, read from `/proc/stat`.
struct MachineReading: Sendable {
    /// Time of the reading on the monotonic clock.
    var time: Int64
    /// Time that the CPUs were busy, or that the hypervisor gave to other virtual machines, in
    /// clock ticks.
    private var ticks: UInt64
    let processors: Int

    /// Reads the columns user, nice, system, idle, iowait, irq, softirq and steal of all CPUs. The
    /// remaining columns are already included in these. Returns nil if the system does not report
    /// them.
    ///
    /// - Parameter now: Returns the time on the monotonic clock.
    init?(now: () -> Int64) {
        guard let text = ProcFile.text("/proc/stat") else { return nil }
        time = now()
        let lines = text.split(separator: "\n").prefix { $0.hasPrefix("cpu") }
        guard let line = lines.first, line.hasPrefix("cpu ") else { return nil }
        processors = lines.count - 1
        let numbers = line.split(separator: " ").dropFirst().prefix(8).compactMap { UInt64($0) }
        guard numbers.count == 8 else { return nil }
        ticks = numbers.reduce(0, &+) &- numbers[3] &- numbers[4]
    }

    /// Size of the machine's memory, in bytes; nil if unknown.
    static var memoryBytes: UInt64? {
        let name = "MemTotal:"
        let lines = (ProcFile.text("/proc/meminfo") ?? "").split(separator: "\n")
        return lines.first { $0.hasPrefix(name) }.flatMap { line in
            line.dropFirst(name.count).split(separator: " ").first.flatMap { UInt64($0) }
                .map { $0 &* 1_024 }
        }
    }

    /// Returns the average number of busy cores since an earlier reading.
    func cores(since earlier: MachineReading) -> Double {
        let seconds = Double(time - earlier.time) / 1e9
        guard seconds > 0, ticks >= earlier.ticks else { return 0 }
        return Double(ticks - earlier.ticks) / ProcessReading.ticksPerSecond / seconds
    }
}
