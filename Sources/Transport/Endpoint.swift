public import Diagnostics

/// The address of a server: `tcp://host:port`, `tls://host:port`, `irc://host`, `ircs://host`,
/// `nats://host`, `livechat://host`, `ws://host/path`, `wss://host/path`, `host:port`, `[::1]:6667`
/// or `unix:/path`.
///
/// Only the syntax is checked. A host name is resolved when a connection is made.
public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
    /// The maximum length of the text in bytes.
    public static let textBytesMax = 1024

    /// The target of a connection: host and port, or the path of a Unix socket.
    public enum Address: Sendable, Hashable {
        /// A host name or an IP address. If the port is nil, the dialect's default port is used.
        case host(String, port: Int?)
        /// A Unix domain socket.
        case unix(path: String)
    }

    /// The target of a connection: host and port, or the path of a Unix socket.
    public var address: Address
    /// True if the connection uses TLS.
    public var isSecure: Bool
    /// The dialect that the scheme implies (`irc`, `nats`, `livechat`), or nil.
    public var dialect: String?
    /// The WebSocket part of the address; nil if the connection does not use WebSocket.
    package var webSocket: WebSocketAddress?
    /// The version of the PROXY protocol in which each connection starts with a header; nil for
    /// none.
    package var proxy: ProxyProtocol?

    /// Creates an endpoint.
    public init(_ address: Address, isSecure: Bool = false, dialect: String? = nil) {
        self.address = address
        self.isSecure = isSecure
        self.dialect = dialect
    }

    /// Parses an endpoint.
    ///
    /// - Parameters:
    ///   - text: the text to parse.
    ///   - option: the name of the option, shown in errors.
    public init(parsing text: String, option: String = "--server") throws(Diagnosed) {
        var parser = EndpointParser(text, option: option)
        self = try parser.endpoint()
    }

    /// Parses a WebSocket address to listen on. Unlike a server address, it may have port 0, which
    /// means that the system chooses a free port.
    package init(listening text: String) throws(Diagnosed) {
        var parser = EndpointParser(text, option: "--listen", ports: 0...65_535)
        self = try parser.endpoint()
    }

    /// The host name or IP address; nil for a Unix socket.
    public var host: String? {
        if case .host(let host, _) = address { host } else { nil }
    }

    /// True if the host is `localhost` or a loopback address.
    package var isLoopback: Bool {
        host.map { $0 == "localhost" || $0 == "::1" || $0.hasPrefix("127.") } ?? false
    }

    /// The port; nil if it is not given.
    public var port: Int? {
        if case .host(_, let port) = address { port } else { nil }
    }

    /// Returns a copy with this port if the endpoint has none.
    public func withDefaultPort(_ port: Int?) -> Endpoint {
        guard case .host(let host, port: nil) = address, let port else { return self }
        var copy = self
        copy.address = .host(host, port: port)
        return copy
    }

    /// True if the endpoint has everything needed to connect. A host must have a port.
    public var isComplete: Bool {
        switch address {
        case .host(_, let port): port != nil
        case .unix: true
        }
    }

    /// The address without a scheme: `127.0.0.1:6667`, `[::1]:6667`, `/run/chat.sock`.
    public var location: String {
        switch address {
        case .host(let host, let port):
            (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
        case .unix(let path): path
        }
    }

    /// The endpoint as text. The query of a WebSocket address is hidden, because it may contain
    /// secrets; text without a query parses back to the same endpoint.
    public var description: String { text(showsQuery: false) }

    /// The endpoint as text that parses back to the same endpoint. It may contain secrets.
    package var url: String { text(showsQuery: true) }

    private func text(showsQuery: Bool) -> String {
        if let webSocket {
            let target =
                webSocket.query == nil || showsQuery ? webSocket.target : webSocket.path + "?***"
            return (isSecure ? "wss://" : "ws://") + location + target + options
        }
        return switch address {
        case .host: (isSecure ? "tls://" : "tcp://") + location + options
        case .unix: "unix:" + location
        }
    }

    /// The options as text, with the `#` before them; empty if there are none.
    private var options: String {
        let given = (webSocket?.options ?? []) + (proxy.map { ["proxy=\($0.rawValue)"] } ?? [])
        return given.isEmpty ? "" : "#" + given.joined(separator: ",")
    }
}
