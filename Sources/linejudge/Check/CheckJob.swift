import Conformance
import Diagnostics
import Foundation
import Report
import Results
import Runner
import Synchronization
import SessionTransport
import Transport

/// Runs the checks against one or more servers, and writes the results.
struct CheckJob {
    let setup: CheckSetup
    let display: CheckOutputOptions
    let reports: ReportOutputs<CheckReportFormat>
    let baseline: BaselineFile
    let interruptions: Interruptions

    func run() async throws -> Ending {
        guard setup.servers.count > 1 else {
            return try await serving(setup.servers[0]) { target, software in
                try await alone(setup.servers[0], target, software)
            }
        }
        return try await sideBySide()
    }

    /// Runs `body` while a server listens, with its address, and its software if known.
    private func serving<Result: Sendable>(
        _ server: CheckServer,
        _ body: @escaping @Sendable (Target, String?) async throws -> Result
    ) async throws -> Result {
        if var command = server.command {
            command.endpoint = command.endpoint ?? server.endpoint
            let isOne = setup.servers.count == 1
            let files = CheckScenarioFiles(folder: display.out, of: isOne ? nil : server.name)
            try files.prepareLog()
            command.logPath = files.serverLog
            do {
                return try await ServerUnderTest.run(command) { running in
                    try await body(
                        Target(running.endpoint, process: running.processID), server.softwareText)
                }
            } catch let error as Diagnosed {
                throw CommandFailure(.unavailable, error)
            }
        }
        if let endpoint = server.endpoint {
            return try await body(Target(endpoint), server.softwareText)
        }
        return try await BuiltInServer.run(speaking: setup.dialect) { endpoint in
            try await body(Target(endpoint), "linejudge \(toolVersion)")
        }
    }

    /// Address of a server, and its process if Linejudge started it.
    private struct Target: Sendable {
        var endpoint: Endpoint
        var process: Int?

        init(_ endpoint: Endpoint, process: Int? = nil) {
            self.endpoint = endpoint
            self.process = process
        }

        /// Watch for a server on this machine.
        var watch: (any ServerWatch)? {
            guard case .host(let host, let port?) = endpoint.address,
                ["127.0.0.1", "::1", "localhost"].contains(host)
            else { return nil }
            return LoopbackWatch(port: port, session: process)
        }
    }

    /// Number of checks; fuzzing counts as one.
    private var count: Int { setup.fuzzing == nil ? Catalogue.count(setup.entries) : 1 }

    // MARK: One server

    private func alone(
        _ server: CheckServer, _ target: Target, _ software: String?
    ) async throws -> Ending {
        let output = baseline.takesStandardOutput ? .error : reports.outputForPeople
        let style = display.colours.style(for: output)
        let summary = CheckSummary(style: style, showsAll: display.verbose)
        let begun = begun(server, target.endpoint, software)
        output.write(summary.heading(begun, count: count))
        var (results, signal) = try await found(begun, server, target, output)
        if let (expected, name) = baseline.expected {
            results.compare(
                with: expected, named: name,
                catalogue: Set(Catalogue(setup.subject).entries.map(\.id)))
        }
        try CheckScenarioFiles(folder: display.out).write(&results, setup.subject)
        output.write(summary.text(results, replay: server.replay(target.endpoint)))
        try reports.write(CheckMatrix([CheckMatrix.Server(server.name, results)]))
        try baseline.write(results, server: server.command?.text)
        return ending(results.exitCode, isWhole: results.isWhole, signal)
    }

    // MARK: Several servers

    /// Checks servers one after another, so that none slows down another.
    private func sideBySide() async throws -> Ending {
        let output = reports.outputForPeople
        let style = display.colours.style(for: output)
        let summary = CheckMatrixSummary(style: style, showsAll: display.verbose)
        var found: [CheckMatrix.Server] = []
        var replays: [String] = []
        var signal: Int32?
        for (index, server) in setup.servers.enumerated() where signal == nil {
            output.write(
                summary.heading(server.name, index + 1, of: setup.servers.count))
            let (results, replay, end) = try await serving(server) { target, software in
                let begun = begun(server, target.endpoint, software)
                var (results, signal) = try await self.found(begun, server, target, output)
                try CheckScenarioFiles(folder: display.out, of: server.name).write(
                    &results, setup.subject)
                return (results, server.replay(target.endpoint), signal)
            }
            found.append(CheckMatrix.Server(server.name, results))
            replays.append(replay)
            signal = end
        }
        let matrix = CheckMatrix(found)
        output.write(summary.text(matrix, replays: replays))
        try reports.write(matrix)
        return ending(matrix.exitCode, isWhole: false, signal)
    }

    // MARK: Results

    private func begun(
        _ server: CheckServer, _ endpoint: Endpoint, _ software: String?
    ) -> CheckResults {
        CheckResults(
            toolVersion: toolVersion, seed: setup.options.seed, dialect: setup.subject.name,
            endpoint: endpoint.description, software: software,
            startedAt: Int64(Date().timeIntervalSince1970), isStrict: setup.isStrict)
    }

