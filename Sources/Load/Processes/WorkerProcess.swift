import CEpoll
import Console
import Glibc

/// The child process's side of a load test with several processes. It communicates with its parent
/// over standard input and output.
package final class WorkerProcess: Sendable {
    /// Interval between reports.
    static let newsInterval = Duration.milliseconds(200)
    /// Interval between reports during setup, when other processes may be waiting for this one.
    static let setUpInterval = Duration.milliseconds(20)

    private let socket: LineSocket

    /// Uses the socket at this process's standard input.
    package init() { socket = LineSocket(dup(STDIN_FILENO)) }

    /// Reads the job from the parent; nil if the parent sent none.
    package func job() -> WorkerJob? { (try? socket.read(WorkerJob.self)) ?? nil }

    /// Reports to the parent that the job is invalid.
    package func refuse(_ why: String) { socket.write(WorkerMessage.refusal(why)) }

    /// Runs the load test and sends progress reports until it is over.
    package func run(_ fleet: Fleet, _ monitor: LoadMonitor) async {
        startThread("orders") { [self] in obey(monitor) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in await reportProgress(monitor) }
            let report = await fleet.run(monitor)
            group.cancelAll()
            await group.waitForAll()
            if let failure = monitor.failure { socket.write(WorkerMessage.failure(failure)) }
            socket.write(WorkerMessage.report(report))
        }
    }

    /// Carries out the parent's orders, and aborts the load test if the parent is gone.
    private func obey(_ monitor: LoadMonitor) {
        while let order = try? socket.read(WorkerOrder.self) { Self.obey(order, monitor) }
        monitor.abort("the parent process has exited")
    }

    static func obey(_ order: WorkerOrder, _ monitor: LoadMonitor) {
        switch order {
        case .start(let time): monitor.start = time
        case .rate(let change): monitor.changeRate(change)
        case .stop: monitor.stop()
        }
    }

    /// Reports progress until the task is cancelled, then reports everything that remains.
    private func reportProgress(_ monitor: LoadMonitor) async {
        var reported = Set<Int>()
        var hasReportedSetUp = false
        var evidence = 0
        while true {
            let isLast = Task.isCancelled
            socket.write(WorkerMessage.snapshot(monitor.snapshot, time: lj_now()))
            for (number, second) in monitor.completeSeconds(except: reported, isLast: isLast) {
                reported.insert(number)
                socket.write(WorkerMessage.second(second, number: number))
            }
            if let found = monitor.evidence(beyond: evidence) {
                evidence = found.count
                socket.write(WorkerMessage.evidence(found))
            }
            if !hasReportedSetUp, monitor.isSetUp {
                hasReportedSetUp = true
                socket.write(WorkerMessage.isSetUp)
            }
            if let failure = monitor.failure { socket.write(WorkerMessage.failure(failure)) }
            if isLast { return }
            try? await Task.sleep(for: hasReportedSetUp ? Self.newsInterval : Self.setUpInterval)
        }
    }
}
