package import NIOCore
package import NIOPosix

extension ServerBootstrap {
    /// Listens on the address. Pauses accepting while the process has no free descriptors.
    package func bind(to address: ListenAddress) async throws(ListenFailure) -> any Channel {
        _ = serverChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(AcceptPause())
            }
        }
        do {
            return switch address {
            case .tcp(let host, let port): try await bind(host: host, port: port).get()
            case .unixSocket(let path): try await bind(unixDomainSocketPath: path).get()
            }
        } catch {
            throw ListenFailure(error, at: address)
        }
    }
}
