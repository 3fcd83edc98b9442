package import NIOCore
package import NIOPosix

extension ServerBootstrap {
    package func bind(to address: ListenAddress) async throws(ListenFailure) -> any Channel {
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
