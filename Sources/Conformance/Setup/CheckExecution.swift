package import Console
import LineProtocol
package import Results
import SessionTransport
package import Transport

/// A server's address, and its process if Linejudge started it.
package struct CheckTarget: Sendable {
    package var endpoint: Endpoint
    var process: Int?

    package init(_ endpoint: Endpoint, process: Int? = nil) {
        self.endpoint = endpoint
        self.process = process
    }

    /// Observer of the server if it is on this machine.
    package var watch: (any ServerWatch)? {
        guard let port = endpoint.port, endpoint.isLoopback else { return nil }
        return LoopbackWatch(port: port, session: process)
    }
}

/// Receiver of progress events, which come from several tasks.
package protocol CheckObserver: Sendable {
    func take(_ event: CheckEvent)
    func take(_ progress: FuzzProgress)
    /// All checks are about to run again.
    func beginAgain()
    /// Shows progress until the task is cancelled.
    func tick() async
}

/// Runs a setup's checks, or its fuzzing, against one server.
package struct CheckExecution: Sendable {
    private let setup: CheckSetup
    private let server: CheckServer
    private let target: CheckTarget
    private let baseline: BaselineFile

    package init(
        _ setup: CheckSetup, _ server: CheckServer, _ target: CheckTarget, _ baseline: BaselineFile
    ) {
        self.setup = setup
        self.server = server
        self.target = target
        self.baseline = baseline
    }

    /// Adds the outcomes of the checks to the results.
    ///
    /// - Returns: The results, and the signal that ended the checks early.
    package func run(
        _ begun: CheckResults, until interruptions: Interruptions,
        observedBy observer: any CheckObserver
    ) async throws -> (CheckResults, Int32?) {
        let begin = ContinuousClock.now
        var results = begun
        let executor = SocketExecutor(
            SessionDriver(security: server.security), at: target.endpoint)
        let options = setup.options(for: server)
        let checks: @Sendable () async -> [CheckResult]
        let commandTable: () -> SchemaReport
        if let fuzzing = setup.fuzzing {
            let fuzzer = Fuzzer(
                setup.subject, options, try fuzzing.options(), executor: executor,
                watch: target.watch)
            checks = {
                let (results, corpus) = await fuzzer.run { observer.take($0) }
                fuzzing.keep(corpus)
                return results
            }
            commandTable = { fuzzer.schema }
        } else {
            let runner = CheckRunner(
                setup.subject, options, executor: executor, watch: target.watch)
            checks = { await run(runner, observer) }
            commandTable = { runner.schema }
        }
        let found = await Job.run(
            until: interruptions, helpers: [{ await observer.tick() }], checks)
        results.checks = found.value
        results.commandTable = commandTable()
        results.duration = (ContinuousClock.now - begin).nanoseconds
        results.interruption = found.signal?.interruption
        return (results, found.signal)
    }

    /// Runs all checks, and repeats those that a baseline needs again.
    private func run(_ runner: CheckRunner, _ observer: any CheckObserver) async -> [CheckResult] {
        let results = await runner.run(setup.entries) { observer.take($0) }
        if baseline.isWritten, !Task.isCancelled {
            observer.beginAgain()
            return await runner.steadied(results, setup.entries) { observer.take($0) }
        }
        guard let expected = baseline.expected?.baseline, !Task.isCancelled else { return results }
        return await runner.confirmingDrift(of: results, from: expected, setup.entries) {
            if case .repeating = $0 { observer.take($0) }
        }
    }
}
