import NIOCore
public import NIOPosix

/// Finds out whether anything listens.
public enum ConnectionProbe {
    /// Whether a connection can be made within a time; it is closed at once.
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
