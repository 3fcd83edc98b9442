import Results
import Runner
package import Session
package import SessionTransport
import Synchronization
import Transport

/// A server that is replaced with a new one when it stops serving clients, so that checks do not
/// fail because of earlier ones.
package final class ReplaceableServer: CaseExecutor, ServerWatch {
    /// Maximum number of replacements.
    private static let replacementsMax = 20

    private struct Instance {
        var server: RunningServer
        var executor: any CaseExecutor
        var watch: (any ServerWatch)?
        /// Number of cases that are running.
        var cases = 0
        /// The task that runs the server; nil for the first one, which its owner stops.
        var task: Task<Void, Never>?
        /// Asks the server to end.
        var end: @Sendable () -> Void
    }

    private struct State {
        /// All servers, in order. The last one is in use.
        var servers: [Instance]
        var replacement: Task<Void, Never>?

        mutating func beginCase() -> (number: Int, instance: Instance) {
            let number = servers.count - 1
            servers[number].cases += 1
            return (number, servers[number])
        }

        mutating func endCase(on number: Int) {
            servers[number].cases -= 1
            endUnused(number)
        }

        /// Ends a server that has been replaced, unless cases still run on it.
        func endUnused(_ number: Int) {
            guard number < servers.count - 1, servers[number].cases == 0 else { return }
            servers[number].end()
        }
    }

    private let command: ServerCommand
    private let executor: SocketExecutor
    /// Starts a new server for each case.
    let newServers: LimitedExecutor
    private let state: Mutex<State>

    /// - Parameters:
    ///   - server: The server to use first.
    ///   - command: The command that started it.
    ///   - executor: Executor for the first server.
    init(
        _ server: RunningServer, startedBy command: ServerCommand, _ executor: SocketExecutor
    ) {
        self.command = command
        self.executor = executor
        newServers = LimitedExecutor(
            NewServerExecutor(command: command, executor: executor),
            casesMax: NewServerExecutor.serversMax)
        let first = Self.instance(server, executor, task: nil) { server.terminate() }
        state = Mutex(State(servers: [first]))
    }

    private static func instance(
        _ server: RunningServer, _ executor: SocketExecutor, task: Task<Void, Never>?,
        end: @escaping @Sendable () -> Void
    ) -> Instance {
        Instance(
            server: server, executor: executor.at(server.endpoint), watch: server.watch,
            task: task, end: end)
    }

    /// Number of the server in use, which is the number of replacements so far.
    package var number: Int { state.withLock(\.servers.count) - 1 }

    package func run(_ program: Program, options: ExecutionOptions) async -> SessionOutcome {
        let (number, instance) = state.withLock { $0.beginCase() }
        defer { state.withLock { $0.endCase(on: number) } }
        return await instance.executor.run(program, options: options)
            .noting(endOf: instance.server)
    }

    package func look() -> ServerState? { state.withLock { $0.servers.last?.watch }?.look() }

    /// Replaces the server with this number, unless it has been replaced already.
    func replace(_ number: Int) async {
        let task: Task<Void, Never>? = state.withLock { state in
            guard state.servers.count - 1 == number, number < Self.replacementsMax else {
                return nil
            }
            if state.replacement == nil { state.replacement = Task { await self.start() } }
            return state.replacement
        }
        await task?.value
    }

    /// Starts a server and uses it from now on. If it does not start, the former one stays in use.
    private func start() async {
        let command = command
        let (started, starting) = AsyncStream.makeStream(of: RunningServer.self)
        let task = Task {
            defer { starting.finish() }
            try? await ServerUnderTest.run(command) { server in
                starting.yield(server)
                try await Task.sleep(for: .seconds(Int32.max))
            }
        }
        let server = await started.first { _ in true }
        state.withLock { state in
            state.replacement = nil
            guard let server else { return }
            state.servers.append(
                Self.instance(server, executor, task: task) { task.cancel() })
            state.endUnused(state.servers.count - 2)
        }
    }

    /// Stops all servers that replaced the first one.
    func stop() async {
        await state.withLock(\.replacement)?.value
        let tasks = state.withLock { $0.servers.compactMap(\.task) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}

/// An executor that starts a new server for each case.
struct NewServerExecutor: CaseExecutor {
    /// Maximum number of servers to run at the same time.
    static let serversMax = 4

    let command: ServerCommand
    let executor: SocketExecutor

    func run(_ program: Program, options: ExecutionOptions) async -> SessionOutcome {
        await onNewServer { executor, _ in (await executor.run(program, options: options), nil) }.0
    }

    /// Runs a program and observes the new server meanwhile.
    func run(
        _ program: Program, options: ExecutionOptions, observing observation: Observation
    ) async -> (SessionOutcome, ServerMeasure?) {
        await onNewServer { executor, watch in
            await executor.run(
                program, options: options,
                observing: Observation(watch: watch, settles: observation.settles))
        }
    }

    private func onNewServer(
        _ body:
            @escaping @Sendable (SocketExecutor, (any ServerWatch)?) async -> (
                SessionOutcome, ServerMeasure?
            )
    ) async -> (SessionOutcome, ServerMeasure?) {
        let result = try? await ServerUnderTest.run(command) { server in
            let (outcome, measure) = await body(executor.at(server.endpoint), server.watch)
            return (await outcome.noting(endOf: server), measure)
        }
        let notStarted = SessionOutcome(
            result: ScenarioOutcome(outcome: .inconclusive),
            connectFailure: "the server did not start")
        return result ?? (notStarted, nil)
    }
}

extension RunningServer {
    /// An observer of this server; nil if it has no port.
    fileprivate var watch: (any ServerWatch)? {
        endpoint.port.map { LoopbackWatch(port: $0, process: processID) }
    }
}

extension SessionOutcome {
    /// How long a server whose connections have been closed may take to end, in nanoseconds.
    private static let endMax: Int64 = 50_000_000

    /// Returns the outcome with a note if the server has ended.
    fileprivate func noting(endOf server: RunningServer) async -> SessionOutcome {
        let sawClose = result.transcript.contains {
            $0.kind == .closedByPeer || $0.kind == .resetByPeer
        }
        guard sawClose else { return self }
        if result.outcome == .failed { await server.waitForEnd(Self.endMax) }
        guard let end = server.earlyEnd else { return self }
        var outcome = self
        outcome.notes.append("the server \(end)")
        return outcome
    }
}
