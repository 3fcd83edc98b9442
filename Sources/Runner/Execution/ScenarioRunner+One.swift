import Console
import Diagnostics
import LineProtocol
import Results
import Scenario
import Session
import SessionTransport
import Transport

extension ScenarioRunner {
    /// Runs an entry's scenario until it passes or no retries are left, and returns the result. A
    /// scenario that is invalid, or skipped for this software, is not run.
    func result(
        of entry: RunPlan.Entry, at server: RunningServer?, _ schema: RunCommandTables? = nil
    ) async -> ScenarioResult {
        let scenario = entry.scenario
        guard let program = scenario.program, let file = scenario.file else {
            return scenario.invalidResult
        }
        if let rule = scenario.skip(on: options.software) {
            return scenario.result(
                .skipped, reason: rule.reason, segmentation: entry.segmentation)
        }
        let known = scenario.knownFailure(on: options.software)
        // A known failure is expected to fail, so it is not retried.
        let attemptsMax = known == nil ? 1 + min(max(options.retries, 0), RunOptions.retriesMax) : 1
        var result = await attempt(1, entry, program, server, schema)
        let first = result
        while result.verdict == .failed, result.attempts < attemptsMax, !Task.isCancelled {
            result = await attempt(result.attempts + 1, entry, program, server, schema)
        }
        if result.verdict == .passed, result.attempts > 1 {
            result.verdict = .flaky
            result.reason = "passed on attempt \(result.attempts), after: \(first.reason)"
            result.diagnostics = first.diagnostics
            result.line = first.line
        }
        if let known { result.apply(known, in: file, today: options.today) }
        return result
    }

    private func attempt(
        _ number: Int, _ entry: RunPlan.Entry, _ program: Program, _ shared: RunningServer?,
        _ schema: RunCommandTables?
    ) async -> ScenarioResult {
        var result = entry.scenario.result(.inconclusive, segmentation: entry.segmentation)
        do {
            if let shared {
                await run(number, entry, program, shared.endpoint, into: &result)
                result.takeOutput(of: shared, secrets.mask)
            } else if let endpoint = options.endpoint {
                let endpoint = endpoint.withDefaultPort(entry.scenario.defaultPort)
                guard endpoint.isComplete else { throw portUnknown(endpoint) }
                await run(number, entry, program, endpoint, into: &result)
            } else if let command = try entry.scenario.command(options) {
                let template = result
                result = try await ServerUnderTest.run(command) { server in
                    var result = template
                    await run(number, entry, program, server.endpoint, into: &result)
                    result.takeOutput(of: server, secrets.mask)
                    return result
                }
            } else {
                throw noServer(entry.scenario)
            }
        } catch {
            result.diagnostics += diagnostics(of: error)
            result.reason = diagnostics(of: error).first?.message ?? ""
            result.isUnreachable = true
        }
        if let row = entry.scenario.row, result.diagnostics.hasErrors {
            result.explain("row \(row.number) is in \(row.location)")
        }
        result.attempts = number
        schema?.note(result.transcript, of: entry.scenario, program.dialect)
        return result
    }

    /// Runs the program if the server supports everything that the scenario needs.
    private func run(
        _ number: Int, _ entry: RunPlan.Entry, _ program: Program, _ endpoint: Endpoint,
        into result: inout ScenarioResult
    ) async {
        switch await needs(of: entry.scenario, at: endpoint).needs {
        case .met(let values):
            result.take(await run(number, entry, program, endpoint, values))
        case .unmet(let reason):
            result.verdict = .skipped
            result.reason = reason
        case .undecided(let reason):
            result.reason = reason
        }
    }

