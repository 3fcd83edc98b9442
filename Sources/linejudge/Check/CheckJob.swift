import Conformance
import Console
import Diagnostics
import FoundationEssentials
import Report
import Results
import Runner
import SessionTransport
import Transport

/// A job that runs checks against one or more servers and writes the results.
struct CheckJob {
    var setup: CheckSetup
    let display: CheckOutputOptions
    let reports: ReportOutputs<CheckReportFormat>
    let baseline: BaselineFile
    let interruptions: Interruptions
    /// How long to wait for servers not started by this command, in nanoseconds; nil to try only
    /// once.
    var wait: Int64?
    /// The signal received before any check ran; nil if there was none.
    private var signal: Int32?

    init(
        setup: CheckSetup, display: CheckOutputOptions,
        reports: ReportOutputs<CheckReportFormat>, baseline: BaselineFile,
        interruptions: Interruptions, wait: Int64?
    ) {
        self.setup = setup
        self.display = display
        self.reports = reports
        self.baseline = baseline
        self.interruptions = interruptions
        self.wait = wait
    }

    func run() async throws -> Ending {
        if let signal = try await checkReachable() { return signal.ending }
        warnOfProduction()
        guard setup.servers.count > 1 else {
            return try await serving(setup.servers[0]) { target, software in
                return try await surveyed(setup.servers[0], target)
                    .alone(setup.servers[0], target, software)
            }
        }
        return try await sideBySide()
    }

    /// Throws an error if a server not started by this command does not accept connections.
    ///
    /// - Returns: The signal that ended the wait; nil if none did.
    private func checkReachable() async throws(CommandFailure) -> Int32? {
        for server in setup.servers where server.command == nil {
            guard let endpoint = server.endpoint else { continue }
            let serverWait = ServerWait(
                limit: wait, interruptions: interruptions, security: server.security)
            if let signal = try await serverWait.require(endpoint, "check.unreachable") {
                return signal
            }
        }
        return nil
    }

    /// Warns if a server is on another machine, where it may have other users.
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

    /// Runs `body` while the server is running. `body` receives the server's address and, if known,
    /// its software.
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

    /// Surveys the server and returns the job adapted to it.
    ///
    /// - Throws: A failure if the server does not respond at all.
    private func surveyed(
        _ server: CheckServer, _ target: CheckTarget
    ) async throws(CommandFailure) -> CheckJob {
        if setup.fuzzing != nil { return self }
        var job = self
        let found = await Job.run(until: interruptions, helpers: []) {
            await setup.surveyed(server, at: target)
        }
        job.signal = found.signal
        job.setup = found.value.setup
        guard let silence = found.value.silence, found.signal == nil else { return job }
        let protocolHint =
            target.endpoint.needsHandshake
            ? nil : await ProtocolProbe.identify(target.endpoint)?.hint(at: target.endpoint)
        throw CommandFailure(
            .unavailable, "check.silent-server",
            "\(target.endpoint.description) accepts connections but sends nothing within "
                + "\(durationText(silence)) of a login",
            help: protocolHint
                ?? "does it speak the `\(setup.subject.name)` dialect, and is it working?")
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
        var (results, signal) = try await found(
            begun, server, target, output, CheckScenarioFiles(folder: display.out))
        if let (expected, name) = baseline.expected {
            results.compare(
                with: expected, named: name,
                catalogue: Set(Catalogue(setup.subject).entries.map(\.id)))
        }
        await hintAtProtocol(results, server, target.endpoint)
        let log = display.ci.log
        log.write(
            summary.parts(of: results, replay: server.replay(target.endpoint)), to: output)
        try write(CheckMatrix([CheckMatrix.Server(server.name, results)]), log, output)
        try baseline.write(results, server: server.command?.text)
        return ending(results.exitCode, isWhole: results.isWhole, signal)
    }

    /// If no check passed, shows which protocol the server speaks.
    private func hintAtProtocol(
        _ results: CheckResults, _ server: CheckServer, _ endpoint: Endpoint
    ) async {
        guard results.count(.passed) == 0, !endpoint.needsHandshake, server.endpoint != nil,
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
                let job = try await surveyed(server, target)
                let begun = job.begun(server, target.endpoint, software)
                let (results, signal) = try await job.found(
                    begun, server, target, output,
                    CheckScenarioFiles(folder: display.out, of: server.name))
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
        _ begun: CheckResults, _ server: CheckServer, _ target: CheckTarget, _ output: Output,
        _ files: CheckScenarioFiles
    ) async throws -> (CheckResults, Int32?) {
        if let signal {
            var results = begun
            results.interruption = signal.interruption
            return (results, signal)
        }
        let failures = FailureFiles(files, begun, setup.subject)
        let progress = CheckProgress(
            total: setup.count, output: display.quiet ? nil : output,
            style: display.colours.style(for: output), failures: failures)
        let execution = CheckExecution(setup, server, target, baseline)
        var found = try await execution.run(begun, until: interruptions, observedBy: progress)
        progress.erase()
        try failures.finish(&found.0)
        return found
    }

    private func ending(
        _ code: Ending, isWhole: Bool, _ signal: Int32?
    ) -> Ending {
        if let signal { return signal.ending }
        // While a baseline is being recorded, failures and changes do not count.
        if [.failed, .drift].contains(code), baseline.isWritten {
            return isWhole ? .ok : .inconclusive
        }
        return code
    }
}
