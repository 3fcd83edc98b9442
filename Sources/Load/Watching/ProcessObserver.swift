import CEpoll
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
    /// Minimum time between two samples, in nanoseconds. The kernel counts CPU time in steps of
    /// milliseconds.
    static let distanceMin: Int64 = 250_000_000
    /// Minimum pause between two socket counts, as a multiple of the time that the first one took.
    static let socketShare: Int64 = 100

    fileprivate struct Observed {
        var process: ObservedProcess
        var last: (time: Int64, reading: ProcessReading)?
        /// The sample before the last one; nil if there is none, or if the last sample must not be
        /// replaced.
        var earlier: (time: Int64, reading: ProcessReading)?
        var hasEnded = false
    }

    private struct State {
        var observed: [Observed]
        /// Earliest time of the next socket count.
        var socketsAt: Int64 = 0
        /// Busy time of the machine's CPUs, with the times of the readings.
        var machine: [MachineReading] = []
    }

    private let state: Mutex<State>
    /// Port of the local server whose sockets are counted; nil to count none.
    private let port: Int?

    package init(_ targets: [ObservedTarget], port: Int? = nil) {
        self.port = port
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
        repeat { sample(at: lj_now()) } while (try? await Task.sleep(for: Self.interval)) != nil
        sample(at: lj_now())
    }

    /// Takes a sample of each process. Sample times are on the monotonic clock.
    ///
    /// - Parameter isEdge: True if a period starts or ends now. The sample then replaces one that
    ///   was taken shortly before.
    func sample(at now: Int64, isEdge: Bool = false) {
        state.withLock { state in
            let sockets = Self.sockets(port, &state.socketsAt, now)
            if let reading = MachineReading(at: now) { state.machine.append(reading) }
            if state.machine.count > Self.samplesMax {
                state.machine = state.machine.enumerated().filter { $0.offset % 2 == 0 }
                    .map(\.element)
            }
            // A server started by the generator is its child process, but is observed separately.
            let all = Set(state.observed.map(\.process.pid))
            for index in state.observed.indices where !state.observed[index].hasEnded {
                state.observed[index].sample(at: now, isEdge: isEdge, without: all, sockets)
            }
        }
    }

    /// Counts the server's sockets; returns nil if it is too early for another count, or if there
    /// is no port. With thousands of connections, a count takes the kernel tens of milliseconds, so
    /// it must be rare.
    private static func sockets(
        _ port: Int?, _ next: inout Int64, _ now: Int64
    ) -> ObservedProcess.SocketCounts? {
        guard let port, now >= next else { return nil }
        let begin = lj_now()
        let counts = SocketTable.counts(localPort: port)
        next = now + (lj_now() - begin) * socketShare
        return counts
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
                return process
            }
        }
    }
}

extension ProcessObserver.Observed {
    fileprivate mutating func sample(
        at now: Int64, isEdge: Bool, without others: Set<Int>,
        _ sockets: ObservedProcess.SocketCounts?
    ) {
        if let last, now - last.time < ProcessObserver.distanceMin {
            if isEdge, let earlier {
                self.last = earlier
                process.samples.removeLast()
            } else if !isEdge {
                return
            }
        }
        guard let reading = ProcessReading(of: process.pid, without: others) else {
            hasEnded = true
            return
        }
        var sample = ObservedProcess.Sample(
            timeNanoseconds: now, residentBytes: reading.residentPages * ProcessReading.pageBytes,
            threads: reading.threads, processes: reading.processes, files: reading.files,
            sockets: process.role == ObservedTarget.Role.server.rawValue ? sockets : nil)
        if let last, now > last.time {
            let seconds = Double(now - last.time) / 1e9
            // The sum over all child processes may shrink when one of them ends.
            func rate(_ counter: KeyPath<ProcessReading, UInt64>) -> Double {
                let (new, old) = (reading[keyPath: counter], last.reading[keyPath: counter])
                return new > old ? Double(new - old) / seconds : 0
            }
            sample.cores = rate(\.ticks) / ProcessReading.ticksPerSecond
            if let new = reading.scheduling, let old = last.reading.scheduling,
                new.running >= old.running, new.waiting >= old.waiting
            {
                // These times are more precise than clock ticks, but lack threads that have ended.
                let running = Double(new.running - old.running) / 1e9 / seconds
                if reading.threads >= last.reading.threads { sample.cores = running }
                sample.waitingThreads = Double(new.waiting - old.waiting) / 1e9 / seconds
            }
            sample.contextSwitchesPerSecond = rate(\.contextSwitches)
            sample.majorFaultsPerSecond = rate(\.majorFaults)
            sample.minorFaultsPerSecond = rate(\.minorFaults)
        }
        earlier = isEdge ? nil : last
        last = (now, reading)
        process.samples.append(sample)
        if process.samples.count > ProcessObserver.samplesMax {
            process.samples = process.samples.enumerated().filter { $0.offset % 2 == 0 }
                .map(\.element)
        }
    }
}
