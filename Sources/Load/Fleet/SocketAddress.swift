import Diagnostics
import Glibc
package import Transport

/// A resolved address to connect sockets to.
package struct SocketAddress: Sendable {
    private let storage: [UInt8]
    package let family: Int32
    /// The address as given; empty unless it is a local address to connect from.
    package private(set) var name = ""

    private init(_ storage: [UInt8], family: Int32) {
        self.storage = storage
        self.family = family
    }

    package var isLoopback: Bool {
        switch family {
        case AF_INET: storage.count > 4 && storage[4] == 127
        case AF_INET6:
            storage.count >= 24 && storage[8..<23].allSatisfy { $0 == 0 } && storage[23] == 1
        default: true
        }
    }

    /// True if this is the address of a Unix socket.
    package var isLocal: Bool { family == AF_UNIX }

    /// Parses a local IP address to connect from. The system chooses the port.
    package init(source text: String) throws {
        try self.init(host: text, port: 0)
        name = text
    }

    /// Resolves an endpoint.
    package init(_ endpoint: Endpoint) throws {
        switch endpoint.address {
        case .unix(let path): try self.init(path: path)
        case .host(let host, let port): try self.init(host: host, port: port ?? 0)
        }
    }

    private init(path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw Diagnosed([Diagnostic(.error, "load.bad-address", "the path is too long")])
        }
        var storage = unsafe withUnsafeBytes(of: &address) { unsafe Array($0) }
        storage.replaceSubrange(2..<2 + bytes.count, with: bytes)
        self.init(storage, family: AF_UNIX)
    }

    private init(host: String, port: Int) throws {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>? = nil
        let code = unsafe getaddrinfo(host, String(port), &hints, &list)
        defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
        guard code == 0, let first = unsafe list else {
            throw Diagnosed([
                Diagnostic(
                    .error, "load.unknown-host",
                    "host \(host) not found: \(unsafe String(cString: gai_strerror(code)))")
            ])
        }
        let bytes = unsafe UnsafeRawBufferPointer(
            start: first.pointee.ai_addr, count: Int(first.pointee.ai_addrlen))
        self.init(unsafe Array(bytes), family: unsafe first.pointee.ai_family)
    }

    /// Returns the address whose last byte is `last`, such as `127.0.0.2`, without a port; nil
    /// unless this is an IPv4 loopback address. Each loopback address has its own range of 28,000
    /// ports.
    package func loopbackSource(_ last: UInt8) -> SocketAddress? {
        guard family == AF_INET, isLoopback else { return nil }
        var copy = storage
        (copy[2], copy[3]) = (0, 0)
        copy[7] = last
        return SocketAddress(copy, family: family)
    }

    /// Starts connecting a socket. Returns 0 or an error number.
    func connect(_ socket: Int32) -> Int32 {
        unsafe call(socket) { unsafe Glibc.connect($0, $1, $2) }
    }

    /// Binds a socket to this address, which has no port. Returns 0 or an error number.
    ///
    /// The kernel chooses the port when the socket connects. If it chose one now, the port would
    /// have to be free for all destinations, and finding one would take long.
    func bind(_ socket: Int32) -> Int32 {
        var isOn: CInt = 1
        _ = unsafe setsockopt(
            socket, CInt(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &isOn,
            socklen_t(MemoryLayout<CInt>.size))
        return unsafe call(socket) { unsafe Glibc.bind($0, $1, $2) }
    }

    private func call(
        _ socket: Int32, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        unsafe storage.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return EINVAL }
            let address = unsafe base.assumingMemoryBound(to: sockaddr.self)
            return unsafe body(socket, address, socklen_t(bytes.count)) == 0 ? 0 : errno
        }
    }
}
