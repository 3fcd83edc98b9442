package import Conformance
package import Console
import Diagnostics
import FoundationEssentials
package import Report
package import Results
import Runner
import SessionTransport
import Transport

/// A job that runs checks against one or more servers and writes the results.
package struct CheckJob: Sendable {
    private var setup: CheckSetup
    private let output: JobOutput<CheckReportFormat>
    private let display: CheckDisplay
    private let baseline: BaselineFile
    private let interruptions: Interruptions
    /// The signal received before any check ran; nil if there was none.
    private var signal: Int32?

    package init(
        _ setup: CheckSetup, _ output: JobOutput<CheckReportFormat>, _ display: CheckDisplay,
        baseline: BaselineFile, until interruptions: Interruptions
    ) {
        self.setup = setup
        self.output = output
        self.display = display
        self.baseline = baseline
        self.interruptions = interruptions
    }

    /// Runs the checks and returns the exit code.
    package func run() async throws -> ExitCode {
        try output.reports.prepare()
        try baseline.prepare()
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
                limit: display.wait, interruptions: interruptions, security: server.security)
            if let signal = try await serverWait.require(endpoint, "check.unreachable") {
                return signal
            }
        }
        return nil
    }

    /// Warns if a server is on another machine, where it may have other users.
    private func warnOfProduction() {
        guard !output.isQuiet else { return }
        let remote = setup.servers.compactMap(\.endpoint).first { endpoint in
            endpoint.host != nil && !endpoint.isLoopback
        }
        guard let remote else { return }
        output.show([
            Diagnostic(
                .warning, "check.production",
                "checks can make a server hang or crash: do not check \(remote.location) if it is "
                    + "in production")
        ])
    }

    /// Runs `body` while the server is running. `body` receives the server's address and, if known,
    /// its software.
    private func serving<Result: Sendable>(
        _ server: CheckServer,
        _ body: @escaping @Sendable (CheckTarget, String?) async throws -> Result
    ) async throws -> Result {
        var command = server.command
        if command != nil {
            let isOne = setup.servers.count == 1
            let files = CheckScenarioFiles(folder: display.folder, of: isOne ? nil : server.name)
            try files.prepareLog()
            command?.logPath = files.serverLog
        }
        let used = JobServer(
            command, at: command?.endpoint ?? server.endpoint, speaking: setup.dialect)
        let software: String? =
            if case .builtIn = used { "linejudge \(toolVersion)" } else { server.softwareText }
        return try await used.use { [command] endpoint, started in
            let target =
                if let started, let command {
                    CheckTarget(started, startedBy: command)
                } else {
                    CheckTarget(endpoint)
                }
            return try await body(target, software)
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
        if let reason = job.setup.options.loginFailure, found.signal == nil {
            output.show([
                Diagnostic(.warning, "check.no-login", "no login succeeds: \(reason)").help(
                    "`linejudge dialect test` shows which behaviours of the dialect work")
            ])
        }
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
    ) async throws -> ExitCode {
        let people: Output = baseline.takesStandardOutput ? .error : output.people
        let summary = CheckSummary(
            style: output.colours.style(for: people), showsAll: display.showsAll)
        let begun = begun(server, target.endpoint, software)
        people.write(summary.heading(begun, count: setup.count))
        var (results, signal) = try await found(
            begun, server, target, people, CheckScenarioFiles(folder: display.folder))
        if let (expected, name) = baseline.expected {
            results.compare(
                with: expected, named: name,
                catalogue: Set(Catalogue(setup.subject).entries.map(\.id)))
        }
        await hintAtProtocol(results, server, target.endpoint)
        hintAtDamage(results, server)
        output.log.write(
            summary.parts(of: results, replay: server.replay(target.endpoint)), to: people)
        try output.finish(
            CheckMatrix([CheckMatrix.Server(server.name, results)]), in: people)
        try baseline.write(results, server: server.command?.text)
        return ending(results.exitCode, isWhole: results.isWhole, signal)
    }

    /// If no check passed, shows which protocol the server speaks.
    private func hintAtProtocol(
        _ results: CheckResults, _ server: CheckServer, _ endpoint: Endpoint
    ) async {
        guard results.count(.passed) == 0, let named = server.endpoint,
            let note = await ProtocolProbe.note(endpoint, "check.other-protocol", named: named)
        else { return }
        output.show([note])
    }

    /// Minimum number of checks that the server did not serve for a hint.
    private static let unservedMin = 3

    /// If checks could not begin on a server that cannot be replaced, explains a likely reason.
    private func hintAtDamage(_ results: CheckResults, _ server: CheckServer) {
        let unserved = results.checks.count(where: \.isUnserved)
        guard unserved >= Self.unservedMin, results.count(.passed) > 0,
            server.command?.canRunTwice != true
        else { return }
        output.show([
            Diagnostic(
                .note, "check.damaged-server",
                "the server did not serve the clients of \(counted(unserved, "check")); an earlier "
                    + "check may have damaged it, and failures may be consequences"
            ).help(
                "restart the server and run failed checks alone with --only, or start it with "
                    + "--exec and {{port}}, so that it is replaced when this happens")
        ])
    }

    // MARK: Several servers

    /// Checks the servers one after another, so that they do not slow each other down.
    private func sideBySide() async throws -> ExitCode {
        let summary = CheckMatrixSummary(style: output.style, showsAll: display.showsAll)
        var found: [CheckMatrix.Server] = []
        var replays: [String] = []
        var signal: Int32?
        for (index, server) in setup.servers.enumerated() where signal == nil {
            output.people.write(
                summary.heading(server.name, index + 1, of: setup.servers.count))
            let earlier = found
            let (results, replay, end) = try await serving(server) { target, software in
                let job = try await surveyed(server, target)
                let begun = job.begun(server, target.endpoint, software)
                let (results, signal) = try await job.found(
                    begun, server, target, output.people,
                    CheckScenarioFiles(folder: display.folder, of: server.name), after: earlier)
                return (results, server.replay(target.endpoint), signal)
            }
            found.append(CheckMatrix.Server(server.name, results))
            replays.append(replay)
            signal = end
        }
        let matrix = CheckMatrix(found)
        output.people.write(summary.text(matrix, replays: replays))
        try output.finish(matrix)
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
        _ begun: CheckResults, _ server: CheckServer, _ target: CheckTarget, _ people: Output,
        _ files: CheckScenarioFiles, after earlier: [CheckMatrix.Server] = []
    ) async throws -> (CheckResults, Int32?) {
        if let signal {
            var results = begun
            results.interruption = signal.interruption
            return (results, signal)
        }
        let failures = FailureFiles(files, begun, setup.subject)
        let interim = InterimCheckReports(
            output.reports, begun, of: server.name, after: earlier)
        let progress = CheckProgress(
            total: setup.count, output: output.isQuiet ? nil : people,
            style: output.colours.style(for: people), failures: failures, interim: interim)
        async let _: Void = interim.tick()
        let execution = CheckExecution(setup, server, target, baseline)
        var found = try await execution.run(begun, until: interruptions, observedBy: progress)
        progress.erase()
        found.0.serverLog = server.command == nil ? nil : files.serverLog
        try failures.finish(&found.0)
        return found
    }

    private func ending(
        _ code: ExitCode, isWhole: Bool, _ signal: Int32?
    ) -> ExitCode {
        if let signal { return signal.ending }
        // While a baseline is being recorded, failures and changes do not count.
        if [.failed, .drift].contains(code), baseline.isWritten {
            return isWhole ? .ok : .inconclusive
        }
        return code
    }
}
