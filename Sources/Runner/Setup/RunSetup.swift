import Console
import Diagnostics
import DialectFiles
import FoundationEssentials
package import Results
import Scenario
import Session
package import Transport
package import TransportTLS

/// Options for a run, as given on the command line.
package struct RunRequest: Sendable {
    package var server: String?
    /// Command that starts the server; nil if none was given.
    package var command: String?
    /// Startup timeout of a server, in nanoseconds; nil to use the default.
    package var startTimeout: Int64?
    package var dialect: String?
    package var software: String?
    package var trust = ServerTrust()
    package var variables = GivenVariables()
    package var filters: [String] = []
    package var tags: [String] = []
    package var lastFailed = false
    package var jobs = 1
    package var retries = 0
    package var isFailFast = false
    package var shuffles = false
    /// True to use names as written even if runs share a server.
    package var keepsNames = false
    /// False to refuse scenarios that start programs.
    package var allowsCommands = true
    /// Conditions that the server meets (`--fixture`).
    package var fixtures: [String] = []
    package var segmentations: [Segmentation] = [.whole]
    /// Timeout of a step, in nanoseconds; nil to use the default.
    package var stepTimeout: Int64?
    /// Timeout of a scenario, in nanoseconds; nil to use the default.
    package var fileTimeout: Int64?
    package var seed: UInt64
    package var schema = SchemaMode.warn

    package init(seed: UInt64) { self.seed = seed }
}

/// Settings for a run.
package struct RunSetup: Sendable {
    package var options: RunOptions
    package var loader: ScenarioLoader
    package var selection: ScenarioSelection
    private let trust: ServerTrust

    /// - Throws: A usage error if an option is invalid.
    package init(_ request: RunRequest) throws(CommandFailure) {
        let environment = Environment.ofProcess
        let variables = try RunVariables(environment: environment, given: request.variables)
        do {
            try self.init(checked: request, variables, environment)
        } catch {
            throw CommandFailure(.usage, error)
        }
        guard let dialect = request.dialect else { return }
        // Report a missing dialect once rather than once per scenario.
        _ = try DialectFile.requested(dialect)
    }

    private init(
        checked request: RunRequest, _ variables: RunVariables, _ environment: [String: String]
    ) throws(Diagnosed) {
        options = RunOptions(
            toolVersion: toolVersion, startedAt: Int64(Date().timeIntervalSince1970))
        let endpoint: Endpoint? =
            if let server = request.server { try Endpoint(parsing: server) } else { nil }
        options.endpoint = endpoint
        options.command = request.command.map {
            ServerCommand($0, endpoint: endpoint, startTimeout: request.startTimeout)
        }
        options.startTimeout = request.startTimeout ?? options.startTimeout
        try options.command?.check()
        if let software = request.software { options.software = try Software(parsing: software) }
        options.variables = variables
        options.environment = environment
        options.seed = request.seed
        options.today = .today
        options.schema = request.schema
        loader = ScenarioLoader(
            dialectOverride: request.dialect, dialectDefault: endpoint?.dialect,
            variables: Set(variables.values.keys))
        selection = ScenarioSelection()
        selection.filters = request.filters
        selection.tags = request.tags
        if request.lastFailed {
            selection.lastFailed = StateFolder.path.map { LastFailed(folder: $0) } ?? LastFailed()
        }
        options.jobs = request.jobs
        options.retries = request.retries
        options.isFailFast = request.isFailFast
        options.hasUniqueNames = !request.keepsNames
        options.allowsCommands = request.allowsCommands
        options.fixtures = Set(request.fixtures)
        options.shuffleSeed = request.shuffles ? request.seed : nil
        options.segmentations = request.segmentations
        options.stepTimeout = request.stepTimeout ?? options.stepTimeout
        options.fileTimeout = request.fileTimeout ?? options.fileTimeout
        trust = request.trust
        // Report an unreadable file before the scenarios are loaded.
        if trust.authorityPath != nil { _ = try trust.security(for: endpoint, startsTLS: true) }
    }

    /// Masks the scenarios' secrets in all output from now on, except those from the rows of data
    /// files, which the run adds.
    package func hideSecrets(of scenarios: [LoadedScenario]) {
        for scenario in scenarios {
            RunSecrets.hide(scenario, with: scenario.values(options.variables), options)
        }
    }

    /// Returns the TLS client for the scenarios' connections; nil if they do not use TLS.
    ///
    /// - Throws: A usage error if there are TLS options that have no effect or are invalid.
    package func security(
        for scenarios: [LoadedScenario]
    ) throws(CommandFailure) -> (any ConnectionSecurity)? {
        let startsTLS = scenarios.contains { $0.program?.startsTLS ?? false }
        return try CommandFailure.usage { () throws(Diagnosed) in
            try trust.security(for: options.endpoint, startsTLS: startsTLS)
        }
    }
}

/// The user's folder for the list of scenarios that failed in the last run.
package enum StateFolder {
    /// `$XDG_STATE_HOME/linejudge` or `~/.local/state/linejudge`; nil if neither `XDG_STATE_HOME`
    /// nor `HOME` is an absolute path.
    package static var path: String? {
        let environment = Environment.ofProcess
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") {
            return folder + "/linejudge"
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.local/state/linejudge"
    }
}
