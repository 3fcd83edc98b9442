import Glibc
import LineProtocol
import NIOCore
import NIOPosix
import Transcript

/// A client's connection, and the connection to the server that was opened for it.
final class RelayedConnection {
    let number: Int
    private let client: any Channel
    private var server: (any Channel)?
    private var reader: ConversationReader
    private let recorder: ConnectionRecorder
    private var ended: Set<Direction> = []
    private var isOver = false

    init(
        _ number: Int, _ client: any Channel, _ reader: ConversationReader,
        _ recorder: ConnectionRecorder
    ) {
        self.number = number
        self.client = client
        self.reader = reader
        self.recorder = recorder
    }

    /// Called when the server connection is established. Starts reading from both sides.
    func join(_ server: any Channel) {
        guard !isOver else { return server.close(promise: nil) }
        self.server = server
        setReading(client, true)
        setReading(server, true)
    }

    private func peer(of side: Direction) -> (any Channel)? {
        side == .fromClient ? server : client
    }

    func received(_ buffer: ByteBuffer, from side: Direction) {
        let bytes = Array(buffer.readableBytesView)
        reader.read(bytes, from: side) { recorder.add(.line($0), self) }
        peer(of: side)?.writeAndFlush(buffer, promise: nil)
    }

    /// Called when a side closes its sending direction. Forwards the close to the other side.
    func finished(_ side: Direction) {
        guard !isOver, ended.insert(side).inserted else { return }
        if let rest = reader.finish(side) { recorder.add(.line(rest), self) }
        recorder.add(.closed(by: side, isReset: false), self)
        peer(of: side)?.close(mode: .output, promise: nil)
        if ended.count == 2 { end() }
    }

    /// Called when a side resets its connection. Resets the other side's connection as well.
    func reset(_ side: Direction) {
        guard !isOver else { return }
        if ended.insert(side).inserted { recorder.add(.closed(by: side, isReset: true), self) }
        guard let socket = peer(of: side) as? any SocketOptionProvider else { return end() }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
            self.end()
        }
    }

    /// Called when a side becomes able or unable to accept data. Pauses reading from the other side
    /// while it is unable.
    func writabilityChanged(_ side: Direction, isWritable: Bool) {
        guard let other = peer(of: side) else { return }
        setReading(other, isWritable)
    }

    func end() {
        guard !isOver else { return }
        isOver = true
        // The empty write completes after all earlier writes, so that earlier data is still sent.
        for channel in [client, server].compactMap(\.self) {
            channel.writeAndFlush(ByteBuffer()).assumeIsolated().whenComplete { _ in
                channel.close(promise: nil)
            }
        }
        recorder.remove(self)
    }

    private func setReading(_ channel: any Channel, _ isOn: Bool) {
        channel.setOption(.autoRead, value: isOn).assumeIsolated().whenSuccess {
            if isOn { channel.read() }
        }
    }
}

/// The last handler of a channel pipeline. It passes events to its ``RelayedConnection``.
final class RelayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let pair: RelayedConnection
    private let side: Direction

    init(_ pair: RelayedConnection, _ side: Direction) {
        self.pair = pair
        self.side = side
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        pair.received(unwrapInboundIn(data), from: side)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { pair.finished(side) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        pair.finished(side)
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        pair.writabilityChanged(side, isWritable: context.channel.isWritable)
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError, [ECONNRESET, EPIPE].contains(error.errnoCode) {
            pair.reset(side)
        }
        context.close(promise: nil)
    }
}
