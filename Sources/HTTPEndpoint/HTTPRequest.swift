/// A request to an ``HTTPServer``. Bodies are ignored.
package struct HTTPRequest: Sendable {
    package enum Method: Sendable {
        case get, post, other
    }

    package var method: Method
    /// Path without the query, such as `/metrics`.
    package var path: String
    /// Query without the question mark; empty if there is none.
    package var query: String
    /// The `Host` header; nil unless there is exactly one.
    package var host: String?
    /// The `Origin` header; nil unless there is exactly one.
    package var origin: String?
    /// Port that received the request; nil on a Unix socket.
    package var localPort: Int?

    package init(
        _ method: Method, _ target: String, host: String? = nil, origin: String? = nil,
        localPort: Int? = nil
    ) {
        self.method = method
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "")
        query = parts.count > 1 ? String(parts[1]) : ""
        self.host = host
        self.origin = origin
        self.localPort = localPort
    }

    /// Returns the raw value of a query parameter; nil if it is missing.
    package func parameter(_ name: String) -> Substring? {
        query.split(separator: "&").first { $0.hasPrefix("\(name)=") }?.dropFirst(name.count + 1)
    }
}

/// A reply to an ``HTTPRequest``.
package enum HTTPReply: Sendable {
    case page(HTTPPage)
    /// Keeps the connection open for server-sent events.
    case stream(EventStream)
}

/// A complete response.
package struct HTTPPage: Sendable {
    package enum Status: Int, Sendable {
        case ok = 200
        case noContent = 204
        case badRequest = 400
        case forbidden = 403
        case notFound = 404
        case methodNotAllowed = 405
        case headersTooLarge = 431
    }

    package var status: Status
    package var type: String
    /// Additional headers, besides the content type and length.
    package var headers: [(name: String, value: String)]
    package var body: String

    package init(
        _ status: Status, type: String = "text/plain; charset=utf-8", _ body: String,
        headers: [(name: String, value: String)] = []
    ) {
        self.status = status
        self.type = type
        self.body = body
        self.headers = headers
    }
}
