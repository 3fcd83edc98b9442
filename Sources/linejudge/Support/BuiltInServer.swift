import Diagnostics
import DialectFiles
import LineProtocol
import ReferenceServer
import Results
import Runner
import Session
import Transport

/// The embedded reference server as the server that is judged, where no other is named. It speaks the
/// dialect of the scenarios.
enum BuiltInServer {
    /// What it speaks to scenarios that name no dialect.
    static let dialectDefault = "livechat"

    /// Runs it on a free port while `body` uses it.
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
                .usage, .badOption, "no server is named, and \(error.message)",
                help: "give --server HOST:PORT or --exec COMMAND")
        }
    }

    /// The one dialect that the scenarios are written in. A server speaks one, so there must be no other.
    static func dialect(of scenarios: [LoadedScenario]) throws -> Dialect {
        let playable = scenarios.compactMap { scenario in
            scenario.program.map { (path: scenario.path, dialect: $0.dialect) }
        }
        guard let first = playable.first else {
            return try DialectLibrary.find(dialectDefault).dialect
        }
        let other = playable.first {
            $0.dialect.name != first.dialect.name || $0.dialect.profile != first.dialect.profile
        }
        guard let other else { return first.dialect }
        throw CommandFailure(
            .usage, .badOption,
            "no server is named, and the built-in one speaks one dialect at a time, not "
                + "\(first.dialect.name) (\(first.path)) and \(other.dialect.name) (\(other.path))",
            help: "run the scenarios of each dialect by themselves, or give --server HOST:PORT")
    }
}
