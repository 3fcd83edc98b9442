import Glibc
import NIOCore

/// Version of the PROXY protocol, with which a proxy sends a server the address of the client for
/// which it opened a connection.
package enum ProxyProtocol: String, Sendable, Hashable, CaseIterable {
    case v1, v2

    /// The first bytes of a header in version 2.
    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]

    /// Returns the header for a connection between two addresses. If they are not IP addresses of
    /// the same version, the header contains no addresses.
    func header(from client: SocketAddress?, to server: SocketAddress?) -> [UInt8] {
        guard let client = IPEnd(client), let server = IPEnd(server),
            client.bytes.count == server.bytes.count
        else {
            return self == .v1
                ? Array("PROXY UNKNOWN\r\n".utf8) : Self.signature + [0x20, 0, 0, 0]
        }
        let isIPv4 = client.bytes.count == 4
        guard self == .v2 else {
            let words = [
                "PROXY", isIPv4 ? "TCP4" : "TCP6", client.text, server.text, "\(client.port)",
                "\(server.port)",
            ]
            return Array((words.joined(separator: " ") + "\r\n").utf8)
        }
        let ports = [client.port, server.port].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let body = client.bytes + server.bytes + ports
        return Self.signature + [0x21, isIPv4 ? 0x11 : 0x21, 0, UInt8(body.count)] + body
    }
}

/// One end of a TCP connection.
private struct IPEnd {
    var text: String
    /// The IP address in network byte order.
    var bytes: [UInt8]
    var port: UInt16

    /// Creates the end; nil if the address is not an IP address with a port.
    init?(_ address: SocketAddress?) {
        guard let address, let ip = address.ipAddress, let port = address.port else { return nil }
        // A link-local address may have a zone, as in `fe80::1%eth0`.
        text = String(ip.prefix { $0 != "%" })
        self.port = UInt16(clamping: port)
        let isIPv6 = ip.contains(":")
        bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
        guard unsafe inet_pton(isIPv6 ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return nil }
    }
}

/// A handler that sends a header of the PROXY protocol as soon as it is added to the pipeline of an
/// open connection.
final class ProxyHeaderSender: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let version: ProxyProtocol

    init(_ version: ProxyProtocol) { self.version = version }

    func handlerAdded(context: ChannelHandlerContext) {
        let header = version.header(
            from: context.channel.localAddress, to: context.channel.remoteAddress)
        context.writeAndFlush(
            NIOAny(context.channel.allocator.buffer(bytes: header)), promise: nil)
    }
}
