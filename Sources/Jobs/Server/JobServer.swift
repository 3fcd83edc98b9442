import Console
import Diagnostics
package import LineProtocol
import Results
package import Runner
package import Transport

/// The server that a job uses.
package enum JobServer {
    /// A server that is started for the job.
    case started(ServerCommand)
    case running(Endpoint)
    /// The reference server, which speaks this dialect.
    case builtIn(Dialect)

    /// - Parameter endpoint: The address of a running server, or the one that a started server
    ///   must listen on.
    package init(_ command: ServerCommand?, at endpoint: Endpoint?, speaking dialect: Dialect) {
        if var command {
            command.endpoint = endpoint ?? command.endpoint
            self = .started(command)
        } else if let endpoint {
            self = .running(endpoint)
        } else {
            self = .builtIn(dialect)
        }
    }

    /// Calls `body` with the server's address and, if the server was started for the job, its
    /// process. The server is stopped afterwards, unless it was running before.
    package func use<Result: Sendable>(
        _ body: @escaping @Sendable (Endpoint, RunningServer?) async throws -> Result
    ) async throws -> Result {
        switch self {
        case .started(let command):
            do {
                return try await ServerUnderTest.run(command) { try await body($0.endpoint, $0) }
            } catch let error as Diagnosed {
                throw CommandFailure(.unavailable, error)
            }
        case .running(let endpoint): return try await body(endpoint, nil)
        case .builtIn(let dialect):
            return try await BuiltInServer.run(speaking: dialect) { try await body($0, nil) }
        }
    }
}

extension ProtocolProbe {
    /// Returns a note about the protocol that a server speaks; nil if it cannot be identified.
    static func note(
        _ endpoint: Endpoint, _ code: DiagnosticCode, named shown: Endpoint? = nil
    ) async -> Diagnostic? {
        guard !endpoint.needsHandshake, let found = await identify(endpoint) else { return nil }
        return Diagnostic(.note, code, found.hint(at: shown ?? endpoint))
    }
}
