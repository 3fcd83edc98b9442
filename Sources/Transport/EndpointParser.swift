import Diagnostics

/// Parser for server addresses. Errors underline the part that is wrong.
struct EndpointParser {
    private static let forms =
        "tcp://HOST:PORT, tls://HOST:PORT, irc://HOST, ircs://HOST, ws://HOST/PATH, wss://HOST/PATH, "
        + "HOST:PORT, [::1]:PORT, unix:/PATH"
    /// The maximum length of a path in `sockaddr_un` in bytes, without the final NUL.
    private static let unixPathBytesMax = 107

    private struct Scheme {
        var name: String
        var isSecure = false
        var dialect: String?
        var port: Int?
        var isWebSocket = false
    }

    private static let schemes = [
        Scheme(name: "tcp"), Scheme(name: "tls", isSecure: true),
        Scheme(name: "irc", dialect: "irc", port: 6667),
        Scheme(name: "ircs", isSecure: true, dialect: "irc", port: 6697),
        Scheme(name: "nats", dialect: "nats", port: 4222),
        Scheme(name: "livechat", dialect: "livechat"),
        Scheme(name: "ws", port: 80, isWebSocket: true),
        Scheme(name: "wss", isSecure: true, port: 443, isWebSocket: true),
        Scheme(name: "unix"),
    ]

    private static var schemesHelp: String {
        "supported schemes: \(schemes.map(\.name).joined(separator: ", ")); for other protocols, "
            + "use tcp or tls, and --dialect"
    }

    private let source: SourceText
    let bytes: [UInt8]
    private var scheme = schemes[0]
    /// Offset of the start of the part that is being parsed.
    private var offset = 0
    /// Offset of the end of the text to parse, which does not include a trailing `/`.
    private var end: Int {
        if let authorityEnd { return authorityEnd }
        return bytes.count > offset && bytes.last == UInt8(ascii: "/")
            ? bytes.count - 1 : bytes.count
    }
    /// Offset of the end of host and port in an address with more parts; nil in other addresses.
    private var authorityEnd: Int?
    /// The allowed ports.
    private let ports: ClosedRange<Int>
    /// The version of the PROXY protocol, if the address specifies one.
    private var proxy: ProxyProtocol?

    init(_ text: String, option: String, ports: ClosedRange<Int> = 1...65_535) {
        self.ports = ports
        bytes = Array(text.utf8)
        source = SourceText(path: option, bytes: bytes).covering(Self.credentials(in: bytes))
    }

    /// Returns the parts of an address that may be secret: everything before `@` except the scheme,
    /// and the query (without the options of a WebSocket address). They are not shown in errors.
    private static func credentials(in bytes: [UInt8]) -> [Range<Int>] {
        let start = bytes.firstRange(of: Array("://".utf8))?.upperBound ?? 0
        let isWebSocket = bytes.starts(with: "ws".utf8)
        let fragment = isWebSocket ? bytes.firstIndex(of: UInt8(ascii: "#")) : nil
        let end = fragment ?? bytes.count
        let query = bytes[start..<max(start, end)].firstIndex(of: UInt8(ascii: "?"))
            .map { $0 + 1..<end }
        let at = bytes[start...].lastIndex(of: UInt8(ascii: "@"))
        return [at.map { start..<$0 }, query].compactMap(\.self)
    }

    mutating func endpoint() throws(Diagnosed) -> Endpoint {
        guard !bytes.isEmpty else { throw error("the server address is empty", 0..<0) }
        guard bytes.count <= Endpoint.textBytesMax else {
            throw error("the server address is longer than \(Endpoint.textBytesMax) bytes", 0..<0)
        }
        try readScheme()
        if scheme.name == "unix" { return try unixSocket() }
        var webSocket: WebSocketAddress?
        if scheme.isWebSocket {
            let (found, start) = try webSocketAddress(from: offset)
            (webSocket, authorityEnd) = (found, start)
        } else {
            try readOptions()
        }
        try refuseMore()
        var endpoint = try hostAndPort()
        endpoint.webSocket = webSocket
        endpoint.proxy = proxy
        return endpoint
    }

    // MARK: Options

    /// Parses the options after `#` in an address without WebSocket.
    private mutating func readOptions() throws(Diagnosed) {
        guard let start = bytes[offset...].firstIndex(of: UInt8(ascii: "#")) else { return }
        let hasSlash = start > offset && bytes[start - 1] == UInt8(ascii: "/")
        authorityEnd = hasSlash ? start - 1 : start
        for option in options(from: start + 1) where try !readProxy(option) {
            throw error(
                "unknown option `\(escapedForDisplay(option.name))`", option.range,
                help: "options: proxy=v1|v2")
        }
    }

    /// An option in the form `name=value`.
    typealias Option = (name: String, value: Range<Int>, range: Range<Int>)

