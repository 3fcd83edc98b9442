import Diagnostics
import DialectFiles
import LineProtocol
import ReferenceServer
import Results
import Runner
import Session
import Transport

/// The built-in reference server, used if no other server is specified. It speaks the scenarios'
/// dialect.
enum BuiltInServer {
    /// Runs the server on a free port while `body` runs.
    static func run<Result>(
        speaking dialect: Dialect, _ body: (Endpoint) async throws -> Result
    ) async throws -> Result {
        let server = try await start(speaking: dialect)
        let endpoint = Endpoint(.host("127.0.0.1", port: server.port))
        do {
            let result = try await body(endpoint)
            await server.shutdown()
            return result
        } catch {
            await server.shutdown()
            throw error
        }
    }

    private static func start(
        speaking dialect: Dialect
    ) async throws(CommandFailure) -> ReferenceServer {
        do {
            return try await ReferenceServer.start(speaking: dialect)
        } catch {
            throw CommandFailure(
                .usage, .badOption, "no server is given, and \(error.message)",
                help: "pass --server HOST:PORT or --exec COMMAND")
        }
    }

    /// Returns the dialect that all scenarios use; the default dialect if there is none.
    ///
    /// - Throws: A usage error if the scenarios use more than one dialect.
    static func dialect(of scenarios: [LoadedScenario]) throws -> Dialect {
        let programs = scenarios.compactMap { scenario in
            scenario.program.map { (path: scenario.path, dialect: $0.dialect) }
        }
        guard let first = programs.first else {
            return try DialectLibrary.find(DialectLibrary.builtInServerDialect).dialect
        }
        let other = programs.first {
            $0.dialect.name != first.dialect.name || $0.dialect.profile != first.dialect.profile
        }
        guard let other else { return first.dialect }
        throw CommandFailure(
            .usage, .badOption,
            "no server is given, and the reference server speaks only one dialect, not both "
                + "\(first.dialect.name) (\(first.path)) and \(other.dialect.name) (\(other.path))",
            help: "run the scenarios of each dialect separately, or pass --server HOST:PORT")
    }
}
