package import NIOCore

/// The address of a listening socket.
package enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// A host name or IP address, and a port (0 for any free port).
    case tcp(host: String, port: Int)
    case unixSocket(path: String)

    package var description: String {
        switch self {
        case .tcp(let host, let port) where host.contains(":"): "[\(host)]:\(port)"
        case .tcp(let host, let port): "\(host):\(port)"
        case .unixSocket(let path): path
        }
    }

    /// Returns the address with the actual IP address and port of a listening channel.
    package func settled(by channel: any Channel) -> ListenAddress {
        guard case .tcp = self, let local = channel.localAddress, let host = local.ipAddress,
            let port = local.port
        else { return self }
        return .tcp(host: host, port: port)
    }
}
