import NIOCore
import NIOPosix

/// Probe that identifies the protocol of a server that does not speak the expected one.
package enum ProtocolProbe {
    /// A protocol that can be recognised by its first bytes.
    package enum Found: Sendable, Hashable {
        case tls, http, ssh
    }

    /// Maximum number of bytes read.
    private static let bytesMax = 1024

    /// Connects, sends the start of a TLS handshake and examines the answer. Returns nil if there
    /// is no answer in time or if the answer is not recognised.
    package static func identify(
        _ endpoint: Endpoint, withinNanoseconds timeout: Int64 = 1_000_000_000
    ) async -> Found? {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = eventLoop.makePromise(of: [UInt8].self)
        let bootstrap = ClientBootstrap(group: eventLoop).connectTimeout(.nanoseconds(timeout))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ClientHelloProbe(promise))
                }
            }
        do {
            let channel = try await bootstrap.connect(to: endpoint, on: eventLoop).get()
            eventLoop.scheduleTask(in: .nanoseconds(timeout)) { channel.close(promise: nil) }
            let bytes = try await promise.futureResult.get()
            try? await channel.close()
            return found(in: bytes)
        } catch {
            // If the connection failed, no handler completes the promise.
            promise.fail(error)
            return nil
        }
    }

    /// Returns the protocol that an answer belongs to; nil if it is not recognised.
    package static func found(in bytes: some Collection<UInt8>) -> Found? {
        let start = Array(bytes.prefix(bytesMax))
        // The first bytes of alert and handshake records in TLS 1.0 to 1.3.
        if start.count > 2, [0x15, 0x16].contains(start[0]), start[1] == 3 { return .tls }
        let text = String(decoding: start, as: UTF8.self).uppercased()
        if text.hasPrefix("SSH-") { return .ssh }
        let isPage = ["HTTP/1.", "<!DOCTYPE HTML", "<HTML"].contains { text.hasPrefix($0) }
        return isPage ? .http : nil
    }

    /// A TLS 1.2 ClientHello without extensions. Servers answer it with a ServerHello or an alert.
    fileprivate static let clientHello: [UInt8] = {
        let ciphers: [UInt8] = [
            0x13, 0x01, 0xC0, 0x2F, 0xC0, 0x30, 0xC0, 0x2B, 0xC0, 0x2C, 0x00, 0x9C, 0x00, 0x2F,
        ]
        let random = (0..<32).map { _ in UInt8.random(in: 0...255) }
        let hello: [UInt8] =
            [3, 3] + random + [0, 0, UInt8(ciphers.count)] + ciphers + [1, 0]
        let message: [UInt8] = [1, 0, 0, UInt8(hello.count)] + hello
        // The final line ends also make line-based servers answer.
        return [0x16, 3, 1, 0, UInt8(message.count)] + message + Array("\r\n\r\n".utf8)
    }()
}

/// Handler that sends a ClientHello and passes on the first bytes of the answer, or no bytes if the
/// connection ends first.
private final class ClientHelloProbe: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var promise: EventLoopPromise<[UInt8]>?

    init(_ promise: EventLoopPromise<[UInt8]>) { self.promise = promise }

    func channelActive(context: ChannelHandlerContext) {
        let buffer = context.channel.allocator.buffer(bytes: ProtocolProbe.clientHello)
        context.writeAndFlush(NIOAny(buffer), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        end(Array(unwrapInboundIn(data).readableBytesView))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { end([]) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end([])
        context.close(promise: nil)
    }

    private func end(_ bytes: [UInt8]) {
        promise?.succeed(bytes)
        promise = nil
    }
}
