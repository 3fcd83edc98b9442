import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario
package import Session
package import SessionTransport
package import Transport

/// An executor of compiled cases, either over real sockets or, in tests, over a simulated network.
package protocol CaseExecutor: Sendable {
    /// Runs a program. Connection failures are reported in the outcome.
    func run(_ program: Program, options: ExecutionOptions) async -> SessionOutcome

    /// Runs a program and observes the server meanwhile.
    func run(
        _ program: Program, options: ExecutionOptions, observing observation: Observation
    ) async -> (SessionOutcome, ServerMeasure?)
}

/// How to observe the server while a case runs.
package struct Observation: Sendable {
    /// Source of the samples; nil if the server cannot be observed.
    var watch: (any ServerWatch)?
    /// Whether to give the server time to close connections.
    var settles: Bool
}

extension CaseExecutor {
    package func run(
        _ program: Program, options: ExecutionOptions, observing observation: Observation
    ) async -> (SessionOutcome, ServerMeasure?) {
        await ServerObserver(watch: observation.watch).observed(settles: observation.settles) {
            await run(program, options: options)
        }
    }
}

/// An executor that uses real sockets.
package struct SocketExecutor: CaseExecutor {
    private let driver: SessionDriver
    private let endpoint: Endpoint

    package init(_ driver: SessionDriver, at endpoint: Endpoint) {
        self.driver = driver
        self.endpoint = endpoint
    }

    /// Returns an executor for another server.
    func at(_ endpoint: Endpoint) -> SocketExecutor { SocketExecutor(driver, at: endpoint) }

    /// Runs a program. Cancelling the task interrupts it.
    package func run(_ program: Program, options: ExecutionOptions) async -> SessionOutcome {
        await driver.run(program, options: options, at: endpoint)
    }
}

/// The outcome of running a case, including its judgement.
struct CaseOutcome: Sendable {
    var testCase: CheckCase
    var judgement: Judgement
    var result: ScenarioOutcome
    var isUnreachable: Bool
    /// True if the server did not serve a client before the first stimulus.
    var isUnserved = false
    /// Number of the ``ReplaceableServer`` that the case ran on; nil if it had a server of its own
    /// or the server cannot be replaced.
    var server: Int?
    /// The stimuli as sent, in transcript format, such as `alice → PING x`.
    var sent: [String] = []
    /// Classes of the server's reaction; see ``CheckResult/measured``.
    var classes: [String] = []

    /// What is wrong; nil if the case did not fail.
    var finding: Finding? {
        if case .failed(let finding) = judgement { finding } else { nil }
    }
}

/// A runner that executes cases and judges their outcomes.
struct CaseJudge: Sendable {
    let subject: Subject
    var executor: any CaseExecutor
    /// Observer of the server's process and sockets; nil if they cannot be observed.
    var watch: (any ServerWatch)?
    /// The server, if it can be replaced.
    private(set) var server: ReplaceableServer?
    /// Command-table check, applied to every received line.
    let schema: CommandTableOracle

    init(
        subject: Subject, executor: any CaseExecutor, watch: (any ServerWatch)? = nil,
        server: ReplaceableServer? = nil
    ) {
        self.subject = subject
        self.executor = executor
        self.watch = watch
        self.server = server
        schema = CommandTableOracle(subject.dialect)
    }

    /// A judge that runs each case on a new server; nil if no servers can be started.
    var onNewServers: CaseJudge? {
        guard let server else { return nil }
        var judge = self
        judge.executor = server.newServers
        judge.watch = nil
        judge.server = nil
        return judge
    }

    /// Runs and judges a case. If the server does not serve a client that a new server serves, it is
    /// replaced, and the case runs again.
    ///
    /// - Parameters:
    ///   - isWritten: Whether to run the case as in a scenario file.
    ///   - isAlone: Whether nothing else runs at the same time, so that the server's resource use
    ///     can be attributed to this case.
    func outcome(
        of testCase: CheckCase, _ check: Check, seed: UInt64, isWritten: Bool = false,
        isAlone: Bool = false
    ) async -> CaseOutcome {
        func attempt(_ judge: CaseJudge) async -> CaseOutcome {
            await judge.attempt(testCase, check, seed: seed, isWritten: isWritten, isAlone: isAlone)
        }
        let isObserved = isAlone && watch != nil
        // A case must not be blamed for the CPU time that an earlier one still causes.
        if let server, isObserved, !(await ServerObserver(watch: watch).idled()) {
            await server.replace(server.number)
        }
        let number = server?.number
        var outcome = await attempt(self)
        outcome.server = number
        guard let server, let number, let onNewServers, outcome.isUnserved, !Task.isCancelled
        else { return outcome }
        let again = await attempt(onNewServers)
        guard !again.isUnserved, !Task.isCancelled else { return outcome }
        await server.replace(number)
        guard isObserved, server.number > number else { return again }
        outcome = await attempt(self)
        outcome.server = server.number
        return outcome
    }

    private func attempt(
        _ testCase: CheckCase, _ check: Check, seed: UInt64, isWritten: Bool, isAlone: Bool
    ) async -> CaseOutcome {
        guard testCase.steps.contains(where: { $0.role == .stimulus }) else {
            return CaseOutcome(
                testCase: testCase,
                judgement: .inconclusive("the dialect cannot encode the lines to send"),
                result: ScenarioOutcome(outcome: .inconclusive), isUnreachable: false)
        }
        let scenario = CaseScenario(testCase, check.heading, subject, isWritten: isWritten)
        do {
            let program = try ProgramCompiler.compile(
                scenario.file, with: subject.bound, given: Set(subject.variables.keys))
            var options = ExecutionOptions(
                segmentation: testCase.segmentation, variables: subject.variables,
                secrets: subject.secrets, seed: seed)
            options.loginNames = scenario.loginNames
            let (outcome, server) =
                isAlone
                ? await executor.run(
                    program, options: options,
                    observing: Observation(watch: watch, settles: testCase.settles))
                : (await executor.run(program, options: options), nil)
            schema.note(outcome.result.transcript)
            var evidence = Evidence(
                testCase, scenario, outcome.result, try LineClassifier(subject.bound), subject)
            evidence.server = server
            let judgement = Control.judge(&evidence).explained(by: server)
                .explained(by: outcome.notes)
            var result = outcome.result
            result.transcript = evidence.transcript
            return CaseOutcome(
                testCase: testCase, judgement: judgement, result: result,
                isUnreachable: outcome.isUnreachable,
                isUnserved: outcome.isUnreachable || Control.isUnserved(evidence),
                sent: evidence.sent,
                classes: Self.classes(judgement, evidence))
        } catch {
            // A case that the dialect cannot express shows nothing about the server.
            let reason = "the case cannot be run: \(error.diagnostics.first?.message ?? "")"
            return CaseOutcome(
                testCase: testCase, judgement: .inconclusive(reason),
                result: ScenarioOutcome(outcome: .inconclusive), isUnreachable: false)
        }
    }

    /// Returns the outcome classes of a judgement: the observation itself if it is one, none if the
    /// judgement is inconclusive, and otherwise the classes that the oracles recorded.
    private static func classes(_ judgement: Judgement, _ evidence: Evidence) -> [String] {
        switch judgement {
        case .observed(let word): [word]
        case .inconclusive: []
        default: evidence.classes.isEmpty ? [] : [evidence.classes.joined(separator: ", ")]
        }
    }
}
