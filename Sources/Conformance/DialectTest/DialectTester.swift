import Console
import DialectFiles
package import DialectModel
import Diagnostics
import LineProtocol
package import Results
package import Runner
import Scenario

/// A runner for the tests of a dialect.
package struct DialectTester: Sendable {
    /// Number of failed logins in a row, after which the remaining tests do not run.
    private static let failedLoginsMax = 2
    /// Standard behaviours that the summary lists if the dialect does not declare them.
    private static let usual = ["login", "probe", "say", "heard", "relay", "arrival", "logout"]

    private let plan: BehaviourTestPlan
    private let options: RunOptions
    private let executor: any ScenarioExecutor
    private let dialect: BoundDialect
    private let server: ServerDescription

    /// - Parameters:
    ///   - options: The server's address, and the options of `run`.
    ///   - server: Description of the server for the report.
    ///   - idle: How long to wait for pings from the server, in nanoseconds; nil not to wait.
    package init(
        _ dialect: BoundDialect, _ options: RunOptions, at server: ServerDescription,
        idle: Int64? = nil, executor: any ScenarioExecutor
    ) {
        self.server = server
        let values = options.variables.values
        self.dialect = dialect.given(Set(values.keys))
        plan = BehaviourTestPlan(
            self.dialect, given: values, seed: options.seed, idle: idle)
        self.executor = executor
        var options = options
        options.hasUniqueNames = false
        options.variables.secrets.formUnion(dialect.secretVariables.intersection(values.keys))
        self.options = options
    }

    /// Runs all tests. Cancelling the task ends them early.
    ///
    /// - Parameters:
    ///   - only: Names of behaviours to test; empty to test all.
    ///   - skip: Names of behaviours not to test.
    ///   - observer: Function that receives the result of each test.
    package func run(
        only: [String] = [], skip: [String] = [],
        observer: @Sendable (DialectTestResults.Test) -> Void = { _ in }
    ) async -> DialectTestResults {
        let begin = ContinuousClock.now
        var results = begun
        let runner = ScenarioRunner(options, executor: executor)
        var state = State()
        for test in plan.tests where test.isSelected(only: only, skip: skip) {
            if Task.isCancelled { break }
            let found: DialectTestResults.Test
            if let reason = state.reason(against: test) ?? test.reason {
                found = .init(test.title, .skipped, note: reason)
                state.note(untested: test)
            } else {
                found = await result(of: test, runner, &results)
                state.note(test, found)
            }
            results.tests.append(found)
            observer(found)
            if found.result?.isUnreachable == true, results.tests.count == 1 { break }
        }
        results.undescribed = undescribed(results)
        results.interruption = Task.isCancelled ? .interrupted : nil
        results.duration = (ContinuousClock.now - begin).nanoseconds
        return results
    }

    /// The results before the first test.
    package var begun: DialectTestResults {
        let name = dialect.dialect.profile.map { "\(dialect.dialect.name)+\($0)" }
        var results = DialectTestResults(
            toolVersion: options.toolVersion, seed: options.seed, server: server,
            dialect: name ?? dialect.dialect.name)
        results.undeclared = Self.usual.filter { dialect[$0] == nil }
        return results
    }

    // MARK: One test

    private func result(
        of test: BehaviourTest, _ runner: ScenarioRunner, _ results: inout DialectTestResults
    ) async -> DialectTestResults.Test {
        let scenario: LoadedScenario
        do {
            scenario = try LoadedScenario(
                generated: test.script.scenario(path: test.title), title: test.title,
                speaking: plan.bound, needs: test.script.needs,
                given: Set(options.variables.values.keys))
        } catch {
            let message = error.diagnostics.first?.message ?? ""
            return .init(test.title, .skipped, note: "cannot be tested: \(message)")
        }
        let run = await runner.run([scenario])
        if var report = run.commandTables.first?.report {
            report.removeLines()
            if results.commandTable.commands.isEmpty {
                results.commandTable = report
            } else {
                results.commandTable.merge(report)
            }
        }
        guard var result = run.scenarios.first else {
            return .init(test.title, .inconclusive, note: "interrupted")
        }
        let judged = BehaviourVerdict(test, result, dialect)
        result.explain(judged)
        return .init(test.title, judged.verdict, note: judged.note, result: result)
    }

    private func undescribed(
        _ results: DialectTestResults
    ) -> [DialectTestResults.UndescribedCommand] {
        var commands: [[UInt8]] = []
        return results.commandTable.breaks.compactMap { item in
            guard item.kind == "unknown-command", !commands.contains(item.command) else {
                return nil
            }
            commands.append(item.command)
            return .init(
                item,
                suggestion: CommandEntry.suggestion(for: item.example, in: dialect.dialect))
        }
    }

    // MARK: State

    /// The behaviours that failed or were not tested. Tests that need them are skipped, because
    /// they would only repeat the failure.
    private struct State {
        private var failed: Set<String> = []
        private var untested: Set<String> = []
        private var failedLogins = 0
        private var isConnected = true

        /// Returns the reason that a test would be pointless; nil if there is none.
        func reason(against test: BehaviourTest) -> String? {
            if !isConnected { return "not tested: `\(DialectTestResults.connect)` fails" }
            if failedLogins >= DialectTester.failedLoginsMax {
                return "not tested: the server no longer accepts logins"
            }
            let needed = test.requirements
            if let name = needed.first(where: failed.contains) {
                return "not tested: `\(name)` fails"
            }
            return needed.first(where: untested.contains).map { "not tested: needs `\($0)`" }
        }

        mutating func note(untested test: BehaviourTest) {
            untested.formUnion(test.behaviours)
        }

        mutating func note(_ test: BehaviourTest, _ found: DialectTestResults.Test) {
            switch found.verdict {
            case .failed:
                failed.formUnion(test.behaviours)
                if test.judgement == .greeting { isConnected = false }
            case .skipped, .inconclusive: untested.formUnion(test.behaviours)
            default: break
            }
            guard test.judgement != .secondLogin else { return }
            failedLogins = isLoginFailure(test, found) ? failedLogins + 1 : 0
        }

        /// Returns true if the test failed because its first operator could not log in.
        private func isLoginFailure(
            _ test: BehaviourTest, _ found: DialectTestResults.Test
        ) -> Bool {
            guard let result = found.result, found.verdict != .passed,
                !test.behaviours.contains("login")
            else { return false }
            if result.isUnreachable { return true }
            let scenario = test.script.scenario(path: test.title)
            let failed = scenario.steps.last { step in
                result.line.map { scenario.source.line(at: step.range.start) <= $0 } ?? false
            }
            return failed.map { $0.uses("login") && $0.handle == "alice" } ?? false
        }
    }
}

