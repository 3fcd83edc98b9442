import Diagnostics

/// A Prometheus endpoint of the server, and the metrics to read from it.
package struct MetricsSource: Sendable, Hashable {
    /// Maximum number of metrics from one endpoint.
    static let namesMax = 20

    package var host: String
    package var port: Int
    package var path: String
    package var names: [String]

    /// The error for a URL that cannot be used.
    package struct Malformed: Error {
        package var message: String
    }

    /// Parses `http://HOST:PORT/PATH#NAME,NAME`.
    package init(parsing text: String) throws(Malformed) {
        guard text.hasPrefix("http://") else {
            throw Malformed(message: "only http:// can be read; https:// is not supported")
        }
        let parts = text.dropFirst(7).split(
            separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let slash = parts[0].firstIndex(of: "/") ?? parts[0].endIndex
        let authority = parts[0][..<slash]
        guard !authority.contains("@"), !parts[0].unicodeScalars.contains(where: { $0.value <= 32 })
        else { throw Malformed(message: "the URL contains a user name or a space") }
        var host = String(authority)
        port = 80
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            guard let number = Int(authority[authority.index(after: colon)...]),
                (1...65_535).contains(number)
            else { throw Malformed(message: "the port must be a number from 1 to 65535") }
            port = number
            host = String(authority[..<colon])
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard !host.isEmpty else { throw Malformed(message: "the URL has no host") }
        self.host = host
        path = slash == parts[0].endIndex ? "/" : String(parts[0][slash...])
        names = parts.count > 1 ? parts[1].split(separator: ",").map(String.init) : []
        guard names.count <= Self.namesMax else {
            throw Malformed(message: "at most \(Self.namesMax) metrics can be read")
        }
    }

    /// The URL without the names.
    package var url: String {
        "http://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)"
    }
}
