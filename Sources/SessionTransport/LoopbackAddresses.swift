import Glibc
import NIOCore
import NIOPosix
import Synchronization
package import Transport

/// Source addresses in 127.0.0.0/8, different for each connection, for a server that limits the
/// number of clients per address.
package final class LoopbackAddresses: Sendable {
    /// Number of addresses, from 127.1.0.1, before they repeat.
    private static let count = 60_000
    private static let perBlock = 250
    /// The server's address, which is in 127.0.0.0/8 as well. Connections use it instead of the
    /// host name, which may also have IPv6 addresses.
    let server: SocketAddress
    private let used = Atomic(0)

    /// Creates addresses for connections to a server. Returns nil if its host has no address in
    /// 127.0.0.0/8.
    package init?(to endpoint: Endpoint) async {
        guard case .host(let host, let port?) = endpoint.address else { return nil }
        // Resolving a name may block, so it runs on a separate thread.
        let found = try? await NIOThreadPool.singleton.runIfActive {
            Self.loopbackAddress(of: host)
        }
        guard let address = found ?? nil,
            let server = try? SocketAddress(ipAddress: address, port: port)
        else { return nil }
        self.server = server
    }

    /// Returns the next address. The system chooses the port.
    func next() throws -> SocketAddress {
        let index = used.wrappingAdd(1, ordering: .relaxed).oldValue % Self.count
        let (block, host) = (index / Self.perBlock, index % Self.perBlock + 1)
        return try SocketAddress(ipAddress: "127.1.\(block).\(host)", port: 0)
    }

    /// Returns the first address of the host that is in 127.0.0.0/8; nil if there is none.
    private static func loopbackAddress(of host: String) -> String? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_INET
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>? = nil
        guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else { return nil }
        defer { unsafe freeaddrinfo(list) }
        var next = unsafe list
        while let entry = unsafe next {
            let bytes = unsafe UnsafeRawBufferPointer(
                start: entry.pointee.ai_addr, count: Int(entry.pointee.ai_addrlen))
            // In a `sockaddr_in`, the family and port are in the first four bytes.
            let address = unsafe Array(bytes.dropFirst(4).prefix(4))
            if address.first == 127 { return address.map(String.init).joined(separator: ".") }
            unsafe next = entry.pointee.ai_next
        }
        return nil
    }
}
