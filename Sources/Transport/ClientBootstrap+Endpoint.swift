package import NIOCore
package import NIOPosix

extension ClientBootstrap {
    /// Connects to an endpoint without TLS.
    ///
    /// - Parameter eventLoop: the event loop of the connection.
    package func connect(
        to endpoint: Endpoint, on eventLoop: any EventLoop
    ) -> EventLoopFuture<any Channel> {
        switch endpoint.address {
        case .unix(let path): return connect(unixDomainSocketPath: path)
        case .host(_, port: nil):
            return eventLoop.makeFailedFuture(ConnectFailure("the port is missing"))
        case .host(let host, let port?):
            // IP addresses need no resolver, and so no thread that waits for one.
            if let address = try? SocketAddress(ipAddress: host, port: port) {
                return connect(to: address)
            }
            return connect(host: host, port: port)
        }
    }
}
