package import NIOCore
package import NIOPosix

extension ClientBootstrap {
    /// Connects to an endpoint; what secures it comes after.
    ///
    /// - Parameter eventLoop: where the connection lives.
    package func connect(
        to endpoint: Endpoint, on eventLoop: any EventLoop
    ) -> EventLoopFuture<any Channel> {
        switch endpoint.address {
        case .unix(let path): return connect(unixDomainSocketPath: path)
        case .host(_, port: nil):
            return eventLoop.makeFailedFuture(ConnectFailure("the port is not known"))
        case .host(let host, let port?):
            // A number needs no resolver, and no thread to wait for one.
            if let address = try? SocketAddress(ipAddress: host, port: port) {
                return connect(to: address)
            }
            return connect(host: host, port: port)
        }
    }
}
