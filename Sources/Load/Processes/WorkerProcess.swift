import CEpoll
import Foundation
import Glibc

/// A process that makes a part of a load for another one, which it talks to over its standard input and output.
package final class WorkerProcess: Sendable {
    /// Between two words about how it goes.
    static let newsInterval = Duration.milliseconds(200)
    /// The same, while others may wait for its operators.
    static let setUpInterval = Duration.milliseconds(20)

    private let socket: LineSocket

    /// The socket that this process was given as standard input.
    package init() { socket = LineSocket(dup(STDIN_FILENO)) }

    /// What is to be done; nil if nobody says it.
    package func job() -> WorkerJob? { (try? socket.read(WorkerJob.self)) ?? nil }

    /// It cannot be done.
    package func refuse(_ why: String) { socket.write(WorkerNews.refusal(why)) }

    /// Plays the part and tells of it until it is over.
    package func play(_ fleet: Fleet, _ watch: LoadMonitor) async {
        Thread.detachNewThread { [self] in obey(watch) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in await tell(watch) }
            let report = await fleet.run(watch)
            group.cancelAll()
            await group.waitForAll()
            if let failure = watch.failure { socket.write(WorkerNews.failure(failure)) }
            socket.write(WorkerNews.report(report))
        }
    }

    /// Does what it is told. Once nobody is there to tell it anything, nothing is worth going on for.
    private func obey(_ watch: LoadMonitor) {
        while let order = try? socket.read(WorkerOrder.self) { Self.obey(order, watch) }
        watch.abort("the process that asked for it has gone")
    }

    static func obey(_ order: WorkerOrder, _ watch: LoadMonitor) {
        switch order {
        case .start(let time): watch.start = time
        case .rate(let change): watch.changeRate(change)
        case .stop: watch.stop()
        }
    }

    /// Tells how it goes until the task is cancelled, and the rest then.
    private func tell(_ watch: LoadMonitor) async {
        var told = Set<Int>()
        var hasToldSetUp = false
        while true {
            let isLast = Task.isCancelled
            socket.write(WorkerNews.moment(watch.moment, time: lj_now()))
            for (number, second) in watch.completeSeconds(except: told, isLast: isLast) {
                told.insert(number)
                socket.write(WorkerNews.second(second, number: number))
            }
            if !hasToldSetUp, watch.isSetUp {
                hasToldSetUp = true
                socket.write(WorkerNews.isSetUp)
            }
            if let failure = watch.failure { socket.write(WorkerNews.failure(failure)) }
            if isLast { return }
            try? await Task.sleep(for: hasToldSetUp ? Self.newsInterval : Self.setUpInterval)
        }
    }
}