extension BehaviourTest {
    /// Returns whether the test is selected. Connecting and logging in are always tested.
    fileprivate func isSelected(only: [String], skip: [String]) -> Bool {
        if judgement == .greeting || behaviours.contains("login") { return true }
        if names.contains(where: skip.contains) { return false }
        return only.isEmpty || names.contains(where: only.contains)
    }
}

extension SchemaReport {
    /// Removes the line numbers of generated scenarios.
    fileprivate mutating func removeLines() {
        for index in breaks.indices { breaks[index].location?.line = nil }
        for index in cuts.indices { cuts[index].location?.line = nil }
    }
}

extension ScenarioResult {
    /// Adapts the result to the verdict on its test. Removes positions in the generated scenario,
    /// which is not a file that the user can look at.
    fileprivate mutating func explain(_ judged: BehaviourVerdict) {
        diagnostics = diagnostics.map { $0.withoutGenerated(path) }
        if judged.verdict == .failed, !judged.note.isEmpty {
            reason = judged.note
            if diagnostics.hasErrors {
                diagnostics[0] = diagnostics[0].note(judged.note)
            } else {
                diagnostics.append(Diagnostic(.error, "dialect-test.failed", judged.note))
            }
            focus = focus ?? TranscriptFocus(entry: nil, operators: [])
        }
        if let help = judged.help, !diagnostics.isEmpty {
            diagnostics[0] = diagnostics[0].help(help)
        }
        verdict = judged.verdict
    }
}

extension Diagnostic {
    /// Returns the diagnostic without references to lines of the generated scenario.
    fileprivate func withoutGenerated(_ path: String) -> Diagnostic {
        var copy = self
        copy.related.removeAll { $0.source.path == path }
        if copy.location?.source.path == path { copy.location = nil }
        if let label = copy.location?.label { copy.location?.label = label.withoutSendLine }
        return copy
    }
}

extension String {
    /// The label of an error without the line number of the last send.
    fileprivate var withoutSendLine: String {
        for (words, kept) in [(", last send on line ", ""), (" send on line ", " last send")] {
            guard let range = range(of: words) else { continue }
            let rest = self[range.upperBound...].drop { $0.isNumber }
            return self[..<range.lowerBound] + kept + rest
        }
        return self
    }

    private func range(of words: String) -> Range<String.Index>? { firstRange(of: words) }
}
