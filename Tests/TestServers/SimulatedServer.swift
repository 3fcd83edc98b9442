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

/// The reference server on a simulated network with a clock of its own: waits of seconds take no time, and a play
/// with the same seed always has the same result.
///
/// Plays take turns, and each begins when all connections of the one before are closed.
package final class SimulatedServer: CaseExecutor, ScenarioExecutor {
    /// Plays run here: an embedded event loop stays on the thread that made it.
    private static let threads = MultiThreadedEventLoopGroup(numberOfThreads: 2)

    /// Nil after the shutdown: the network must also end on its thread.
    private let network: NIOLoopBoundBox<SimulatedNetwork?>

    private init(_ network: NIOLoopBoundBox<SimulatedNetwork?>) { self.network = network }

    /// Starts a server that speaks `dialect`.
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

    package func play(_ program: Program, options: ExecutionOptions) async -> SessionOutcome {
        let network = network
        let playback = try? await network.eventLoop.submit {
            network.value?.play(program, options: options)
        }.get()
        return playback ?? SessionOutcome(result: ScenarioOutcome(outcome: .inconclusive))
    }

    package func play(
        _ program: Program, options: ExecutionOptions, at endpoint: Endpoint
    ) async -> SessionOutcome {
        await play(program, options: options)
    }

    /// Stops it. It has to be called.
    package func shutdown() async {
        let network = network
        try? await network.eventLoop.submit {
            network.value?.shutDown()
            network.value = nil
        }.get()
    }
}
