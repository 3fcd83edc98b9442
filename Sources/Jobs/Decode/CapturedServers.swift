import Capture

/// The connections to read from a capture, if not all.
package struct CapturedServers: Sendable {
    /// The server ports whose connections are read; empty for all.
    package var ports: [UInt16]
    /// Path of a TLS key log for decrypting them; nil if there is none.
    package var keys: String?

    package init(ports: [UInt16] = [], keys: String? = nil) {
        self.ports = ports
        self.keys = keys
    }
}

extension DecodeRequest {
    /// Limits decoding to some connections.
    package mutating func read(only servers: CapturedServers) {
        options.filters.ports = servers.ports
        options.reassembly.ports = Set(servers.ports)
        keys = servers.keys
    }
}
