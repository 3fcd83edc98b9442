import ChatModel
import Synchronization

/// A queue, serial executor and task executor that runs work only when the test says so.
final class StepQueue: SerialExecutor, TaskExecutor {
    private let work = Mutex<[@Sendable () -> Void]>([])

    var listenerExecutor: ListenerExecutor { .queue { [self] in submit($0) } }

    var waitingCount: Int { work.withLock { $0.count } }

    func submit(_ closure: @escaping @Sendable () -> Void) {
        work.withLock { $0.append(closure) }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        submit { [self] in
            unsafe job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Runs all queued work, including work it causes. Returns the number of pieces run.
    @discardableResult
    func run() -> Int {
        var count = 0
        while let next = work.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            next()
            count += 1
        }
        return count
    }
}

/// The events that listeners received, in order.
final class ReceivedEvents<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    let stream: AsyncStream<Element>
    private let continuation: AsyncStream<Element>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func note(_ element: Element) {
        elements.withLock { $0.append(element) }
        continuation.yield(element)
    }

    var all: [Element] { elements.withLock { $0 } }

    /// Waits for `count` events and returns them.
    func first(_ count: Int) async -> [Element] {
        var taken: [Element] = []
        for await element in stream {
            taken.append(element)
            if taken.count == count { break }
        }
        return taken
    }
}

/// A serial executor and task executor that runs each piece of work as a task on the pool.
final class OwnExecutor: SerialExecutor, TaskExecutor {
    private let state = Mutex<(isRunning: Bool, jobs: [UnownedJob])>((false, []))

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let starts = state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { Task { run() } }
    }

    private func run() {
        while let job = next() {
            unsafe job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }

    private func next() -> UnownedJob? {
        state.withLock { state in
            guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
            state.isRunning = false
            return nil
        }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }
}

@globalActor actor TestActor {
    static let shared = TestActor()
}
