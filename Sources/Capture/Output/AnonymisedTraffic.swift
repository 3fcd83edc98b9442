import LineProtocol

/// A generator of packets that carry the anonymised lines of a conversation, for a slice.
///
/// The packets have no more in common with those of the capture than their times and ports: each
/// line is sent in a packet of its own.
final class AnonymisedTraffic {
    /// Maximum number of ports to try for a connection whose endpoints are in use.
    private static let portAttemptsMax = 64

    private let collector: SliceCollector
    private let names: Anonymiser
    /// Anonymisers by dialect.
    private let lines: [LineAnonymiser]
    private var connections: [Int: SyntheticConnection] = [:]
    /// The endpoints of open connections.
    private var open: Set<[IPEndpoint]> = []
    /// Index of the dialect of the following lines.
    var dialect = 0

    init(_ dialects: [Dialect], _ names: Anonymiser, _ collector: SliceCollector) {
        self.collector = collector
        self.names = names
        let contents = ContentPseudonyms()
        lines = dialects.map { LineAnonymiser($0, names: names, contents: contents) }
    }

    func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        guard connection.startWasSeen else { return }
        send(.syn, from: .fromClient, over: connection, connection.first)
        guard connection.isAccepted else { return }
        send([.syn, .ack], from: .fromServer, over: connection, packet)
        send(.ack, from: .fromClient, over: connection, packet)
    }

    func line(_ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>) {
        let data = lines[dialect].frame(line, message, in: bytes)
        guard !data.isEmpty else {
            return skip(line.frame.line.count, from: line.direction, over: line.connection)
        }
        let number = line.connection.number
        let packets = connections[number, default: new(line.connection)].packets(
            data, from: line.direction)
        for packet in packets { collector.add(generated: packet, line.packet, of: number) }
    }

    func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        guard let direction else { return }
        switch note {
        case .gap(let gap): skip(gap.count, from: direction, over: connection)
        case .halfClosed: send([.fin, .ack], from: direction, over: connection, packet)
        default: break
        }
    }

    func ended(_ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo) {
        switch end {
        case .reset, .refused:
            send([.rst, .ack], from: connection.resetBy ?? .fromServer, over: connection, packet)
        case .closed, .unanswered, .replaced, .captureEnd, .forgotten: break
        }
        guard let state = connections[connection.number] else { return }
        open.remove([state.client, state.server])
        // Lines may still follow a reset.
        if end != .reset { connections[connection.number] = nil }
    }

    private func send(
        _ flags: Segment.Flags, from direction: Direction, over connection: CapturedConnection,
        _ packet: PacketInfo
    ) {
        let generated = connections[connection.number, default: new(connection)].packet(
            flags, from: direction)
        collector.add(generated: generated, packet, of: connection.number)
    }

    private func skip(
        _ count: Int, from direction: Direction, over connection: CapturedConnection
    ) {
        connections[connection.number, default: new(connection)].skip(count, from: direction)
    }

    private func new(_ connection: CapturedConnection) -> SyntheticConnection {
        var client = names.endpoint(connection.client)
        let server = names.endpoint(connection.server)
        // Connections in different VLANs can have the same endpoints.
        var attempts = 0
        while !open.insert([client, server]).inserted, attempts < Self.portAttemptsMax {
            client.port &+= 1
            attempts += 1
        }
        return SyntheticConnection(client: client, server: server, number: connection.number)
    }
}
