import Conformance
import Console
import Diagnostics
import FoundationEssentials
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
    /// Time to wait for servers that are not started here, in nanoseconds; nil for a single
    /// attempt.
    var wait: Int64?

    func run() async throws -> Ending {
        if let signal = try await checkReachable() { return signal.ending }
        warnOfProduction()
        guard setup.servers.count > 1 else {
            return try await serving(setup.servers[0]) { target, software in
                try await alone(setup.servers[0], target, software)
            }
        }
        return try await sideBySide()
    }

    /// Throws if a server that is not started here does not accept connections.
    ///
    /// - Returns: The signal that ended the wait for the server; nil if none did.
    private func checkReachable() async throws(CommandFailure) -> Int32? {
        let serverWait = ServerWait(limit: wait, interruptions: interruptions)
        for server in setup.servers where server.command == nil {
            guard let endpoint = server.endpoint else { continue }
            if let signal = try await serverWait.require(endpoint, "check.unreachable") {
                return signal
            }
        }
        return nil
    }

    /// Warns if a server is on another machine, where other people may be using it.
    private func warnOfProduction() {
        guard !display.quiet else { return }
        let remote = setup.servers.compactMap(\.endpoint).first { endpoint in
            endpoint.host != nil && !endpoint.isLoopback
        }
        guard let remote else { return }
        display.colours.show([
            Diagnostic(
                .warning, "check.production",
                "checks can wedge or crash a server: do not check \(remote.location) if it is in "
                    + "production")
        ])
    }

    /// Runs `body` while a server is listening. `body` receives its address, and its software if
    /// known.
    private func serving<Result: Sendable>(
        _ server: CheckServer,
        _ body: @escaping @Sendable (CheckTarget, String?) async throws -> Result
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
                        CheckTarget(running.endpoint, process: running.processID),
                        server.softwareText)
                }
            } catch let error as Diagnosed {
                throw CommandFailure(.unavailable, error)
            }
        }
        if let endpoint = server.endpoint {
            return try await body(CheckTarget(endpoint), server.softwareText)
        }
        return try await BuiltInServer.run(speaking: setup.dialect) { endpoint in
            try await body(CheckTarget(endpoint), "linejudge \(toolVersion)")
        }
    }

    // MARK: One server

    private func alone(
        _ server: CheckServer, _ target: CheckTarget, _ software: String?
    ) async throws -> Ending {
        let output = baseline.takesStandardOutput ? .error : reports.outputForPeople
        let style = display.colours.style(for: output)
        let summary = CheckSummary(style: style, showsAll: display.verbose)
        let begun = begun(server, target.endpoint, software)
        output.write(summary.heading(begun, count: setup.count))
        var (results, signal) = try await found(begun, server, target, output)
        if let (expected, name) = baseline.expected {
            results.compare(
                with: expected, named: name,
                catalogue: Set(Catalogue(setup.subject).entries.map(\.id)))
        }
        try CheckScenarioFiles(folder: display.out).write(&results, setup.subject)
        await hintAtProtocol(results, server, target.endpoint)
        let log = display.ci.log
        log.write(
            summary.parts(of: results, replay: server.replay(target.endpoint)), to: output)
        try write(CheckMatrix([CheckMatrix.Server(server.name, results)]), log, output)
        try baseline.write(results, server: server.command?.text)
        return ending(results.exitCode, isWhole: results.isWhole, signal)
    }

    /// Shows which protocol the server speaks, if no check passed.
    private func hintAtProtocol(
        _ results: CheckResults, _ server: CheckServer, _ endpoint: Endpoint
    ) async {
        guard results.count(.passed) == 0, !endpoint.isSecure, server.endpoint != nil,
            let found = await ProtocolProbe.identify(endpoint)
        else { return }
        let named = server.endpoint ?? endpoint
        display.colours.show([
            Diagnostic(.note, "check.other-protocol", found.hint(at: named))
        ])
    }

    private func write(_ matrix: CheckMatrix, _ log: CILog, _ output: Output) throws {
        try reports.write(matrix)
        if !reports.annotates {
            log.annotate(in: output) { GitHubReport.text(matrix, prefix: $0) }
        }
        try log.summarise { try CheckReportFormat.markdown.text(matrix) }
    }

    // MARK: Several servers

    /// Checks the servers one after another, so that they do not slow each other down.
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
        try write(matrix, display.ci.log, output)
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
        _ begun: CheckResults, _ server: CheckServer, _ target: CheckTarget, _ output: Output
    ) async throws -> (CheckResults, Int32?) {
        let progress = CheckProgress(
            total: setup.count, output: display.quiet ? nil : output,
            style: display.colours.style(for: output))
        let execution = CheckExecution(setup, server, target, baseline)
        let found = try await execution.run(begun, until: interruptions, observedBy: progress)
        progress.erase()
        return found
    }

    private func ending(
        _ code: Ending, isWhole: Bool, _ signal: Int32?
    ) -> Ending {
        if let signal { return signal.ending }
        // When behaviour is being recorded, it is not judged.
        if [.failed, .drift].contains(code), baseline.isWritten {
            return isWhole ? .ok : .inconclusive
        }
        return code
    }
}

/// Progress of checks: on a terminal a line that is updated, elsewhere a new line every ten
/// seconds.
final class CheckProgress: CheckObserver {
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
            case .finished(let result):
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
