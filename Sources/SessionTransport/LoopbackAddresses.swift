package import NIOCore
import Synchronization

/// Addresses of 127.0.0.0/8, a new one for each connection, for servers that limit clients by
/// address.
package final class LoopbackAddresses: Sendable {
    /// The number of addresses, from 127.1.0.1.
    private static let count = 60_000
    private static let perBlock = 250
    private let used = Atomic(0)

    package init() {}

    /// Returns the next address, with any port.
    func next() throws -> SocketAddress {
        let index = used.wrappingAdd(1, ordering: .relaxed).oldValue % Self.count
        let (block, host) = (index / Self.perBlock, index % Self.perBlock + 1)
        return try SocketAddress(ipAddress: "127.1.\(block).\(host)", port: 0)
    }
}
