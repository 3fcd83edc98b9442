/// Executor that accepts work for listeners and runs it later.
///
/// Each piece of work delivers a limited number of events to one listener. The executor may run
/// several pieces of work concurrently; a listener still receives one event at a time.
public struct ListenerExecutor: Sendable {
    /// Submits work and returns without waiting for it.
    package let submit: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Returns an executor that passes work to a closure, for example to use a dispatch queue, an
    /// event loop or a thread.
    ///
    /// - Parameter submit: must run each closure that it receives exactly once. If it runs the
    ///   closure before returning, every broadcast waits for the listener.
    public static func queue(
        _ submit: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void
    ) -> ListenerExecutor {
        ListenerExecutor(submit: submit)
    }

    /// Returns the executor of an actor, such as `MainActor.shared`.
    public static func actor(_ actor: any Actor) -> ListenerExecutor {
        ListenerExecutor { work in
            Task { await run(work, in: actor) }
        }
    }

    /// Returns an executor that runs work on a serial executor.
    public static func serial(_ executor: any SerialExecutor) -> ListenerExecutor {
        .actor(ExecutorActor(executor))
    }

    /// Returns an executor that runs each piece of work as a task with `executor` as its preferred
    /// executor.
    public static func task(_ executor: any TaskExecutor) -> ListenerExecutor {
        ListenerExecutor { work in
            Task(executorPreference: executor) { work() }
        }
    }

    /// An executor that uses the default thread pool of tasks.
    public static let pool = ListenerExecutor { work in
        Task { work() }
    }
}

private func run(_ work: @Sendable () -> Void, in actor: isolated any Actor) {
    work()
}

/// An actor that provides only the isolation of a serial executor.
private actor ExecutorActor {
    private let executor: any SerialExecutor

    init(_ executor: any SerialExecutor) {
        self.executor = executor
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }
}
