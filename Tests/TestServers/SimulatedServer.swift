import Conformance
package import LineProtocol
import NIOCore
import NIOPosix
package import ReferenceServer
import Results
import Runner
package import Session
package import SessionTransport
package import Transport

/// The reference server on a simulated network with a virtual clock. Waits of seconds take no time,
/// and a session with the same seed always has the same result.
///
/// Sessions run one at a time; each starts when all connections of the previous one are closed.
package final class SimulatedServer: CaseExecutor, ScenarioExecutor {
    /// Threads for the sessions. An embedded event loop must stay on the thread that created it.
    private static let threads = MultiThreadedEventLoopGroup(numberOfThreads: 2)

    /// Nil after shutdown; the network must be released on its own thread.
    private let network: NIOLoopBoundBox<SimulatedNetwork?>

    private init(_ network: NIOLoopBoundBox<SimulatedNetwork?>) { self.network = network }

    /// Starts a server for a dialect.
    package static func start(
        speaking dialect: Dialect, options: ServerOptions
    ) async throws -> SimulatedServer {
        let thread = threads.next()
        let network = try await thread.submit {
            NIOLoopBoundBox<SimulatedNetwork?>(
                try SimulatedNetwork(dialect, options), eventLoop: thread)
        }.get()
        return SimulatedServer(network)
    }

    package func run(_ program: Program, options: ExecutionOptions) async -> SessionOutcome {
        let network = network
        let outcome = try? await network.eventLoop.submit {
            network.value?.run(program, options: options)
        }.get()
        return outcome ?? SessionOutcome(result: ScenarioOutcome(outcome: .inconclusive))
    }

    package func run(
        _ program: Program, options: ExecutionOptions, at endpoint: Endpoint
    ) async -> SessionOutcome {
        await run(program, options: options)
    }

    /// Stops the server. Must be called.
    package func shutdown() async {
        let network = network
        try? await network.eventLoop.submit {
            network.value?.shutDown()
            network.value = nil
        }.get()
    }
}
