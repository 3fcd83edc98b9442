import CEpoll
import Console
package import Results
import Synchronization

/// A process to observe during a load test.
package struct ObservedTarget: Sendable, Hashable {
    /// Role of a process in a load test.
    package enum Role: String, Sendable, Hashable {
        case server, generator
    }

    package var role: Role
    package var pid: Int

    package init(_ role: Role, pid: Int) {
        self.role = role
        self.pid = pid
    }

    /// Returns true if there is a process with this ID.
    package static func exists(_ pid: Int) -> Bool { ProcessReading(of: pid) != nil }
}

/// An observer that samples processes once per second while a load test runs.
package final class ProcessObserver: Sendable {
    /// Interval between samples.
    static let interval = Duration.seconds(1)
    /// Maximum number of samples per process. When it is exceeded, every other sample is dropped.
    static let samplesMax = 20_000
    /// Minimum time between two samples, in nanoseconds.
    static let distanceMin: Int64 = 250_000_000
    /// Minimum pause between two socket counts, as a multiple of the time that the first one took.
    static let socketShare: Int64 = 100

    fileprivate struct Observed {
        var process: ObservedProcess
        var last: ProcessReading?
        /// The reading before the last one; nil if there is none, or if the last sample must not be
        /// replaced.
        var earlier: ProcessReading?
        var hasEnded: Bool { process.endNanoseconds != nil }
    }

    private struct State {
        var observed: [Observed]
        /// Busy time of the machine's CPUs, with the times of the readings.
        var machine: [MachineReading] = []
    }

    private let state: Mutex<State>
    /// Port of the local server whose sockets are counted; nil to count none.
    private let port: Int?
    /// All process IDs. A server started by the generator is its child process, but is observed
    /// separately.
    private let all: Set<Int>
    /// Returns the time on the monotonic clock.
    private let now: @Sendable () -> Int64

    package init(
        _ targets: [ObservedTarget], port: Int? = nil, now: @escaping @Sendable () -> Int64 = lj_now
    ) {
        self.port = port
        self.now = now
        all = Set(targets.map(\.pid))
        state = Mutex(
            State(
                observed: targets.map { target in
                    var process = ObservedProcess(
                        role: target.role.rawValue, pid: target.pid,
                        program: ProcessReading.program(of: target.pid) ?? "")
                    process.filesMax = ProcessReading.filesMax(of: target.pid)
                    return Observed(process: process)
                }))
    }

    /// Takes samples until the task is cancelled.
    func run() async {
        var socketsAt: Int64 = 0
        repeat {
            sample()
            countSockets(&socketsAt)
        } while (try? await Task.sleep(for: Self.interval)) != nil
        sample()
        countSockets(&socketsAt)
    }

    /// Takes a sample of each process. Sample times are on the monotonic clock.
    ///
    /// - Parameter isEdge: True if a period starts or ends now. The sample then replaces one that
    ///   was taken shortly before.
    func sample(isEdge: Bool = false) {
        let running = state.withLock { state in
            state.observed.enumerated().filter { !$0.element.hasEnded }
                .map { (index: $0.offset, pid: $0.element.process.pid) }
        }
        for (index, pid) in running {
            // On a busy machine, reading may take long, so it must not block other samples.
            let reading = ProcessReading(of: pid, without: all, now: now)
            let time = now()
            state.withLock { $0.observed[index].add(reading, isEdge: isEdge, now: time) }
        }
        guard let reading = MachineReading(now: now) else { return }
        state.withLock { state in
            if let last = state.machine.last, last.time >= reading.time { return }
            state.machine.append(reading)
            if state.machine.count > Self.samplesMax { state.machine = state.machine.everyOther }
        }
    }

    /// Adds the number of the server's sockets to its latest sample, unless there is no port, or it
    /// is too early for another count. With thousands of connections, a count takes the kernel tens
    /// of milliseconds, so it must be rare.
    private func countSockets(_ next: inout Int64) {
        let begin = now()
        guard let port, begin >= next else { return }
        let counts = PortSockets(localPort: port).map(ObservedProcess.SocketCounts.init)
        let end = now()
        next = end + (end - begin) * Self.socketShare
        state.withLock { state in
            for index in state.observed.indices { state.observed[index].add(counts) }
        }
    }

    /// The servers' current CPU and memory use; nil if no observed server is running.
    package var server: (cores: Double, memory: UInt64)? {
        state.withLock { state in
            let last = state.observed.filter {
                $0.process.role == ObservedTarget.Role.server.rawValue && !$0.hasEnded
            }.compactMap(\.process.samples.last)
            if last.isEmpty { return nil }
            return last.reduce((0, 0)) { ($0.0 + $1.cores, $0.1 &+ $1.residentBytes) }
        }
    }

    /// Returns the machine's CPU use in a period of the monotonic clock; nil if it is unknown.
    ///
    /// - Parameter isServerObserved: False if the server may be an unobserved process on this
    ///   machine, whose CPU use cannot be separated from that of others.
    package func machine(
        in period: ClosedRange<Int64>, isServerObserved: Bool
    ) -> LoadResults.MachineUse? {
        state.withLock { state in
            let readings = state.machine
            let begin = readings.last { $0.time <= period.lowerBound } ?? readings.first
            let end = readings.first { $0.time >= period.upperBound } ?? readings.last
            guard let begin, let end, end.time > begin.time else { return nil }
            let busy = end.cores(since: begin)
            let own = state.observed.reduce(0) {
                $0 + ($1.process.meanCores(in: begin.time...end.time) ?? 0)
            }
            return LoadResults.MachineUse(
                processors: end.processors, busyCores: busy,
                otherCores: isServerObserved ? max(busy - own, 0) : nil,
                memoryBytes: MachineReading.memoryBytes)
        }
    }

    /// Returns the observed processes. Sample times are relative to `start`, a time on the
    /// monotonic clock.
    package func processes(since start: Int64) -> [ObservedProcess] {
        state.withLock { state in
            state.observed.map(\.process).filter { !$0.samples.isEmpty }.map { process in
                var process = process
                for index in process.samples.indices {
                    process.samples[index].timeNanoseconds -= start
                }
                process.endNanoseconds? -= start
                return process
            }
        }
    }
}

