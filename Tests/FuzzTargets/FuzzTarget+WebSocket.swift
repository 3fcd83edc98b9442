import LineProtocol
import NIOCore
import NIOEmbedded
import Transport

extension FuzzTarget {
    static func webSocket(_ bytes: [UInt8]) {
        guard bytes.count > 2 else { return }
        var address = WebSocketAddress()
        if bytes[0] & 4 == 0 {
            address.clientLineEnds = [.crlf, .lf]
            address.serverLineEnds = [.cr, .crlf]
        }
        let channel = EmbeddedChannel()
        do {
            try prepare(channel, address, bytes[0])
        } catch {
            return
        }
        let size = Int(bytes[1]) + 1
        var rest = bytes.dropFirst(2)
        while !rest.isEmpty, channel.isActive {
            let piece = ByteBuffer(bytes: rest.prefix(size))
            rest = rest.dropFirst(size)
            _ = try? channel.writeInbound(piece)
            // What was received is sent back.
            while let received = try? channel.readInbound(as: ByteBuffer.self) {
                _ = try? channel.writeOutbound(received)
            }
            while (try? channel.readOutbound(as: ByteBuffer.self)) != nil {}
        }
        _ = try? channel.finish()
        // Otherwise, scheduled timeouts keep the channel.
        channel.embeddedEventLoop.advanceTime(by: .minutes(1))
    }

    private static func prepare(
        _ channel: EmbeddedChannel, _ address: WebSocketAddress, _ options: UInt8
    ) throws {
        let isServer = options & 1 == 0
        try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        if options & 2 == 0 {
            let front = PipelineFront()
            try channel.pipeline.syncOperations.addHandler(front)
            try WebSocketStream.add(
                after: front, isServer ? .server : .client, address,
                channel.pipeline.syncOperations)
        } else if isServer {
            try WebSocketServer(address).prepare(channel)
        } else {
            var endpoint = Endpoint(.host("localhost", port: 1))
            endpoint.webSocket = address
            endpoint.shakeHands(channel, at: .first, nil).whenComplete { _ in }
        }
    }
}
