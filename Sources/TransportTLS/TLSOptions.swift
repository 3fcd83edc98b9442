/// TLS options for connections to a server.
public struct TLSOptions: Sendable, Hashable {
    /// Path of a PEM file with CA certificates to trust; nil to trust the system's.
    public var authorityPath: String?
    /// True to accept any certificate. The connection is then encrypted, but the server is not
    /// authenticated.
    public var isInsecure = false
    /// The server name for SNI and for checking certificates; nil for the host of the endpoint.
    public var serverName: String?
    /// Path of a PEM file with the client's certificate and its chain, for servers that request
    /// one; nil to send none.
    public var certificatePath: String?
    /// Path of a PEM file with the client's private key; nil if it is in the file at
    /// `certificatePath`.
    public var keyPath: String?

    /// Creates options that trust the certificates of the system.
    public init() {}
}
