import LineProtocol
import NIOCore
import NIOPosix
import Transcript
import Transport

/// A relay between clients and a server that records their conversation. All connections share one
/// event loop, so events are recorded in order.
final class ConnectionRecorder {
    private static let warningsMax = 16

    let options: Recorder.Options
    let eventLoop: any EventLoop
    /// Promise that succeeds when at least one client has connected and all clients have
    /// disconnected, or when the recording ends.
    let idle: EventLoopPromise<Void>
    private let dialect: Dialect
    private let start = NIODeadline.now()
    private var conversation = Conversation()
    private var warnings: [String] = []
    private var pairs: [Int: RelayedConnection] = [:]
    private var pairsMade = 0

    init(_ dialect: Dialect, _ options: Recorder.Options, _ eventLoop: any EventLoop) {
        self.dialect = dialect
        self.options = options
        self.eventLoop = eventLoop
        idle = eventLoop.makePromise()
    }

    /// Accepts a client, and opens a connection to the server for it.
    func accept(_ client: any Channel) throws {
        guard pairs.count < options.clientsMax else {
            warn(
                "a client was refused: at most \(options.clientsMax) clients can connect at the "
                    + "same time"
            )
            client.close(promise: nil)
            return
        }
        try options.prepareClient?(client)
        let pair = RelayedConnection(pairsMade, client, ConversationReader(dialect), self)
        pairsMade += 1
        pairs[pair.number] = pair
        try client.pipeline.syncOperations.addHandler(RelayHandler(pair, .fromClient))
        add(.opened, pair)
        connect(pair)
    }

    private func connect(_ pair: RelayedConnection) {
        let bound = NIOLoopBound((pair, self), eventLoop: eventLoop)
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(.nanoseconds(options.connectTimeout))
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.autoRead, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        RelayHandler(bound.value.0, .fromServer))
                }
            }
        bootstrap.connect(to: options.server, on: eventLoop).assumeIsolated().whenComplete {
            outcome in
            let (pair, recorder) = bound.value
            switch outcome {
            case .success(let server): recorder.shakeHands(server, pair)
            case .failure(let error): recorder.failed(error, pair)
            }
        }
    }

    private func shakeHands(_ server: any Channel, _ pair: RelayedConnection) {
        guard options.server.needsHandshake else { return pair.join(server) }
        server.setOption(.autoRead, value: true).assumeIsolated().whenFailure { _ in }
        options.server.shakeHands(server, at: .first, options.security).assumeIsolated()
            .whenComplete { outcome in
                switch outcome {
                case .success: pair.join(server)
                case .failure(let error):
                    server.close(promise: nil)
                    self.failed(error, pair)
                }
            }
    }

    private func failed(_ error: any Error, _ pair: RelayedConnection) {
        let failure = ConnectFailure(
            error, endpoint: options.server, timeout: options.connectTimeout)
        warn("the server cannot be reached: \(failure.reason)")
        pair.end()
    }

    func add(_ kind: Conversation.Kind, _ pair: RelayedConnection) {
        let time = (NIODeadline.now() - start).nanoseconds
        let event = Conversation.Event(time: time, connection: pair.number, kind: kind)
        conversation.append(event)
        options.observe?(event)
    }

    func warn(_ text: String) {
        guard warnings.count < Self.warningsMax, !warnings.contains(text) else { return }
        warnings.append(text)
    }

    func remove(_ pair: RelayedConnection) {
        pairs[pair.number] = nil
        if pairs.isEmpty { idle.succeed() }
    }

    func finish() -> Recording {
        for pair in pairs.values { pair.end() }
        idle.succeed()
        return Recording(conversation: conversation, warnings: warnings)
    }
}
