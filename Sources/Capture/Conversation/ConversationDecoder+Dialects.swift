import DialectModel
import LineProtocol

/// Captures in which several dialects are spoken. What one of them needs lies in its desk, and what the
/// current one needs lies open, so that a capture with one dialect pays nothing.
extension ConversationDecoder {
    /// What a dialect needs.
    struct Desk {
        var skills: LineEmitter<Sink>.DecodingContext
        var client: LineFramer
        var server: LineFramer
        var canResume: Bool

        init(_ bound: BoundDialect) {
            let dialect = bound.dialect
            skills = LineEmitter<Sink>.DecodingContext(
                decoder: MessageDecoder(dialect), schema: SchemaCheck(dialect),
                names: LoginNames(bound))
            client = LineFramer(dialect, direction: .fromClient)
            server = LineFramer(dialect, direction: .fromServer)
            canResume = dialect.canResume
        }
    }

    /// Turns to a connection whose dialect is another one, or is not known yet.
    @inline(never)
    mutating func turn(
        to connection: Connection, _ direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        if connection.isUndecided { decide(connection, direction, bytes, packet) }
        turn(to: connection)
    }

    /// Chooses a dialect by what is said first. Where it fits, the server's other connections speak it, too.
    private mutating func decide(
        _ connection: Connection, _ direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        if TLSRecord.starts(bytes) {
            connection.dialect = dialects.candidates.last ?? 0
            return
        }
        let found = DialectSearch.best(
            bytes, direction, among: dialects.candidates, of: dialects.dialects.map(\.dialect),
            port: connection.server.port)
        connection.dialect = found ?? dialects.candidates.last ?? 0
        guard let found else { return }
        dialects.ports[connection.server.port] = found
        teller.sink.note(.speaks(dialects.dialects[found].dialect.name), connection, nil, packet)
    }

    /// Turns to a connection's dialect.
    mutating func turn(to connection: Connection) {
        let place = connection.dialectPlace
        guard place != current, dialects.dialects.indices.contains(place) else { return }
        var desk = desks[place] ?? Desk(dialects.dialects[place])
        swap(&desk.skills, &teller.skills)
        swap(&desk.client, &freshClient)
        swap(&desk.server, &freshServer)
        swap(&desk.canResume, &canResume)
        desks[current] = desk
        client = freshClient
        server = freshServer
        current = place
        teller.sink.turn(to: place)
    }
}

extension Dialect {
    /// Whether a line can be found behind a hole: behind a terminator; a length gives no such hold.
    var canResume: Bool {
        if case .lengthPrefix = framing.unit { false } else { true }
    }
}
