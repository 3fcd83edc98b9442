package import LineProtocol

/// The WebSocket part of a server's address: the path, the query and the options after `#`.
package struct WebSocketAddress: Sendable, Hashable {
    /// The type of frames used for messages.
    package enum Frames: String, Sendable, Hashable, CaseIterable {
        case text, binary
    }

    /// The unit that a message carries: a line, or part of a stream.
    package enum Messages: String, Sendable, Hashable, CaseIterable {
        /// Each message is one line, without its terminator.
        case lines
        /// Messages form a byte stream, and their boundaries have no meaning.
        case stream
    }

    /// The path, which starts with `/`.
    package var path = "/"
    /// The query without its `?`; nil if there is none. It may contain secrets.
    package var query: String?
    /// The subprotocol to request; nil for none.
    package var subprotocol: String?
    /// The type of frames to send; nil to choose one for each message.
    package var frames: Frames?
    /// Whether messages contain lines or a byte stream; nil to choose based on the dialect.
    package var messages: Messages?
    /// The value of the `Origin` header; nil for the server's own origin.
    package var origin: String?
    /// The terminators that end a client's lines; empty if messages form a stream.
    package var clientLineEnds: [Terminator] = []
    /// The terminators that end a server's lines, starting with the terminator that servers send;
    /// empty if messages form a stream.
    package var serverLineEnds: [Terminator] = []

    package init() {}

    /// The path and the query, as sent in the handshake.
    var target: String { path + (query.map { "?\($0)" } ?? "") }

    /// The options as text.
    var options: [String] {
        [
            subprotocol.map { "protocol=\($0)" }, (frames?.rawValue).map { "frames=\($0)" },
            (messages?.rawValue).map { "messages=\($0)" }, origin.map { "origin=\($0)" },
        ].compactMap(\.self)
    }
}

extension Endpoint {
    /// Returns a copy for connections that speak the dialect. The dialect determines how lines are
    /// divided into WebSocket messages. An endpoint without WebSocket is returned unchanged.
    package func speaking(_ dialect: Dialect) -> Endpoint {
        guard var webSocket else { return self }
        webSocket.speak(dialect)
        var copy = self
        copy.webSocket = webSocket
        return copy
    }
}

extension WebSocketAddress {
    /// Sets the line ends of a dialect. If the dialect has payloads or is not framed in lines,
    /// messages form a stream, unless the address specifies otherwise.
    package mutating func speak(_ dialect: Dialect) {
        let framing = dialect.framing
        let messages = self.messages ?? (framing.fitsInMessages ? .lines : .stream)
        guard framing.unit == .line, messages == .lines else {
            (clientLineEnds, serverLineEnds) = ([], [])
            return
        }
        clientLineEnds = framing.fromClient.lineEnds
        serverLineEnds = framing.fromServer.lineEnds
    }
}
