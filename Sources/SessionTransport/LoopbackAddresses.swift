import NIOCore
import Synchronization

/// Source addresses in 127.0.0.0/8, different for each connection, for servers that limit the
/// number of clients per address.
package final class LoopbackAddresses: Sendable {
    /// Number of addresses, from 127.1.0.1, before they repeat.
    private static let count = 60_000
    private static let perBlock = 250
    private let used = Atomic(0)

    package init() {}

    /// Returns the next address. The system chooses the port.
    func next() throws -> SocketAddress {
        let index = used.wrappingAdd(1, ordering: .relaxed).oldValue % Self.count
        let (block, host) = (index / Self.perBlock, index % Self.perBlock + 1)
        return try SocketAddress(ipAddress: "127.1.\(block).\(host)", port: 0)
    }
}
