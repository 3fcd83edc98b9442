import DialectModel
import LineProtocol

/// Decodes lines in WebSocket messages.
///
/// A WebSocket connection's `isRead` flag is false, so that looking for WebSocket messages does not
/// slow down other connections.
extension ConversationDecoder {
    /// Starts reading a WebSocket if the connection's first bytes are a handshake. Returns whether
    /// they are.
    @inline(never)
    mutating func beginWebSocket(
        _ connection: CapturedConnection, _ direction: Direction, _ bytes: Span<UInt8>
    ) -> Bool {
        guard bytes[0] == UInt8(ascii: "G"), direction == .fromClient,
            connection.half(direction).framer == nil, WebSocketReader.isHandshake(bytes)
        else { return false }
        connection.webSocket = WebSocketState()
        connection.isRead = false
        return true
    }

    /// Decodes bytes of a WebSocket connection.
    @inline(never)
    mutating func webSocketBytes(
        _ connection: CapturedConnection, _ direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        guard let webSocket = connection.webSocket else { return }
        let isClient = direction == .fromClient
        var reader = isClient ? webSocket.client : webSocket.server
        var pieces: [WebSocketReader.Piece] = []
        var problem: WebSocketReader.Problem?
        do throws(WebSocketReader.Problem) {
            try reader.read(bytes) { pieces.append($0) }
        } catch {
            problem = error
        }
        for piece in pieces {
            var joiner =
                reader.joiner ?? makeJoiner(connection, direction, piece.bytes, packet)
            let bytes = piece.bytes + joiner.add(piece.bytes, isLast: piece.isLast)
            reader.joiner = joiner
            if !bytes.isEmpty { lines(connection, direction, bytes.span, packet) }
        }
        if isClient { webSocket.client = reader } else { webSocket.server = reader }
        if let problem { stopWebSocket(connection, direction, problem, packet) }
    }

    /// Detects the connection's dialect if it is unknown, and returns a joiner that adds the
    /// dialect's line terminators to WebSocket messages.
    private mutating func makeJoiner(
        _ connection: CapturedConnection, _ direction: Direction, _ bytes: [UInt8],
        _ packet: PacketInfo
    ) -> MessageJoiner {
        if connection.isUndecided {
            let line = bytes.last == ASCII.lf ? bytes : bytes + [ASCII.cr, ASCII.lf]
            switchDialect(to: connection, direction, line.span, packet)
        }
        guard dialects.dialects.indices.contains(connection.dialectIndex) else {
            return MessageJoiner([])
        }
        let framing = dialects.dialects[connection.dialectIndex].dialect.framing
        return MessageJoiner(framing.fitsInMessages ? framing.side(direction).lineEnds : [])
    }

    private mutating func stopWebSocket(
        _ connection: CapturedConnection, _ direction: Direction,
        _ problem: WebSocketReader.Problem,
        _ packet: PacketInfo
    ) {
        stopReading(connection)
        let note: ConversationNote = problem == .compressed ? .compressed : .outOfStep
        emitter.sink.note(note, connection, direction, packet)
    }
}
