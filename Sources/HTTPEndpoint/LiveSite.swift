package import Transport

/// A site with a single page that updates while it is open, and commands such as `stop`.
///
/// Other sites open in the same browser must not be able to read the page or send commands:
/// - The `Host` header must match this address, so other names that resolve to it are rejected (DNS
///   rebinding).
/// - Commands require an `Origin` header with this address. Browsers set the header to the origin
///   of the page that sends the request.
/// - Unless the address is a loopback address, all requests require a token.
package struct LiveSite: Sendable {
    /// Required token; nil on a loopback address.
    package let token: String?
    private let address: ListenAddress
    private let page: @Sendable () -> String
    private let stream: EventStream
    private let command: @Sendable (String) -> Bool

    /// - Parameters:
    ///   - address: The address the server listens on. Its port may be 0.
    ///   - page: Returns the page.
    ///   - command: Executes a command, such as `stop`. Returns false if the command is unknown.
    package init(
        at address: ListenAddress, token: String?, page: @escaping @Sendable () -> String,
        events stream: EventStream, command: @escaping @Sendable (String) -> Bool
    ) {
        self.token = token
        self.address = address
        self.page = page
        self.stream = stream
        self.command = command
    }

    /// Returns true if only this machine can reach the address.
    package static func isLoopback(_ address: ListenAddress) -> Bool {
        switch address {
        case .unixSocket: true
        case .tcp(let host, _): host == "localhost" || host == "::1" || host.hasPrefix("127.")
        }
    }

    /// Returns a random 128-bit token.
    package static func makeToken() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Returns true if a browser on this machine would send this `Host` header for a loopback
    /// address.
    private func isOwn(_ host: String, _ port: Int?) -> Bool {
        var names = ["localhost", "127.0.0.1", "[::1]"]
        if case .tcp(let name, _) = address {
            names.append(name.contains(":") ? "[\(name)]" : name.lowercased())
        }
        // Browsers omit the default port.
        return names.contains { name in
            port.map { host == "\(name):\($0)" || $0 == 80 && host == name } ?? (host == name)
        }
    }

    package func answer(_ request: HTTPRequest) -> HTTPReply {
        guard let host = request.host?.lowercased() else {
            return .page(HTTPPage(.badRequest, "missing Host header\n"))
        }
        // For an address that other machines can reach, the valid names and ports are unknown; the
        // token protects the page.
        guard token != nil || isOwn(host, request.localPort) else {
            return .page(HTTPPage(.forbidden, "the Host header does not match this server\n"))
        }
        guard isAuthorised(request) else {
            return .page(HTTPPage(.forbidden, "missing or wrong token\n"))
        }
        switch (request.method, request.path) {
        case (.get, "/"):
            return .page(
                HTTPPage(.ok, type: "text/html; charset=utf-8", page(), headers: Self.headers))
        case (.get, "/events"): return .stream(stream)
        case (.get, _): return .page(HTTPPage(.notFound, "not found\n"))
        case (.post, _):
            let origin = request.origin?.lowercased()
            guard origin == "http://\(host)" || origin == "https://\(host)" else {
                return .page(HTTPPage(.forbidden, "commands are accepted only from the page\n"))
            }
            guard command(String(request.path.dropFirst())) else {
                return .page(HTTPPage(.notFound, "no such command\n"))
            }
            return .page(HTTPPage(.noContent, ""))
        case (.other, _):
            return .page(HTTPPage(.methodNotAllowed, "only GET and POST are supported\n"))
        }
    }

    private func isAuthorised(_ request: HTTPRequest) -> Bool {
        guard let token else { return true }
        let (given, expected) = (Array((request.parameter("token") ?? "").utf8), Array(token.utf8))
        // Compare in constant time, so the duration does not reveal how many bytes match.
        return given.count == expected.count
            && zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static let headers = [
        (name: "Content-Security-Policy", value: "frame-ancestors 'none'"),
        (name: "X-Content-Type-Options", value: "nosniff"),
        // The token must not leave this origin, but commands need an `Origin` header.
        (name: "Referrer-Policy", value: "same-origin"),
        (name: "Cross-Origin-Resource-Policy", value: "same-origin"),
        (name: "Cache-Control", value: "no-store"),
    ]
}
