import Glibc
package import LineProtocol
package import NIOCore
import NIOPosix
package import Transcript
package import Transport

/// A proxy between clients and a server. It forwards all bytes and records the conversation.
package struct Recorder: Sendable {
    /// Recorder settings.
    package struct Options: Sendable {
        /// Address for clients to connect to: a host and port (0 for any free port) or a Unix
        /// socket.
        package var listen: Endpoint
        /// Server to forward bytes to.
        package var server: Endpoint
        /// Adds TLS to connections to the server; nil if the server does not use TLS.
        package var security: (any ConnectionSecurity)?
        /// Adds handlers, such as TLS, to the pipeline of a client's connection; nil to add none.
        package var prepareClient: (@Sendable (any Channel) throws -> Void)?
        /// Timeout for connecting to the server, in nanoseconds.
        package var connectTimeout: Int64 = 10_000_000_000
        /// Maximum number of concurrent clients. Any further clients are refused.
        package var clientsMax = 1_000
        /// Called for each event, on the recorder's event loop; nil to ignore events.
        package var observe: (@Sendable (Conversation.Event) -> Void)?

        package init(listen: Endpoint, server: Endpoint) {
            self.listen = listen
            self.server = server
        }
    }

    /// Port for clients to connect to; nil for a Unix socket.
    package var port: Int? { channel.localAddress?.port }

    private let channel: any Channel
    private let recorder: NIOLoopBound<ConnectionRecorder>
    private let eventLoop: any EventLoop

    /// Starts listening.
    ///
    /// - Throws: ``ConnectFailure`` if the address cannot be used.
    package static func start(
        _ dialect: Dialect, _ options: Options
    ) async throws(ConnectFailure) -> Recorder {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        var made: NIOLoopBound<ConnectionRecorder>?
        do {
            let recorder = try await eventLoop.submit {
                NIOLoopBound(ConnectionRecorder(dialect, options, eventLoop), eventLoop: eventLoop)
            }.get()
            made = recorder
            let channel = try await listen(options, eventLoop, recorder)
            return Recorder(channel: channel, recorder: recorder, eventLoop: eventLoop)
        } catch {
            if let made { _ = try? await eventLoop.submit { made.value.finish() }.get() }
            throw ConnectFailure(reason(error, options))
        }
    }

    private static func reason(_ error: any Error, _ options: Options) -> String {
        let address = options.listen.location
        guard let error = error as? IOError, error.errnoCode == EADDRINUSE else {
            let failure = ConnectFailure(error, endpoint: options.listen, timeout: 0)
            return "cannot listen on \(address): \(failure.reason)"
        }
        return "cannot listen on \(address): the address is in use"
    }

    private static func listen(
        _ options: Options, _ eventLoop: any EventLoop, _ recorder: NIOLoopBound<ConnectionRecorder>
    ) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: eventLoop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try recorder.value.accept(channel) }
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

    /// Waits until at least one client has connected and all clients have disconnected.
    package func untilIdle() async {
        let recorder = self.recorder
        let idle = try? await eventLoop.submit { recorder.value.idle.futureResult }.get()
        try? await idle?.get()
    }

    /// Stops listening, closes all connections and returns the recording.
    package func finish() async -> Recording {
        try? await channel.close()
        let recorder = self.recorder
        let recording = try? await eventLoop.submit { recorder.value.finish() }.get()
        return recording ?? Recording(conversation: Conversation(), warnings: [])
    }
}

/// The result of a recording.
package struct Recording: Sendable {
    package var conversation: Conversation
    /// Descriptions of connection problems.
    package var warnings: [String]
}
