import DialectModel
import LineProtocol

/// Decodes captures with several dialects. The decoder's own properties hold the state of the
/// current dialect, and `contexts` holds the state of the others, so a capture with a single
/// dialect has no overhead.
extension ConversationDecoder {
    /// Switches to a connection's dialect. If the dialect is not yet known, it is detected first.
    @inline(never)
    mutating func switchDialect(
        to connection: CapturedConnection, _ direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        if connection.isUndecided { decide(connection, direction, bytes, packet) }
        switchDialect(to: connection)
    }

    /// Detects a connection's dialect from its first bytes. If a dialect matches, it is used for
    /// all connections to that server port.
    private mutating func decide(
        _ connection: CapturedConnection, _ direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        // The dialect of an encrypted connection is detected once it is decrypted.
        if TLSRecord.starts(bytes) { return }
        let found = DialectSearch.best(
            bytes, direction, among: dialects.candidates, of: dialects.dialects.map(\.dialect),
            port: connection.server.port)
        connection.dialect = found ?? dialects.fallback
        guard let found else { return }
        dialects.ports[connection.server.port] = found
        emitter.sink.note(.speaks(dialects.dialects[found].dialect.name), connection, nil, packet)
    }

    /// Switches to a connection's dialect.
    mutating func switchDialect(to connection: CapturedConnection) {
        let index = connection.dialectIndex
        guard index != current, dialects.dialects.indices.contains(index) else { return }
        let context = contexts[index] ?? DialectContext(dialects.dialects[index])
        contexts[index] = nil
        swap(&context.decoding, &emitter.decoding)
        swap(&context.client, &freshClient)
        swap(&context.server, &freshServer)
        swap(&context.canResume, &canResume)
        contexts[current] = context
        client = freshClient
        server = freshServer
        current = index
        emitter.sink.switchDialect(to: index)
    }
}

extension ConversationDecoder {
    /// Guesses whether a server sent the bytes, by decoding them first as client lines and then as
    /// server lines. Returns true if more server lines than client lines are valid, or nil if the
    /// counts are equal. A TLS handshake starts with the client. If there is no default dialect,
    /// each count is the highest among all candidate dialects.
    func isFromServer(_ bytes: Span<UInt8>) -> Bool? {
        if TLSRecord.starts(bytes) { return bytes[5] == TLSHandshake.serverHelloType }
        let candidates = dialects.usual.map { [$0] } ?? dialects.candidates
        func known(_ direction: Direction) -> Int {
            candidates.map {
                DialectSearch.fit(bytes, direction, dialects.dialects[$0].dialect).known
            }.max() ?? 0
        }
        let (client, server) = (known(.fromClient), known(.fromServer))
        return client == server ? nil : server > client
    }
}

/// Decoding state for one dialect.
final class DialectContext {
    var decoding: DecodingContext
    var client: LineFramer
    var server: LineFramer
    var canResume: Bool

    init(_ bound: BoundDialect) {
        let dialect = bound.dialect
        decoding = DecodingContext(
            decoder: MessageDecoder(dialect), schema: SchemaCheck(dialect),
            names: OperatorNames(bound), blocks: BlockFramers(dialect))
        client = LineFramer(dialect, direction: .fromClient)
        server = LineFramer(dialect, direction: .fromServer)
        canResume = dialect.canResume
    }
}

extension Dialect {
    /// True if the start of the next line can be found after a gap. This is impossible if lines
    /// have length prefixes instead of terminators.
    var canResume: Bool {
        if case .lengthPrefix = framing.unit { false } else { true }
    }
}
