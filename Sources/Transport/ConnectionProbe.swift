import NIOCore
public import NIOPosix

/// Checks whether a server is listening.
public enum ConnectionProbe {
    /// Returns true if a connection can be made within the timeout. The connection is closed
    /// immediately.
    public static func accepts(
        _ endpoint: Endpoint, withinNanoseconds timeout: Int64 = 1_000_000_000,
        group: MultiThreadedEventLoopGroup = .singleton
    ) async -> Bool {
        let bootstrap = ClientBootstrap(group: group).connectTimeout(.nanoseconds(timeout))
        do {
            let channel: any Channel
            switch endpoint.address {
            case .unix(let path):
                channel = try await bootstrap.connect(unixDomainSocketPath: path).get()
            case .host(_, port: nil): return false
            case .host(let host, let port?):
                channel = try await bootstrap.connect(host: host, port: port).get()
            }
            try? await channel.close()
            return true
        } catch {
            return false
        }
    }
}
