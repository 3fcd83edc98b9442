/// Where a listener is told: a place that takes work and carries it out later.
///
/// The work that is given to it is a listener's turn: it tells a bounded number of events and comes back.
/// An executor that runs several pieces of work at once is fine: a listener is never told two at a time.
public struct ListenerExecutor: Sendable {
    /// Takes the work and returns without waiting for it.
    package let submit: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Whatever takes closures: a queue, an event loop, a thread of one's own.
    ///
    /// A `submit` that runs its closure at once makes the listener a part of every broadcast.
    public static func queue(
        _ submit: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) -> Void
    ) -> ListenerExecutor {
        ListenerExecutor(submit: submit)
    }

    /// The executor of an actor, such as `MainActor.shared`.
    public static func actor(_ actor: any Actor) -> ListenerExecutor {
        ListenerExecutor { work in
            Task { await run(work, in: actor) }
        }
    }

    /// A serial executor, by an actor that lives on it.
    public static func serial(_ executor: any SerialExecutor) -> ListenerExecutor {
        .actor(Perch(executor))
    }

    /// An executor that tasks prefer.
    public static func task(_ executor: any TaskExecutor) -> ListenerExecutor {
        ListenerExecutor { work in
            Task(executorPreference: executor) { work() }
        }
    }

    /// The pool that tasks run on anyway.
    public static let pool = ListenerExecutor { work in
        Task { work() }
    }
}

/// Carries out the work on the actor.
private func run(_ work: @Sendable () -> Void, in actor: isolated any Actor) {
    work()
}

/// An actor that is nothing but a place on a serial executor.
private actor Perch {
    private let executor: any SerialExecutor

    init(_ executor: any SerialExecutor) {
        self.executor = executor
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }
}
