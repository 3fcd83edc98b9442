package import NIOCore

/// An address that a server listens at.
package enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// A name or an address of version 4 or 6, and a port; 0 is any free one.
    case tcp(host: String, port: Int)
    case unixSocket(path: String)

    package var description: String {
        switch self {
        case .tcp(let host, let port) where host.contains(":"): "[\(host)]:\(port)"
        case .tcp(let host, let port): "\(host):\(port)"
        case .unixSocket(let path): path
        }
    }

    /// The address with the number and the port that a listening channel was given.
    package func settled(by channel: any Channel) -> ListenAddress {
        guard case .tcp = self, let local = channel.localAddress, let host = local.ipAddress,
            let port = local.port
        else { return self }
        return .tcp(host: host, port: port)
    }
}
