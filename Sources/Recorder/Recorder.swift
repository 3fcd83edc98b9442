import Glibc
package import LineProtocol
package import NIOCore
import NIOPosix
package import Transcript
package import Transport

/// Stands between clients and a server, passes on every byte both ways, and writes down what was said.
package struct Recorder: Sendable {
    /// How a recorder is set up.
    package struct Options: Sendable {
        /// Where clients connect: a host and port (0: any free one), or a Unix socket.
        package var listen: Endpoint
        /// The server that is stood in front of.
        package var server: Endpoint
        /// What makes connections to the server secure.
        package var security: (any ConnectionSecurity)?
        /// Adds what stands between a client's socket and the lines, such as TLS, to its pipeline.
        package var prepareClient: (@Sendable (any Channel) throws -> Void)?
        /// How long a connection to the server may take to be made, in nanoseconds.
        package var connectTimeout: Int64 = 10_000_000_000
        /// How many clients are served at once; who comes then is turned away.
        package var clientsMax = 1_000
        /// Told of each event as it happens, on the recorder's event loop.
        package var observe: (@Sendable (Conversation.Event) -> Void)?

        /// Options without TLS.
        package init(listen: Endpoint, server: Endpoint) {
            self.listen = listen
            self.server = server
        }
    }

    /// The port that clients connect to; nil for a Unix socket.
    package var port: Int? { channel.localAddress?.port }

    private let channel: any Channel
    private let tape: NIOLoopBound<Tape>
    private let eventLoop: any EventLoop

    /// Starts to listen.
    ///
    /// - Throws: ``ConnectFailure`` if nothing can listen there.
    package static func start(
        _ dialect: Dialect, _ options: Options
    ) async throws(ConnectFailure) -> Recorder {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        var made: NIOLoopBound<Tape>?
        do {
            let tape = try await eventLoop.submit {
                NIOLoopBound(Tape(dialect, options, eventLoop), eventLoop: eventLoop)
            }.get()
            made = tape
            let channel = try await listen(options, eventLoop, tape)
            return Recorder(channel: channel, tape: tape, eventLoop: eventLoop)
        } catch {
            if let made { _ = try? await eventLoop.submit { made.value.finish() }.get() }
            throw ConnectFailure(reason(error, options))
        }
    }

    private static func reason(_ error: any Error, _ options: Options) -> String {
        let place = options.listen.place
        guard let error = error as? IOError, error.errnoCode == EADDRINUSE else {
            let failure = ConnectFailure(error, endpoint: options.listen, timeout: 0)
            return "cannot listen at \(place): \(failure.reason)"
        }
        return "cannot listen at \(place): something else listens there"
    }

    private static func listen(
        _ options: Options, _ eventLoop: any EventLoop, _ tape: NIOLoopBound<Tape>
    ) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: eventLoop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try tape.value.accept(channel) }
            }
        switch options.listen.address {
        case .unix(let path):
            return try await bootstrap.bind(
                unixDomainSocketPath: path, cleanupExistingSocketFile: true
            ).get()
        case .host(let host, let port):
            return try await bootstrap.bind(host: host, port: port ?? 0).get()
        }
    }

    /// Returns when there was a client and the last one has gone.
    package func untilIdle() async {
        let tape = self.tape
        let idle = try? await eventLoop.submit { tape.value.idle.futureResult }.get()
        try? await idle?.get()
    }

    /// Stops: connections are closed, and what was said is told.
    package func finish() async -> Recording {
        try? await channel.close()
        let tape = self.tape
        let recording = try? await eventLoop.submit { tape.value.finish() }.get()
        return recording ?? Recording(conversation: Conversation(), remarks: [])
    }
}

/// What was recorded.
package struct Recording: Sendable {
    /// What was said.
    package var conversation: Conversation
    /// What went wrong with connections.
    package var remarks: [String]
}
