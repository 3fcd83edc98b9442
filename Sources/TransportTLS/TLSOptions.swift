/// How connections to a server are made secure.
public struct TLSOptions: Sendable, Hashable {
    /// A PEM file with the certificates to trust instead of the system's.
    public var authorityPath: String?
    /// Whether any certificate is taken: the connection is encrypted, but with whom is not known.
    public var isInsecure = false
    /// The name to ask for and to look for in the certificate; by default the host of the endpoint.
    public var serverName: String?
    /// A PEM file with our own certificate, and those that vouch for it, if the server asks for one.
    public var certificatePath: String?
    /// The PEM file with its key; by default the one with the certificate.
    public var keyPath: String?

    /// Options that trust what the system trusts.
    public init() {}
}