    private func found(
        _ begun: CheckResults, _ server: CheckServer, _ target: Target, _ output: Output
    ) async throws -> (CheckResults, Int32?) {
        let clock = ContinuousClock()
        let begin = clock.now
        var results = begun
        let executor = SocketExecutor(
            SessionDriver(security: server.security), at: target.endpoint)
        let options = setup.options(for: server)
        let signal: Int32?
        if let fuzzing = setup.fuzzing {
            let fuzzer = Fuzzer(
                setup.subject, options, try fuzzing.options(), executor: executor,
                watch: target.watch)
            (results.checks, signal) = await checks(output) { progress in
                let (results, corpus) = await fuzzer.run { progress.take($0) }
                fuzzing.keep(corpus)
                return results
            }
            results.commandTable = fuzzer.schema
        } else {
            let runner = CheckRunner(
                setup.subject, options, executor: executor, watch: target.watch)
            (results.checks, signal) = await checks(output) { await runChecks(with: runner, $0) }
            results.commandTable = runner.schema
        }
        let (seconds, rest) = (clock.now - begin).components
        results.duration = seconds * 1_000_000_000 + rest / 1_000_000_000
        results.interruption = signal?.interruption
        return (results, signal)
    }

    private func ending(
        _ code: Ending, isWhole: Bool, _ signal: Int32?
    ) -> Ending {
        if let signal { return signal.ending }
        // Behaviour that is recorded is not judged.
        if [.failed, .drift].contains(code), baseline.isWritten {
            return isWhole ? .ok : .inconclusive
        }
        return code
    }

    private func checks(
        _ output: Output, _ run: @escaping @Sendable (CheckProgress) async -> [CheckResult]
    ) async -> ([CheckResult], Int32?) {
        let progress = CheckProgress(
            total: count, output: display.quiet ? nil : output,
            style: display.colours.style(for: output))
        let found = await Job.run(
            until: interruptions, helpers: [{ await progress.tick() }]
        ) { await run(progress) }
        progress.erase()
        return (found.value, found.signal)
    }
}

extension CheckJob {
    /// Runs all checks, and repeats those that a baseline needs.
    private func runChecks(with runner: CheckRunner, _ progress: CheckProgress) async
        -> [CheckResult]
    {
        let results = await runner.run(setup.entries) { progress.take($0) }
        if baseline.isWritten, !Task.isCancelled {
            progress.beginAgain()
            return await runner.steadied(results, setup.entries) { progress.take($0) }
        }
        guard let expected = baseline.expected?.baseline, !Task.isCancelled else { return results }
        return await runner.confirmingDrift(of: results, from: expected, setup.entries) {
            if case .repeating = $0 { progress.take($0) }
        }
    }
}

extension Catalogue {
    /// The number of applicable checks.
    static func count(_ entries: [CatalogueEntry]) -> Int {
        entries.count { entry in
            if case .check = entry { true } else { false }
        }
    }
}

/// Progress of checks: a line that is updated on a terminal, or a line every ten seconds elsewhere.
final class CheckProgress: Sendable {
    private struct State {
        var done = 0
        var bad = 0
        var current = ""
        var isShown = false
        var plainLineCount: Int64 = 0
        var fuzz: FuzzProgress?
    }

    private let total: Int
    private let output: Output?
    private let style: Style
    private let begin = ContinuousClock.now
    private let state = Mutex(State())

    init(total: Int, output: Output?, style: Style) {
        self.total = total
        self.output = output
        self.style = style
    }

    func take(_ event: CheckEvent) {
        state.withLock { state in
            switch event {
            case .began(let id): state.current = "\(id)"
            case .played(let result):
                state.done += 1
                if result.verdict == .failed { state.bad += 1 }
            case .repeating(let id): state.current = "repeating \(id)"
            }
        }
    }

    /// Restarts the count, because all checks run again.
    func beginAgain() {
        state.withLock { state in
            state.done = 0
            state.bad = 0
        }
    }

    func take(_ progress: FuzzProgress) {
        state.withLock { $0.fuzz = progress }
    }

    private static func text(_ fuzz: FuzzProgress) -> String {
        "\(fuzz.trials) inputs, \(fuzz.shapes) distinct answers, \(fuzz.kept) kept"
            + (fuzz.suspicions == 0 ? "" : ", \(fuzz.suspicions) suspicious")
    }

    func tick() async {
        while (try? await Task.sleep(for: .milliseconds(200))) != nil { draw() }
    }

    func erase() {
        state.withLock { state in
            if state.isShown { output?.write(ProgressText.erase) }
            state.isShown = false
        }
    }

    private func draw() {
        guard let output else { return }
        let seconds = (ContinuousClock.now - begin).components.seconds
        state.withLock { state in
            let bad = state.bad == 0 ? "" : ", \(state.bad) failed"
            let text =
                state.fuzz.map { "  \(Self.text($0)), \(seconds) s" }
                ?? "  \(state.done) of \(total)\(bad), \(seconds) s: \(state.current)"
            if let columns = output.columns {
                state.isShown = true
                let shown = ColumnText.cutEnd(escapedForDisplay(text), to: columns - 1)
                output.write(ProgressText.erase + style(shown, .dim))
            } else if seconds / 10 > state.plainLineCount {
                state.plainLineCount = seconds / 10
                Output.error.write("...\(text)\n")
            }
        }
    }
}
