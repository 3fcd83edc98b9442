import Glibc
import Testing

@testable import Load

/// The addresses that sockets connect to and from.
struct SocketAddressTests {
    /// If binding reserved a port, there could be only 28,000 connections from an address, to all
    /// servers together, and finding a free port would take long.
    @Test func bindingASourceAddressReservesNoPort() throws {
        let server = try SocketAddress(source: "127.0.0.1")
        let source = try #require(server.loopbackSource(2))
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(socket >= 0)
        defer { close(socket) }
        #expect(source.bind(socket) == 0)
        var name = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &name) { name in
            unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(socket, $0, &length)
            }
        }
        #expect(code == 0 && name.sin_port == 0)
        #expect(UInt32(bigEndian: name.sin_addr.s_addr) == 0x7F00_0002)
    }
}
