import Console
import Diagnostics
import DialectFiles
package import DialectModel
import LineProtocol
package import Results
package import Runner
package import Transport
import TransportTLS

/// Options for testing a dialect, as given on the command line.
package struct DialectTestRequest: Sendable {
    package var dialect: String
    /// Options for the server and the execution.
    package var run: RunRequest
    package var only: [String] = []
    package var skip: [String] = []
    /// How long to wait for pings from the server, in nanoseconds; nil not to wait.
    package var idle: Int64?

    package init(_ dialect: String, _ run: RunRequest) {
        self.dialect = dialect
        self.run = run
    }
}

/// Settings for testing a dialect.
package struct DialectTestSetup: Sendable {
    /// The dialect under test. It has no errors.
    package let bound: BoundDialect
    package var options: RunOptions
    package let security: (any ConnectionSecurity)?
    private let request: DialectTestRequest

    /// Validates the request.
    package init(_ request: DialectTestRequest) throws(CommandFailure) {
        do {
            bound = try BoundDialect.find(request.dialect)
        } catch {
            throw CommandFailure(error.isMissingDialect ? .noInput : .unparsable, error)
        }
        options = try RunSetup(request.run).options
        let endpoint = options.endpoint
        security = try CommandFailure.usage { () throws(Diagnosed) in
            try request.run.trust.security(for: endpoint)
        }
        self.request = request
        options.endpoint = options.endpoint?.withDefaultPort(bound.dialect.port)
        if options.command == nil { try options.endpoint?.checkPort(of: request.dialect) }
        try checkNames()
    }

    /// The command that starts the server, listening at the given address if there is one; nil if
    /// no command was given.
    package var command: ServerCommand? {
        guard var command = options.command else { return nil }
        command.endpoint = command.endpoint.map { $0.withDefaultPort(bound.dialect.port) }
        return command
    }

    /// Returns the tester for a server.
    package func tester(
        at endpoint: Endpoint, executor: any ScenarioExecutor
    ) -> DialectTester {
        var options = options
        options.endpoint = endpoint
        options.command = nil
        let server = ServerDescription(
            endpoint: command == nil ? endpoint.description : "", command: command?.text)
        return DialectTester(
            bound, options, at: server, idle: request.idle, executor: executor)
    }

    /// Runs the selected tests.
    package func run(
        _ tester: DialectTester, observer: @Sendable (DialectTestResults.Test) -> Void
    ) async -> DialectTestResults {
        await tester.run(only: request.only, skip: request.skip, observer: observer)
    }

    /// Throws an error if a selected behaviour does not exist.
    private func checkNames() throws(CommandFailure) {
        let names = BehaviourTestPlan(
            bound.given(Set(options.variables.values.keys)), given: options.variables.values,
            seed: options.seed
        ).tests.flatMap(\.names)
        guard let wrong = (request.only + request.skip).first(where: { !names.contains($0) })
        else { return }
        let known = names.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        throw CommandFailure(
            .usage, .badOption,
            "the dialect has no behaviour `\(escapedForDisplay(wrong))` to test",
            help: didYouMean(wrong, among: known).map { "did you mean `\($0)`?" }
                ?? "behaviours: \(known.joined(separator: ", "))")
    }
}