    /// - Parameter offers: Values of variables defined by `needs` lines.
    private func run(
        _ number: Int, _ entry: RunPlan.Entry, _ program: Program, _ endpoint: Endpoint,
        _ offers: [String: [UInt8]]
    ) async -> SessionOutcome {
        var variables = entry.scenario.values(options.variables).merging(offers) { $1 }
        variables["server.host"] = Array((endpoint.host ?? endpoint.location).utf8)
        variables["server.port"] = Array((endpoint.port.map(String.init) ?? "").utf8)
        var part = "\(entry.scenario.path)\0\(entry.segmentation.word)\0\(number)"
        if let row = entry.scenario.row { part += "\0row \(row.number)" }
        var random = SeededRandom(seed: options.seed, part: part)
        var program = program
        var names: [String: [UInt8]] = [:]
        if options.hasUniqueNames, options.sharesServer, entry.scenario.file?.header.command == nil,
            let dialect = entry.scenario.boundDialect
        {
            let renamed = RenamedProgram(program, dialect: dialect, keepsLength: true)
            program = renamed.program
            names = renamed.values(nameNumber(of: entry, attempt: number))
            variables.merge(names) { given, _ in given }
        }
        let execution = ExecutionOptions(
            segmentation: entry.segmentation, variables: variables,
            secrets: options.variables.secrets, environment: options.environment,
            seed: random.next(),
            stepTimeout: options.stepTimeout, fileTimeout: options.fileTimeout)
        var outcome = await executor.run(program, options: execution, at: endpoint).hinted(endpoint)
        if names.isEmpty {
            outcome = await explainingTakenNames(outcome, of: entry) { program, names in
                var renamed = execution
                renamed.variables.merge(names) { given, _ in given }
                return await executor.run(program, options: renamed, at: endpoint)
            }
        } else {
            outcome = outcome.explained(RenamedProgram.summary(of: names))
        }
        guard outcome.isUnanswered, !endpoint.needsHandshake, !Task.isCancelled,
            isFirstUnanswered(),
            let found = await ProtocolProbe.identify(endpoint)
        else { return outcome }
        return outcome.hinted(found, endpoint)
    }

    /// Returns a number that makes the names in an attempt unique. Short names have few possible
    /// values, so scenarios get consecutive rather than random numbers.
    func nameNumber(of entry: RunPlan.Entry, attempt: Int) -> UInt32 {
        var random = SeededRandom(seed: options.seed, part: "names")
        let first = UInt32(truncatingIfNeeded: random.next())
        let offset = UInt32(truncatingIfNeeded: entry.position + (attempt - 1) * Self.attemptStride)
        return (first &+ offset) % NameRewrite.runsMax
    }

    private static let attemptStride = 257

    /// Returns true for the first scenario that receives no answer, so that the server's protocol
    /// is detected only once.
    private func isFirstUnanswered() -> Bool {
        !isUnansweredSeen.set()
    }

    private func portUnknown(_ endpoint: Endpoint) -> Diagnosed {
        Diagnosed(
            Diagnostic(
                .error, .noServer,
                "missing port in \(endpoint.location): the dialect has no default port"
            ).help("use --server \(endpoint.location):PORT"))
    }

    private func noServer(_ scenario: LoadedScenario) -> Diagnosed {
        Diagnosed(
            Diagnostic(.error, .noServer, "no server to test")
                .help(
                    "pass --server HOST:PORT or --exec COMMAND, or add a line `exec \"COMMAND\"` to the scenario"
                )
        )
    }
}

extension ScenarioResult {
    /// Sets the verdict and the diagnostics from the outcome of a scenario run.
    mutating func take(_ outcome: SessionOutcome) {
        let result = outcome.result
        switch result.outcome {
        case .passed: verdict = .passed
        case .failed: verdict = .failed
        case .inconclusive: verdict = .inconclusive
        }
        if var diagnostic = result.diagnostic {
            for note in outcome.notes { diagnostic = diagnostic.note(note) }
            diagnostics.append(diagnostic)
            reason = diagnostic.message
        }
        line = result.line
        transcript = result.transcript
        focus = result.focus
        duration = result.duration
        stepsRun = result.stepsRun
        isTimingBased = result.isTimingBased
        isUnreachable = verdict == .inconclusive && outcome.isUnreachable
    }

    /// Adds the server's output unless the scenario passed.
    mutating func takeOutput(of server: RunningServer, _ mask: SecretMask) {
        guard verdict != .passed else { return }
        serverOutput = mask.masked(server.output.tail)
        if let end = server.earlyEnd {
            let note = "the server \(end)"
            if diagnostics.isEmpty {
                reason = note
            } else {
                diagnostics[diagnostics.count - 1] = diagnostics[diagnostics.count - 1].note(note)
            }
        }
    }
}
