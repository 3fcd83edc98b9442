import HTTPEndpoint
import NIOCore
import NIOEmbedded
import Transport

extension FuzzTarget {
    static func http(_ bytes: [UInt8]) {
        guard bytes.count > 2 else { return }
        let channel = EmbeddedChannel()
        let events = EventStream()
        let site = LiveSite(
            at: .tcp(host: "127.0.0.1", port: 80), token: bytes[0] & 2 == 0 ? nil : "token",
            page: { "<p>page</p>" }, events: events, command: { $0 == "stop" })
        do {
            try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            let isSite = bytes[0] & 1 == 0
            try HTTPServer.configure(channel.pipeline.syncOperations) { request in
                isSite ? site.answer(request) : MetricsServer.answer(request) { "metric 1\n" }
            }
        } catch {
            return
        }
        let size = Int(bytes[1]) + 1
        var rest = bytes.dropFirst(2)
        while !rest.isEmpty, channel.isActive {
            _ = try? channel.writeInbound(ByteBuffer(bytes: rest.prefix(size)))
            rest = rest.dropFirst(size)
            events.send("figures", "1\n2")
            while (try? channel.readOutbound(as: ByteBuffer.self)) != nil {}
        }
        _ = try? channel.finish()
        // Otherwise, scheduled timeouts keep the channel.
        channel.embeddedEventLoop.advanceTime(by: .minutes(1))
    }
}
