import ArgumentParser
import Diagnostics
import Transport

/// An address to listen on: `host:port`, `[::1]:port`, `:port` or `unix:path`.
struct ListenArgument {
    let address: ListenAddress

    init(_ argument: String) throws {
        address = try validated(\.message) { () throws(ListenAddress.Malformed) in
            try ListenAddress(parsing: argument)
        }
    }
}

/// An address to listen on for clients: a ``ListenArgument`` or `ws://host:port/path`.
struct ClientListenArgument {
    let address: ListenAddress
    /// The WebSocket part of the address; nil if clients connect without WebSocket.
    let webSocket: WebSocketAddress?
    /// True if the address requires TLS.
    let isSecure: Bool

    init(_ argument: String) throws {
        guard argument.hasPrefix("ws://") || argument.hasPrefix("wss://") else {
            address = try ListenArgument(argument).address
            webSocket = nil
            isSecure = false
            return
        }
        do {
            let endpoint = try Endpoint(listening: argument)
            address = .tcp(host: endpoint.host ?? "127.0.0.1", port: endpoint.port ?? 0)
            webSocket = endpoint.webSocket
            isSecure = endpoint.isSecure
        } catch {
            let diagnostic = error.diagnostics.first
            let help = diagnostic?.notes.first.map { "; \($0.text)" } ?? ""
            throw ValidationError((diagnostic?.message ?? "expected ws://host:port/path") + help)
        }
    }
}
