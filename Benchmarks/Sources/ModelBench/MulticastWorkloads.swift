import ChatModel
import Measuring
import Synchronization

/// A queue drained by the benchmark itself, so that one thread does all the work.
private final class WorkQueue: Sendable {
    private let work = Mutex<[@Sendable () -> Void]>([])

    func submit(_ closure: @escaping @Sendable () -> Void) {
        work.withLock { $0.append(closure) }
    }

    func run() {
        while true {
            let waiting = work.withLock { work in
                defer { work = [] }
                return work
            }
            if waiting.isEmpty { return }
            for closure in waiting { closure() }
        }
    }
}

/// The reference for the multicast: a list of queues and functions with one closure per event and listener, like
/// a multicast delegate with dispatch queues.
private final class ClosureMulticast: Sendable {
    private let listeners = Mutex<[(WorkQueue, @Sendable (Int) -> Void)]>([])

    func add(on queue: WorkQueue, _ handler: @escaping @Sendable (Int) -> Void) {
        listeners.withLock { $0.append((queue, handler)) }
    }

    func broadcast(_ event: Int) {
        for (queue, handler) in listeners.withLock({ $0 }) { queue.submit { handler(event) } }
    }
}

/// Broadcasts bursts of events to listeners; one operation is the delivery of one event to one listener.
func multicastWorkloads(listeners: Int, burst: Int) -> [Workload] {
    let queue = WorkQueue()
    let sum = Mutex(0)
    let handler: @Sendable (Int) -> Void = { event in sum.withLock { $0 &+= event } }
    let plain = ClosureMulticast()
    let multicast = Multicast<Int> { print($0) }
    for number in 0..<listeners {
        plain.add(on: queue, handler)
        _ = try? multicast.add(
            Listener(named: "\(number)", on: .queue { queue.submit($0) }, handler: handler))
    }
    let name = "\(listeners) listeners, bursts of \(burst)"
    func workload(
        _ kind: String, _ reference: String, _ broadcast: @escaping (Int) -> Void
    ) -> Workload {
        Workload(name: "\(name): \(kind)", reference: reference) { passes in
            for pass in 0..<passes {
                for event in 0..<burst { broadcast(pass &+ event) }
                queue.run()
            }
            return passes * burst * listeners
        }
    }
    return [
        workload("closures", "") { plain.broadcast($0) },
        workload("multicast", "\(name): closures") { multicast.broadcast($0) },
    ]
}
