import ArgumentParser
import Transport

/// Address to listen on: `host:port`, `[::1]:port`, `:port` or `unix:path`.
struct ListenArgument {
    let address: ListenAddress

    init(_ argument: String) throws {
        if argument.hasPrefix("unix:") {
            let path = String(argument.dropFirst(5))
            guard !path.isEmpty else {
                throw ValidationError("missing path: write unix:/path")
            }
            address = .unixSocket(path: path)
            return
        }
        guard let colon = argument.lastIndex(of: ":"),
            let port = Int(argument[argument.index(after: colon)...]), (0...65_535).contains(port)
        else {
            throw ValidationError("expected host:port such as 127.0.0.1:7000, or unix:/path")
        }
        var host = String(argument[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        address = .tcp(host: host.isEmpty ? "127.0.0.1" : host, port: port)
    }
}
