import CEpoll
import Foundation
import Synchronization

/// A load that several processes of this program make: each has its share of the rooms and of the arrivals, all
/// begin at the same time of the clock that they share, and what they find out adds as that of threads does.
package struct ProcessFleet: Sendable {
    /// The most processes.
    package static let processesMax = 64
    /// A process that says nothing for so long, in nanoseconds, is taken for dead: each says something five times
    /// a second.
    static let silenceMax: Int64 = 30_000_000_000

    private let job: WorkerJob
    private let share: LoadShare
    private let processes: Int
    private let release: FleetRelease
    private let program: ChildProcess.Program
    private let silenceMax: Int64

    /// A load in so many processes, each of which runs `arguments` of the program at `path`.
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

    /// Plays the load and says what was found out.
    package func run(_ watch: LoadMonitor) async -> OperatorPool.Report {
        let ends = (0..<processes).map { WorkerEnd(number: $0, of: processes) }
        return await withTaskGroup(of: OperatorPool.Report.self) { group in
            for end in ends { group.addTask { await play(end, watch) } }
            group.addTask {
                await begin(ends, watch)
                return OperatorPool.Report()
            }
            group.addTask {
                await look(after: ends, watch)
                return OperatorPool.Report()
            }
            var report = OperatorPool.Report()
            for await part in group { report.merge(part) }
            return report
        }
    }

    /// Has a process do its part, and listens to it.
    private func play(_ end: WorkerEnd, _ watch: LoadMonitor) async -> OperatorPool.Report {
        await onThread("process-\(end.number)") {
            var job = job
            job.share = share.part(end.number, of: processes)
            defer { end.isOver = true }
            return end.play(job, program, watch)
        }
    }

    /// Tells all processes when the load begins.
    private func begin(_ ends: [WorkerEnd], _ watch: LoadMonitor) async {
        await Fleet.release(watch, release == .byOthers ? .ready : release)
        if !watch.isStopped, !watch.isAborted { for end in ends { end.tell(.start(watch.start)) } }
    }

    /// Tells all processes of changes of the rate and when the load ends, and looks whether they live, until the last
    /// one is over.
    private func look(after ends: [WorkerEnd], _ watch: LoadMonitor) async {
        var hasStopped = false
        var changesTold = 0
        while !ends.allSatisfy(\.isOver) {
            if watch.isAborted { for end in ends { end.abandon() } }
            for change in watch.rateChanges.dropFirst(changesTold) {
                changesTold += 1
                for end in ends { end.tell(.rate(change)) }
            }
            if watch.isStopped, !hasStopped {
                hasStopped = true
                for end in ends { end.tell(.stop) }
            }
            for end in ends { end.killIfSilent(for: silenceMax) }
            try? await Task.sleep(for: Fleet.lookInterval)
        }
    }
}

/// The first process's end of one of the others.
private final class WorkerEnd: Sendable {
    let number: Int
    private let count: Int

    private struct State {
        var socket: LineSocket?
        var child: ChildProcess?
        var heardAt: Int64 = 0
        var isSilent = false
        var isOver = false
        /// What was to be told before there was somebody to tell it to.
        var waiting: [WorkerOrder] = []
    }

    private let state = Mutex(State())

    init(number: Int, of count: Int) {
        self.number = number
        self.count = count
    }

    /// Whether the process has ended.
    var isOver: Bool {
        get { state.withLock { $0.isOver } }
        set { state.withLock { $0.isOver = newValue } }
    }

    func tell(_ order: WorkerOrder) {
        let socket = state.withLock { state in
            if state.socket == nil { state.waiting.append(order) }
            return state.socket
        }
        socket?.write(order)
    }

    /// The process ends when it hears no more of us.
    func abandon() { state.withLock(\.socket)?.finish() }

    func killIfSilent(for time: Int64) {
        state.withLock { state in
            guard let child = state.child, !state.isOver, !state.isSilent,
                lj_now() - state.heardAt > time
            else { return }
            state.isSilent = true
            child.kill()
        }
    }

    /// Starts the process, listens to it until it ends, and says what it found out.
    func play(
        _ job: WorkerJob, _ program: ChildProcess.Program, _ watch: LoadMonitor
    ) -> OperatorPool.Report {
        guard let (socket, other) = LineSocket.pair() else {
            return failed("has no socket", watch)
        }
        let started = ChildProcess.start(program, socket: other)
        close(other)
        switch started {
        case .failure(let error): return failed("cannot be started: \(error)", watch)
        case .success(let child):
            socket.write(job)
            let waiting = state.withLock { state in
                (state.socket, state.child, state.heardAt) = (socket, child, lj_now())
                return state.waiting
            }
            for order in waiting { socket.write(order) }
            return listen(socket, child, watch)
        }
    }

    private func listen(
        _ socket: LineSocket, _ child: ChildProcess, _ watch: LoadMonitor
    ) -> OperatorPool.Report {
        var report: OperatorPool.Report?
        var refusal: String?
        do {
            while let news = try socket.read(WorkerNews.self) {
                state.withLock { $0.heardAt = lj_now() }
                switch news {
                case .moment(let moment, let time): watch.note(moment, worker: number, at: time)
                case .second(let second, let number): watch.note(second, number: number)
                case .isSetUp: watch.noteSetUp(worker: number)
                case .failure(let why): watch.abort(why)
                case .refusal(let why): refusal = why
                case .report(let found): report = found
                }
            }
        } catch {
            child.kill()
            refusal = "says what nobody understands"
        }
        let end = child.wait()
        if let report { return report }
        if watch.isAborted { return OperatorPool.Report() }
        let isSilent = state.withLock { $0.isSilent }
        return failed(refusal ?? (isSilent ? "said nothing more and was ended" : end), watch)
    }

    /// The rest of the load would be that of fewer operators than were asked for: it ends, and the report says
    /// why.
    private func failed(_ why: String, _ watch: LoadMonitor) -> OperatorPool.Report {
        var report = OperatorPool.Report()
        report.troubles = [
            "process \(number + 1) of \(count) \(why): what it measured is missing, and the load ended with it"
        ]
        watch.stop()
        return report
    }
}
