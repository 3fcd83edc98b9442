/// TLS options for connections to a server.
public struct TLSOptions: Sendable, Hashable {
    /// Path of a PEM file with the CA certificates to trust instead of the system's.
    public var authorityPath: String?
    /// True to accept any certificate. The connection is encrypted, but the server is not
    /// authenticated.
    public var isInsecure = false
    /// The server name for SNI and certificate checks; defaults to the endpoint's host.
    public var serverName: String?
    /// Path of a PEM file with the client certificate and its chain, for servers that request one.
    public var certificatePath: String?
    /// Path of a PEM file with the private key; defaults to `certificatePath`.
    public var keyPath: String?

    /// Creates options that trust the system's certificates.
    public init() {}
}
