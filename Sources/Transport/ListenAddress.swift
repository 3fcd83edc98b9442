package import NIOCore

/// An address for a socket to listen on.
package enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// A host name or an IP address, and a port. For port 0, the system chooses a free port.
    case tcp(host: String, port: Int)
    case unixSocket(path: String)

    package var description: String {
        switch self {
        case .tcp(let host, let port) where host.contains(":"): "[\(host)]:\(port)"
        case .tcp(let host, let port): "\(host):\(port)"
        case .unixSocket(let path): path
        }
    }

    /// Returns the address with the IP address and port that the channel actually listens on.
    package func settled(by channel: any Channel) -> ListenAddress {
        guard case .tcp = self, let local = channel.localAddress, let host = local.ipAddress,
            let port = local.port
        else { return self }
        return .tcp(host: host, port: port)
    }
}

extension ListenAddress {
    /// The error for text that is not a valid address.
    package struct Malformed: Error {
        /// The part that is missing or was expected.
        package var message: String
    }

    /// Parses `host:port`, `[::1]:port`, `:port` or `unix:path`.
    package init(parsing text: String) throws(Malformed) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            guard !path.isEmpty else { throw Malformed(message: "missing path: write unix:/path") }
            self = .unixSocket(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"),
            let port = Int(text[text.index(after: colon)...]), (0...65_535).contains(port)
        else {
            throw Malformed(message: "expected host:port such as 127.0.0.1:7000, or unix:/path")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.contains(where: { "@/?#".contains($0) }) else {
            throw Malformed(
                message:
                    "expected only host:port such as 127.0.0.1:7000, without a scheme or user name")
        }
        self = .tcp(host: host.isEmpty ? "127.0.0.1" : host, port: port)
    }
}