    /// Returns the options that start at an offset, separated by commas.
    func options(from start: Int) -> [Option] {
        var options: [Option] = []
        var next = start
        while next < bytes.count {
            let end = bytes[next...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
            let equals = bytes[next..<end].firstIndex(of: UInt8(ascii: "=")) ?? end
            options.append((text(next..<equals), min(equals + 1, end)..<end, next..<end))
            next = end + 1
        }
        return options
    }

    /// Reads the option `proxy`. Returns false if the option is another one.
    mutating func readProxy(_ option: Option) throws(Diagnosed) -> Bool {
        guard option.name == "proxy" else { return false }
        guard !ports.contains(0) else {
            throw error(
                "Linejudge does not read the PROXY protocol", option.range,
                help: "remove the option; it is for addresses to connect to")
        }
        guard let version = ProxyProtocol(rawValue: text(option.value)) else {
            throw error("expected `v1` or `v2`", option.value, help: "write proxy=v1")
        }
        proxy = version
        return true
    }

    private func hostAndPort() throws(Diagnosed) -> Endpoint {
        var (host, rest) = try readHost()
        if rest.isEmpty { return made(host, scheme.port) }
        rest = rest.dropFirst()
        host = host.lowercased()
        return made(host, try port(rest))
    }

    private func made(_ host: String, _ port: Int?) -> Endpoint {
        Endpoint(
            .host(host, port: port), isSecure: scheme.isSecure, dialect: scheme.dialect)
    }

    // MARK: Scheme

    /// Parses a scheme: a word followed by `://`, or `unix:`. `localhost:6667` has no scheme.
    private mutating func readScheme() throws(Diagnosed) {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return }
        let word = text(0..<colon).lowercased()
        let hasSlashes = bytes[colon...].starts(with: "://".utf8)
        guard hasSlashes || word == "unix" else { return }
        guard let known = Self.schemes.first(where: { $0.name == word }) else {
            let meant = didYouMean(word, among: Self.schemes.lazy.map(\.name))
            throw error(
                "unsupported scheme `\(escapedForDisplay(word))`", 0..<colon,
                help: meant.map { "did you mean `\($0)://`?" } ?? Self.schemesHelp)
        }
        scheme = known
        offset = hasSlashes ? colon + 3 : colon + 1
    }

    private func unixSocket() throws(Diagnosed) -> Endpoint {
        let path = text(offset..<bytes.count)
        guard !path.isEmpty else {
            throw error("the path is missing", offset..<offset, help: "write unix:/run/chat.sock")
        }
        guard path.utf8.count <= Self.unixPathBytesMax, !path.utf8.contains(0) else {
            throw error(
                "a Unix socket path is limited to \(Self.unixPathBytesMax) bytes",
                offset..<bytes.count, help: "use a shorter path, such as one under /tmp")
        }
        return Endpoint(.unix(path: path))
    }

    /// Rejects a user name, path or query, which would otherwise be ignored.
    private func refuseMore() throws(Diagnosed) {
        let checked = offset..<(authorityEnd ?? bytes.count)
        if let at = bytes[checked].firstIndex(of: UInt8(ascii: "@")) {
            throw error(
                "a server address cannot contain a user name", offset..<at + 1,
                help: "use only host and port; the scenario logs in")
        }
        let more: Set<UInt8> = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
        if let start = bytes[offset..<end].firstIndex(where: more.contains) {
            throw error(
                "unexpected text after the port", start..<bytes.count,
                help: "use only host and port")
        }
    }

    // MARK: Host and port

    /// Returns the host, and the range that starts with the colon before the port (empty if there
    /// is no port).
    private func readHost() throws(Diagnosed) -> (String, Range<Int>) {
        if offset < end, bytes[offset] == UInt8(ascii: "[") { return try readBracketed() }
        let colons = bytes[offset..<end].indices.filter { bytes[$0] == UInt8(ascii: ":") }
        if colons.count > 1 {
            throw error(
                "an IPv6 address must be in brackets", offset..<end,
                help: "write [::1]:6667")
        }
        let hostEnd = colons.first ?? end
        guard hostEnd > offset else {
            throw error(
                "the host is missing", offset..<end,
                help: "write localhost\(text(offset..<end))")
        }
        if let bad = bytes[offset..<hostEnd].firstIndex(where: { !Self.isHostByte($0) }) {
            throw error(
                "a host name can contain only letters, digits, `-`, `.` and `_`", bad..<bad + 1,
                help: bytes[bad] >= 0x80 ? "write the name in Punycode, starting with xn--" : nil)
        }
        if colons.isEmpty, let number = Int(text(offset..<hostEnd)) {
            throw error(
                "the host is missing", offset..<end, help: "write localhost:\(number)")
        }
        return (text(offset..<hostEnd), hostEnd..<end)
    }

    private func readBracketed() throws(Diagnosed) -> (String, Range<Int>) {
        guard let close = bytes[offset..<end].firstIndex(of: UInt8(ascii: "]")) else {
            throw error("the bracket is not closed", offset..<offset + 1, help: "write [::1]:6667")
        }
        let inside = offset + 1..<close
        let allowed = bytes[inside].allSatisfy { Self.isHostByte($0) || "%:".utf8.contains($0) }
        guard allowed, bytes[inside].contains(UInt8(ascii: ":")) else {
            throw error("not an IPv6 address", inside, help: "write [::1]:6667")
        }
        guard close + 1 == end || bytes[close + 1] == UInt8(ascii: ":") else {
            throw error("expected `:` and the port", close + 1..<end, help: "write [::1]:6667")
        }
        return (text(inside), close + 1..<end)
    }

    private func port(_ range: Range<Int>) throws(Diagnosed) -> Int {
        let digits = text(range)
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(digits),
            ports.contains(port)
        else {
            throw error(
                digits.isEmpty
                    ? "the port is missing"
                    : "a port must be a number from \(ports.lowerBound) to \(ports.upperBound)",
                range.isEmpty ? range.lowerBound - 1..<range.lowerBound : range)
        }
        return port
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    func error(_ message: String, _ range: Range<Int>, help: String? = nil) -> Diagnosed {
        let range = SourceRange(start: range.lowerBound, end: range.upperBound)
        let diagnostic = Diagnostic(
            .error, "transport.bad-server", message,
            at: DiagnosticLocation(source: source, range: range))
        return Diagnosed(diagnostic.help(help ?? "supported forms: \(Self.forms)"))
    }
}
