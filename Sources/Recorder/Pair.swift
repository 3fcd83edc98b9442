import Glibc
import LineProtocol
import NIOCore
import NIOPosix
import Transcript

/// A client's connection and the one to the server that was made for it.
final class Pair {
    let number: Int
    private let client: any Channel
    private var server: (any Channel)?
    private var reader: ConversationReader
    private let tape: Tape
    private var ended: Set<Direction> = []
    private var isOver = false

    init(_ number: Int, _ client: any Channel, _ reader: ConversationReader, _ tape: Tape) {
        self.number = number
        self.client = client
        self.reader = reader
        self.tape = tape
    }

    /// The connection to the server stands: now both sides are read from.
    func join(_ server: any Channel) {
        guard !isOver else { return server.close(promise: nil) }
        self.server = server
        setReading(client, true)
        setReading(server, true)
    }

    private func peer(of side: Direction) -> (any Channel)? {
        side == .fromClient ? server : client
    }

    private func channel(_ side: Direction) -> (any Channel)? {
        side == .fromClient ? client : server
    }

    func received(_ buffer: ByteBuffer, from side: Direction) {
        let bytes = Array(buffer.readableBytesView)
        reader.read(bytes, from: side) { tape.add(.line($0), self) }
        peer(of: side)?.writeAndFlush(buffer, promise: nil)
    }

    /// A side has ended its direction: the other is told so.
    func finished(_ side: Direction) {
        guard !isOver, ended.insert(side).inserted else { return }
        if let rest = reader.finish(side) { tape.add(.line(rest), self) }
        tape.add(.closed(by: side, isReset: false), self)
        peer(of: side)?.close(mode: .output, promise: nil)
        if ended.count == 2 { end() }
    }

    /// A side has gone with a reset: the other gets one too.
    func reset(_ side: Direction) {
        guard !isOver else { return }
        if ended.insert(side).inserted { tape.add(.closed(by: side, isReset: true), self) }
        guard let socket = peer(of: side) as? any SocketOptionProvider else { return end() }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
            self.end()
        }
    }

    /// A side that takes nothing more stops the other from being read.
    func writabilityChanged(_ side: Direction, isWritable: Bool) {
        guard let other = peer(of: side) else { return }
        setReading(other, isWritable)
    }

    /// Both connections are over.
    func end() {
        guard !isOver else { return }
        isOver = true
        // What was written still goes out: the empty write comes back after it.
        for channel in [client, server].compactMap(\.self) {
            channel.writeAndFlush(ByteBuffer()).assumeIsolated().whenComplete { _ in
                channel.close(promise: nil)
            }
        }
        tape.remove(self)
    }

    private func setReading(_ channel: any Channel, _ isOn: Bool) {
        channel.setOption(.autoRead, value: isOn).assumeIsolated().whenSuccess {
            if isOn { channel.read() }
        }
    }
}

/// Stands at the end of a connection's pipeline and tells its pair what comes.
final class RelayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let pair: Pair
    private let side: Direction

    init(_ pair: Pair, _ side: Direction) {
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
