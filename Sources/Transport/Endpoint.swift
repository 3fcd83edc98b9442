public import Diagnostics

/// Where a server listens, as `--server` names it: `tcp://host:port`, `tls://host:port`,
/// `irc://host`, `ircs://host`, `nats://host`, `livechat://host`, `host:port`, `[::1]:6667` or
/// `unix:/path`.
///
/// Only the form is looked at; names are resolved when a connection is made.
public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
    /// The longest text that is taken for one.
    public static let textBytesMax = 1024

    /// What a connection is made to.
    public enum Address: Sendable, Hashable {
        /// A host by name or number; without a port until the dialect gives one.
        case host(String, port: Int?)
        /// A Unix domain socket.
        case unix(path: String)
    }

    /// What a connection is made to.
    public var address: Address
    /// Whether the connection speaks TLS.
    public var isSecure: Bool
    /// The dialect that the scheme names (`irc`, `nats`, `livechat`), if it names one.
    public var dialect: String?

    /// An endpoint from its parts.
    public init(_ address: Address, isSecure: Bool = false, dialect: String? = nil) {
        self.address = address
        self.isSecure = isSecure
        self.dialect = dialect
    }

    /// The endpoint that a text names, or what is wrong with it and what to write instead.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - option: where the text was given, for the error.
    public init(parsing text: String, option: String = "--server") throws(Diagnosed) {
        var parser = EndpointParser(text, option: option)
        self = try parser.endpoint()
    }

    /// The host, if it is one.
    public var host: String? {
        if case .host(let host, _) = address { host } else { nil }
    }

    /// The port, if it is known.
    public var port: Int? {
        if case .host(_, let port) = address { port } else { nil }
    }

    /// The same, with this port where none was given.
    public func withDefaultPort(_ port: Int?) -> Endpoint {
        guard case .host(let host, port: nil) = address, let port else { return self }
        var copy = self
        copy.address = .host(host, port: port)
        return copy
    }

    /// Whether a connection can be made: a host needs a port.
    public var isComplete: Bool {
        switch address {
        case .host(_, let port): port != nil
        case .unix: true
        }
    }

    /// The place without a scheme: `127.0.0.1:6667`, `[::1]:6667`, `/run/chat.sock`.
    public var place: String {
        switch address {
        case .host(let host, let port):
            (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
        case .unix(let path): path
        }
    }

    /// The text that names it again.
    public var description: String {
        switch address {
        case .host: (isSecure ? "tls://" : "tcp://") + place
        case .unix: "unix:" + place
        }
    }
}
