import Diagnostics
import DialectFiles
import ReferenceServer
import Runner
import Transport

/// The embedded reference server as the server that is judged, where no other is named.
enum BuiltInServer {
    /// The dialect that it speaks.
    static let dialect = "livechat"

    /// Runs it on a free port while `body` uses it.
    static func run<Result>(
        _ body: (Endpoint) async throws -> Result
    ) async throws -> Result {
        let file = try DialectLibrary.find(dialect)
        let server = try await ReferenceServer.start(speaking: file.dialect)
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

    /// Refuses scenarios in a language that it does not speak: playing them would say nothing.
    static func check(_ scenarios: [LoadedScenario]) throws(CommandFailure) {
        let foreign = scenarios.filter { $0.program != nil && $0.dialect != dialect }
        guard let first = foreign.first else { return }
        let dialects = Set(foreign.map(\.dialect)).sorted().joined(separator: ", ")
        throw CommandFailure(
            .usage, .badOption,
            "no server is named, and the built-in one speaks \(dialect), not \(dialects) "
                + "(\(first.path)\(foreign.count > 1 ? " and \(foreign.count - 1) more" : ""))",
            help: "give --server HOST:PORT or --exec COMMAND")
    }
}