extension ProcessObserver.Observed {
    /// Adds a sample, unless a later one has been added already.
    ///
    /// - Parameter reading: The process's counters; nil if it has ended.
    fileprivate mutating func add(_ reading: ProcessReading?, isEdge: Bool, now: Int64) {
        guard let reading else {
            process.endNanoseconds = now
            return
        }
        var sockets: ObservedProcess.SocketCounts?
        if let last, reading.time - last.time < ProcessObserver.distanceMin {
            guard isEdge, reading.time > last.time else { return }
            if let earlier {
                self.last = earlier
                sockets = process.samples.popLast()?.sockets
            }
        }
        var sample = ObservedProcess.Sample(
            timeNanoseconds: reading.time,
            residentBytes: reading.residentPages * ProcessReading.pageBytes,
            threads: reading.threads, processes: reading.processes, files: reading.files,
            sockets: sockets)
        if let last {
            let nanoseconds = Double(reading.time - last.time)
            sample.cores = Double(reading.cpuTime(since: last)) / nanoseconds
            if let new = reading.waiting, let old = last.waiting, new >= old {
                sample.waitingThreads = Double(new - old) / nanoseconds
            }
            // The sum over all child processes may shrink when one of them ends.
            func rate(_ counter: KeyPath<ProcessReading, UInt64>) -> Double {
                let (new, old) = (reading[keyPath: counter], last[keyPath: counter])
                return new > old ? Double(new - old) * 1e9 / nanoseconds : 0
            }
            sample.contextSwitchesPerSecond = rate(\.contextSwitches)
            sample.majorFaultsPerSecond = rate(\.majorFaults)
            sample.minorFaultsPerSecond = rate(\.minorFaults)
        }
        earlier = isEdge ? nil : last
        last = reading
        process.samples.append(sample)
        if process.samples.count > ProcessObserver.samplesMax {
            process.samples = process.samples.everyOther
        }
    }

    /// Adds the number of sockets to the latest sample of a server.
    fileprivate mutating func add(_ sockets: ObservedProcess.SocketCounts?) {
        guard process.role == ObservedTarget.Role.server.rawValue, !process.samples.isEmpty else {
            return
        }
        process.samples[process.samples.count - 1].sockets = sockets
    }
}

extension ObservedProcess.SocketCounts {
    fileprivate init(_ sockets: PortSockets) {
        let open = sockets[.established]
        self.init(
            established: open.count, closeWait: sockets[.closeWait].count,
            timeWait: sockets[.timeWait].count,
            receiveQueueBytes: UInt64(clamping: open.unreadBytes),
            sendQueueBytes: UInt64(clamping: open.unacknowledgedBytes))
    }
}

extension Array {
    /// Every other element, starting with the first.
    fileprivate var everyOther: [Element] {
        stride(from: 0, to: count, by: 2).map { self[$0] }
    }
}
