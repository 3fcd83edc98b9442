import CEpoll
import Console
import Diagnostics
import Glibc
import Synchronization

/// A load test run by several processes of this program. Each process generates its share of the
/// rooms and arrivals, and all start at the same monotonic time. Their results are merged.
package struct ProcessFleet: Sendable {
    package static let processesMax = 64
    /// Maximum silence in nanoseconds before a process counts as dead. A live process reports five
    /// times a second.
    static let silenceMax: Int64 = 10_000_000_000
    /// Maximum silence in nanoseconds once the load test has been stopped.
    static let silenceMaxAtEnd: Int64 = 1_500_000_000

    private let job: WorkerJob
    private let share: LoadShare
    private let processes: Int
    private let release: FleetRelease
    private let program: ChildProcess.Program
    private let silenceMax: Int64

    /// Creates a load test with `processes` processes. Each runs the program at `path` with
    /// `arguments`.
    package init(
        _ job: WorkerJob, _ options: FleetOptions, processes: Int, path: String,
        arguments: [String], silenceMax: Int64? = nil
    ) {
        self.job = job
        share = options.share
        release = options.release
        self.processes = processes
        program = ChildProcess.Program(path: path, arguments: arguments)
        self.silenceMax = silenceMax ?? Self.silenceMax
    }

    /// Runs the load test and returns its results.
    package func run(_ monitor: LoadMonitor) async -> WorkerReport {
        let ends = (0..<processes).map { WorkerEnd(number: $0, of: processes) }
        return await withTaskGroup(of: WorkerReport.self) { group in
            for end in ends { group.addTask { await run(end, monitor) } }
            group.addTask {
                await begin(ends, monitor)
                return WorkerReport()
            }
            group.addTask {
                await look(after: ends, monitor)
                return WorkerReport()
            }
            var report = WorkerReport()
            for await part in group { report.merge(part) }
            return report
        }
    }

    private func run(_ end: WorkerEnd, _ monitor: LoadMonitor) async -> WorkerReport {
        await onThread("process-\(end.number)") {
            var job = job
            job.share = share.part(end.number, of: processes)
            defer { end.isOver = true }
            return end.run(job, program, monitor)
        }
    }

    /// Sends the start time to all processes once they are ready.
    private func begin(_ ends: [WorkerEnd], _ monitor: LoadMonitor) async {
        await Fleet.release(monitor, release == .byOthers ? .ready : release)
        if !monitor.isStopped, !monitor.isAborted {
            for end in ends { end.send(.start(monitor.start)) }
        }
    }

    /// Forwards rate changes and stop requests, and watches for dead processes, until the last
    /// process has finished.
    private func look(after ends: [WorkerEnd], _ monitor: LoadMonitor) async {
        var hasStopped = false
        var sentChanges = 0
        while !ends.allSatisfy(\.isOver) {
            if monitor.isAborted { for end in ends { end.abandon() } }
            for change in monitor.rateChanges.dropFirst(sentChanges) {
                sentChanges += 1
                for end in ends { end.send(.rate(change)) }
            }
            if monitor.isStopped, !hasStopped {
                hasStopped = true
                for end in ends { end.send(.stop) }
            }
            let limit = hasStopped ? min(silenceMax, Self.silenceMaxAtEnd) : silenceMax
            for end in ends { end.killIfSilent(for: limit) }
            try? await Task.sleep(for: Fleet.lookInterval)
        }
    }
}

/// The parent's connection to one child process.
private final class WorkerEnd: Sendable {
    let number: Int
    private let count: Int

    private struct State {
        var socket: LineSocket?
        var child: ChildProcess?
        var lastMessageAt: Int64 = 0
        var isSilent = false
        var isOver = false
        /// Orders queued until the process has been started.
        var waiting: [WorkerOrder] = []
    }

    private let state = Mutex(State())

    init(number: Int, of count: Int) {
        self.number = number
        self.count = count
    }

    var isOver: Bool {
        get { state.withLock { $0.isOver } }
        set { state.withLock { $0.isOver = newValue } }
    }

    func send(_ order: WorkerOrder) {
        let socket = state.withLock { state in
            if state.socket == nil { state.waiting.append(order) }
            return state.socket
        }
        socket?.write(order)
    }

    /// Closes the sending side of the socket, which makes the child process exit.
    func abandon() { state.withLock(\.socket)?.finish() }

    func killIfSilent(for time: Int64) {
        state.withLock { state in
            guard let child = state.child, !state.isOver, !state.isSilent,
                lj_now() - state.lastMessageAt > time
            else { return }
            state.isSilent = true
            child.kill()
        }
    }

    /// Starts the process, handles its messages until it exits and returns its results.
    func run(
        _ job: WorkerJob, _ program: ChildProcess.Program, _ monitor: LoadMonitor
    ) -> WorkerReport {
        guard let (socket, other) = LineSocket.pair() else {
            return failed("could not be started: no socket is available", monitor)
        }
        let started = ChildProcess.start(program, socket: other)
        close(other)
        switch started {
        case .failure(let error):
            return failed("could not be started: \(error.description.lowercased())", monitor)
        case .success(let child):
            socket.write(job)
            let waiting = state.withLock { state in
                (state.socket, state.child, state.lastMessageAt) = (socket, child, lj_now())
                return state.waiting
            }
            for order in waiting { socket.write(order) }
            return listen(socket, child, monitor)
        }
    }

    private func listen(
        _ socket: LineSocket, _ child: ChildProcess, _ monitor: LoadMonitor
    ) -> WorkerReport {
        var report: WorkerReport?
        var refusal: String?
        do {
            while let news = try socket.read(WorkerMessage.self) {
                state.withLock { $0.lastMessageAt = lj_now() }
                switch news {
                case .snapshot(let snapshot, let time):
                    monitor.note(snapshot, worker: number, at: time)
                case .second(let second, let number): monitor.note(second, number: number)
                case .evidence(let found): monitor.note(evidence: found, worker: number)
                case .isSetUp: monitor.noteSetUp(worker: number)
                case .failure(let why): monitor.abort(why)
                case .refusal(let why): refusal = why
                case .report(let found): report = found
                }
            }
        } catch {
            child.kill()
            refusal = "sent an invalid message"
        }
        let end = child.wait()
        if let report { return report }
        if monitor.isAborted { return WorkerReport() }
        let isSilent = state.withLock { $0.isSilent }
        return failed(refusal ?? (isSilent ? "stopped responding and was killed" : end), monitor)
    }

    /// Stops the load test, which would otherwise continue with fewer operators than requested, and
    /// returns a report that contains the reason.
    private func failed(_ why: String, _ monitor: LoadMonitor) -> WorkerReport {
        var report = WorkerReport()
        report.troubles = [
            "process \(number + 1) of \(count) \(why); its measurements are missing, "
                + "and the load test was stopped"
        ]
        monitor.stop()
        return report
    }
}
