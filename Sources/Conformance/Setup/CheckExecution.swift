package import Console
import LineProtocol
package import Results
package import Runner
import SessionTransport
package import Transport

/// A server's address and, if Linejudge started it, its process.
package struct CheckTarget: Sendable {
    package var endpoint: Endpoint
    var process: Int?
    /// The process and the command that started it, if another server can be started.
    private var started: (server: RunningServer, command: ServerCommand)?

    package init(_ endpoint: Endpoint, process: Int? = nil) {
        self.endpoint = endpoint
        self.process = process
    }

    package init(_ server: RunningServer, startedBy command: ServerCommand) {
        self.init(server.endpoint, process: server.processID)
        if command.canRunTwice { started = (server, command) }
    }

    /// Returns the server, if it can be replaced.
    func replaceable(_ executor: SocketExecutor) -> ReplaceableServer? {
        started.map { ReplaceableServer($0.server, startedBy: $0.command, executor) }
    }

    /// Observer of the server; nil if it is not on this machine.
    package var watch: (any ServerWatch)? {
        guard let port = endpoint.port, endpoint.isLoopback else { return nil }
        return LoopbackWatch(port: port, process: process)
    }
}

/// A receiver of progress events, which several tasks may send at the same time.
package protocol CheckObserver: Sendable {
    func take(_ event: CheckEvent)
    func take(_ progress: FuzzProgress)
    /// Called when all checks are about to run again.
    func beginAgain()
    /// Shows progress until the task is cancelled.
    func tick() async
}

/// One run of the checks, or of fuzzing, against one server.
package final class CheckExecution: Sendable {
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

    /// Runs the checks and adds their outcomes to the results.
    ///
    /// - Returns: The results, and the signal that ended the checks early, if any.
    package func run(
        _ begun: CheckResults, until interruptions: Interruptions,
        observedBy observer: any CheckObserver
    ) async throws -> (CheckResults, Int32?) {
        let begin = ContinuousClock.now
        var results = begun
        let survey = await Job.run(until: interruptions, helpers: []) {
            await self.socketExecutor()
        }
        if let signal = survey.signal {
            results.interruption = signal.interruption
            return (results, signal)
        }
        let (executor, outcome) = survey.value
        var options = setup.options(for: server)
        options.survey = outcome
        let replaceable = setup.fuzzing == nil ? target.replaceable(executor) : nil
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
            let runner =
                replaceable.map { CheckRunner(setup.subject, options, server: $0) }
                ?? CheckRunner(setup.subject, options, executor: executor, watch: target.watch)
            checks = {
                let results = await self.run(runner, observer)
                await replaceable?.stop()
                return results
            }
            commandTable = { runner.schema }
        }
        let done = await Job.run(
            until: interruptions, helpers: [{ await observer.tick() }], checks)
        results.checks = setup.surveyFindings + done.value
        results.commandTable = commandTable()
        results.duration = (ContinuousClock.now - begin).nanoseconds
        results.interruption = done.signal?.interruption
        results.replacements = replaceable?.number ?? 0
        return (results, done.signal)
    }

    /// Returns the executor for this server, and the outcome of the survey of its throttle; nil if
    /// there was no survey. If the server is on this machine and delays logins from
    /// one address, the executor connects from many addresses.
    private func socketExecutor() async -> (SocketExecutor, ThrottleOutcome?) {
        let plain = SocketExecutor(
            SessionDriver(security: server.security), at: target.endpoint)
        guard setup.fuzzing == nil, let sources = await LoopbackAddresses(to: target.endpoint)
        else { return (plain, nil) }
        let spread = SocketExecutor(
            SessionDriver(security: server.security, sources: sources), at: target.endpoint)
        for (index, executor) in [plain, spread].enumerated() {
            let judge = CaseJudge(subject: setup.subject, executor: executor)
            // Each survey has its own client names, because the server may not have freed those of
            // the previous one.
            let seed = setup.options.seed &+ UInt64(index + 1)
            let outcome = await ThrottleSurvey(judge: judge).outcome(seed)
            if case .unthrottled = outcome { return (executor, outcome) }
        }
        return (plain, .throttled)
    }

    /// Runs all checks, and repeats checks where a baseline requires it.
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
