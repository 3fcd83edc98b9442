import Diagnostics
import DialectFiles
import Foundation
import Report
import Results
import Runner
import Scenario
import Session
import Transport

/// Settings of a run, from the options of `run`.
struct RunSetup {
    var options: RunOptions
    var variables: RunVariables
    var loader: ScenarioLoader
    var selection: ScenarioSelection
    var security: (any ConnectionSecurity)?

    /// - Throws: a usage error if an option is invalid.
    init(_ command: RunCommand, seed: UInt64) throws(CommandFailure) {
        do {
            try self.init(checked: command, seed: seed)
        } catch {
            throw CommandFailure(.usage, error)
        }
        guard let dialect = command.target.dialect else { return }
        // Report a missing dialect once, not for each scenario.
        _ = try DialectFile.asked(for: dialect)
    }

    private init(checked command: RunCommand, seed: UInt64) throws(Diagnosed) {
        let (target, execution) = (command.target, command.execution)
        let environment = Environment.ofProcess
        options = RunOptions(
            toolVersion: toolVersion, startedAt: Int64(Date().timeIntervalSince1970))
        let endpoint: Endpoint? =
            if let server = target.server { try Endpoint(parsing: server) } else { nil }
        options.endpoint = endpoint
        options.command = target.exec.map { ServerCommand($0, endpoint: endpoint) }
        try options.command?.check()
        if let software = target.software { options.software = try Software(parsing: software) }
        variables = try RunVariables(environment: environment, options: execution.variables)
        options.variables = variables
        options.environment = environment
        options.seed = seed
        options.today = Self.today
        options.schema = command.display.schema.mode
        loader = ScenarioLoader(
            dialectOverride: target.dialect, dialectDefault: endpoint?.dialect,
            variables: Set(variables.values.keys))
        selection = ScenarioSelection()
        selection.filters = command.selection.filter
        selection.tags = command.selection.tag
        if command.selection.lastFailed {
            selection.lastFailed = StateFolder.path.map { LastFailed(folder: $0) } ?? LastFailed()
        }
        apply(execution)
        security = try target.trust.security(for: endpoint)
    }

    private mutating func apply(_ execution: RunExecutionOptions) {
        options.jobs = execution.jobs ?? 1
        options.retries = execution.retry ?? 0
        options.isFailFast = execution.failFast
        options.shuffleSeed = execution.shuffle ? options.seed : nil
        options.segmentations = SegmentArgument.segmentations(execution.segment, seed: options.seed)
        if let timeout = execution.timeoutStep { options.stepTimeout = timeout.nanoseconds }
        if let timeout = execution.timeoutFile { options.fileTimeout = timeout.nanoseconds }
    }

    private static var today: CalendarDate? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let day = calendar.dateComponents([.year, .month, .day], from: Date())
        guard let year = day.year, let month = day.month, let number = day.day else { return nil }
        return CalendarDate(year: year, month: month, day: number)
    }
}

/// The user's folder for the failed scenarios of the last run.
enum StateFolder {
    /// `$XDG_STATE_HOME/linejudge`, else `~/.local/state/linejudge`; nil if neither is set.
    static var path: String? {
        let environment = Environment.ofProcess
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
            return folder + "/linejudge"
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.local/state/linejudge"
    }
}
