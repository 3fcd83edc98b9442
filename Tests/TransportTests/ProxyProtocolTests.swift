import Diagnostics
import NIOCore
import NIOEmbedded
import Testing

@testable import Transport

/// Headers of the PROXY protocol, versions 1 and 2.
struct ProxyProtocolTests {
    private static let signature: [UInt8] = Array("\r\n\r\n\0\r\nQUIT\n".utf8)

    private func address(_ text: String, _ port: Int) throws -> SocketAddress {
        try SocketAddress(ipAddress: text, port: port)
    }

    @Test func version1IsALine() throws {
        let header = ProxyProtocol.v1.header(
            from: try address("192.0.2.7", 40_000), to: try address("127.0.0.1", 25))
        #expect(header == Array("PROXY TCP4 192.0.2.7 127.0.0.1 40000 25\r\n".utf8))
        let longest = ProxyProtocol.v1.header(
            from: try address("ffff:f:f:f:f:f:f:ffff", 65_535), to: try address("::1", 65_535))
        #expect(longest == Array("PROXY TCP6 ffff:f:f:f:f:f:f:ffff ::1 65535 65535\r\n".utf8))
    }

    @Test func version2IsBinary() throws {
        let header = ProxyProtocol.v2.header(
            from: try address("192.0.2.7", 40_000), to: try address("127.0.0.1", 25))
        #expect(
            header == Self.signature + [0x21, 0x11, 0, 12, 192, 0, 2, 7, 127, 0, 0, 1]
                + [0x9C, 0x40, 0, 25])
        let long = ProxyProtocol.v2.header(
            from: try address("2001:db8::1", 1), to: try address("::1", 2))
        #expect(long.count == 16 + 36)
        #expect(Array(long[12..<20]) == [0x21, 0x21, 0, 36, 0x20, 0x01, 0x0D, 0xB8])
        #expect(Array(long.suffix(5)) == [1, 0, 1, 0, 2])
    }

    @Test func connectionsWithoutIPAddressesHaveAHeaderWithoutAddresses() throws {
        let ends: [(SocketAddress?, SocketAddress?)] = [
            (nil, nil), (try address("127.0.0.1", 1), try address("::1", 1)),
            (try SocketAddress(unixDomainSocketPath: "/a"), try address("::1", 1)),
        ]
        for (client, server) in ends {
            #expect(
                ProxyProtocol.v1.header(from: client, to: server)
                    == Array("PROXY UNKNOWN\r\n".utf8))
            #expect(
                ProxyProtocol.v2.header(from: client, to: server) == Self.signature + [
                    0x20, 0, 0, 0,
                ])
        }
    }

    /// The header comes before anything else, even if the connection does not use TLS or WebSocket.
    @Test(arguments: ["tcp://127.0.0.1:6667#proxy=v1", "ws://127.0.0.1:6667/#proxy=v1"])
    func theHeaderIsSentFirst(text: String) throws {
        let endpoint = try Endpoint(parsing: text)
        #expect(endpoint.needsHandshake)
        let channel = EmbeddedChannel()
        channel.localAddress = try address("127.0.0.1", 50_000)
        channel.remoteAddress = try address("127.0.0.1", 6_667)
        try channel.connect(to: try address("127.0.0.1", 6_667)).wait()
        _ = endpoint.shakeHands(channel, at: .first, nil)
        let sent = try #require(try channel.readOutbound(as: ByteBuffer.self))
        let header = "PROXY TCP4 127.0.0.1 127.0.0.1 50000 6667\r\n"
        #expect(String(buffer: sent) == header)
        let next = try channel.readOutbound(as: ByteBuffer.self)
        #expect(
            next.map { String(buffer: $0).hasPrefix("GET / HTTP/1.1") }
                == (text.hasPrefix("ws") ? true : nil))
        _ = try? channel.finish()
    }

    @Test func aServersOwnAddressHasNoProxy() {
        #expect(throws: Diagnosed.self) { try Endpoint(listening: "ws://127.0.0.1:0/#proxy=v1") }
    }
}
