import CEpoll
package import Results
import Synchronization

/// A process to observe during a load test.
package struct ObservedTarget: Sendable, Hashable {
    /// Whether the process is the server or the load generator.
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
    /// Minimum pause between two socket counts, as a multiple of the time that the first one took.
    static let socketShare: Int64 = 100

    fileprivate struct Observed {
        var process: LoadResults.ObservedProcess
        var last: (time: Int64, reading: ProcessReading)?
        var hasEnded = false
    }

    private struct State {
        var observed: [Observed]
        /// Earliest time of the next socket count.
        var socketsAt: Int64 = 0
    }

    private let state: Mutex<State>
    /// Port of the local server whose sockets are counted; nil to count none.
    private let port: Int?

    package init(_ targets: [ObservedTarget], port: Int? = nil) {
        self.port = port
        state = Mutex(
            State(
                observed: targets.map { target in
                    Observed(
                        process: LoadResults.ObservedProcess(
                            role: target.role.rawValue, pid: target.pid,
                            program: ProcessReading.program(of: target.pid) ?? ""))
                }))
    }

    /// Takes samples until the task is cancelled.
    func run() async {
        repeat { sample(at: lj_now()) } while (try? await Task.sleep(for: Self.interval)) != nil
        sample(at: lj_now())
    }

    /// Takes a sample of each process. Sample times are on the monotonic clock.
    func sample(at now: Int64) {
        state.withLock { state in
            let sockets = Self.sockets(port, &state.socketsAt, now)
            // A server started by the generator is one of its children.
            let all = Set(state.observed.map(\.process.pid))
            for index in state.observed.indices where !state.observed[index].hasEnded {
                state.observed[index].sample(at: now, without: all, sockets)
            }
        }
    }

    /// Counts the server's sockets; returns nil if it is too early for another count, or if there
    /// is no port. With thousands of connections, a count takes the kernel tens of milliseconds, so
    /// it must be rare.
    private static func sockets(
        _ port: Int?, _ next: inout Int64, _ now: Int64
    ) -> LoadResults.SocketCounts? {
        guard let port, now >= next else { return nil }
        let begin = lj_now()
        let counts = SocketTable.counts(localPort: port)
        next = now + (lj_now() - begin) * socketShare
        return counts
    }

    /// Returns the observed processes. Sample times are relative to `start`, a time on the
    /// monotonic clock.
    package func processes(since start: Int64) -> [LoadResults.ObservedProcess] {
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
        at now: Int64, without others: Set<Int>, _ sockets: LoadResults.SocketCounts?
    ) {
        guard let reading = ProcessReading(of: process.pid, without: others) else {
            hasEnded = true
            return
        }
        var sample = LoadResults.ProcessSample(
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
            sample.contextSwitchesPerSecond = rate(\.contextSwitches)
            sample.majorFaultsPerSecond = rate(\.majorFaults)
            sample.minorFaultsPerSecond = rate(\.minorFaults)
        }
        last = (now, reading)
        process.samples.append(sample)
        if process.samples.count > ProcessObserver.samplesMax {
            process.samples = process.samples.enumerated().filter { $0.offset % 2 == 0 }
                .map(\.element)
        }
    }
}
