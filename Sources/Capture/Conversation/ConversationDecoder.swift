import DialectModel
import LineProtocol

/// Makes lines of streams, and typed messages of lines, with the codec that `run` uses.
struct ConversationDecoder<Sink: ConversationSink>: StreamConsumer {
    /// The most bytes of unfinished lines in all connections together.
    static var heldBytesMax: Int { 16 << 20 }
    /// A shared framer with a larger buffer is replaced.
    static var sharedBytesMax: Int { 1 << 17 }

    var teller: LineEmitter<Sink>
    /// Framers for the streams that stand between two lines.
    var client: LineFramer
    var server: LineFramer
    var freshClient: LineFramer
    var freshServer: LineFramer
    var canResume: Bool
    private var heldBytes = 0
    var dialects: DialectSet
    /// The place of the dialect that all of this is for.
    var current = 0
    /// What the others need, by their places; nil where it was not needed yet.
    var desks: [Desk?]

    init(_ sink: Sink, _ dialects: DialectSet) {
        self.dialects = dialects
        let bound = dialects.dialects[0]
        let dialect = bound.dialect
        teller = LineEmitter(sink, bound)
        freshClient = LineFramer(dialect, direction: .fromClient)
        freshServer = LineFramer(dialect, direction: .fromServer)
        client = freshClient
        server = freshServer
        canResume = dialect.canResume
        desks = Array(repeating: nil, count: dialects.dialects.count)
    }

    mutating func opened(_ connection: Connection, _ packet: PacketInfo) {
        connection.dialect = dialects.ports[connection.server.port] ?? dialects.usual
        if !connection.startWasSeen {
            connection.fromClient.isAfterHole = true
            connection.fromServer.isAfterHole = true
        }
        teller.sink.opened(connection, packet)
    }

    @inline(__always)
    mutating func bytes(
        _ connection: Connection, _ direction: Direction, _ bytes: Span<UInt8>, _ packet: PacketInfo
    ) {
        guard connection.isRead else { return }
        if connection.dialectPlace != current { turn(to: connection, direction, bytes, packet) }
        take(connection, connection.half(direction), direction, bytes, packet)
    }

    @inline(__always)
    private mutating func take(
        _ connection: Connection, _ half: HalfStream, _ direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        guard half.framer == nil else {
            return bytesWithinLine(connection, half, direction, bytes, packet)
        }
        if bytes[0] == 0x16, TLSRecord.starts(bytes) {
            return stopAtTLS(connection, direction, packet)
        }
        let place =
            direction == .fromClient
            ? teller.tellWholeLines(client, bytes, connection, half, direction, packet)
            : teller.tellWholeLines(server, bytes, connection, half, direction, packet)
        guard place < bytes.count else { return }
        takeRest(
            connection, half, direction, bytes.extracting(place..<bytes.count), packet)
    }

    /// The same for what no plain line is whole in.
    @inline(never)
    private mutating func takeRest(
        _ connection: Connection, _ half: HalfStream, _ direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        if direction == .fromClient {
            teller.feed(&client, bytes, connection, half, direction, packet)
            if !client.isAtRest || client.buffer.capacity > Self.sharedBytesMax {
                keep(client, connection, half, direction, packet)
                client = freshClient
            }
        } else {
            teller.feed(&server, bytes, connection, half, direction, packet)
            if !server.isAtRest || server.buffer.capacity > Self.sharedBytesMax {
                keep(server, connection, half, direction, packet)
                server = freshServer
            }
        }
    }

    /// Gives the stream a framer of its own, because it stands within a line.
    @inline(never)
    private mutating func keep(
        _ framer: LineFramer, _ connection: Connection, _ half: HalfStream, _ direction: Direction,
        _ packet: PacketInfo
    ) {
        guard !framer.isAtRest else { return }
        half.framer = FramerBox(framer)
        hold(framer.heldBytes, connection, half, direction, packet)
    }

    @inline(never)
    private mutating func bytesWithinLine(
        _ connection: Connection, _ half: HalfStream, _ direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        guard let box = half.framer else { return }
        teller.feed(&box.framer, bytes, connection, half, direction, packet)
        if box.framer.isAtRest { half.framer = nil }
        hold(box.framer.heldBytes, connection, half, direction, packet)
    }

    /// Keeps count of the bytes that unfinished lines take, and cuts a line where these are too many.
    private mutating func hold(
        _ count: Int, _ connection: Connection, _ half: HalfStream, _ direction: Direction,
        _ packet: PacketInfo
    ) {
        heldBytes += count - half.heldBytes
        half.heldBytes = count
        guard heldBytes > Self.heldBytesMax else { return }
        teller.counts.cut += 1
        breakOff(connection, direction, packet, isHole: true)
        teller.sink.note(.lineCut, connection, direction, packet)
    }

    /// Tells what is left of an unfinished line, and begins anew.
    private mutating func breakOff(
        _ connection: Connection, _ direction: Direction, _ packet: PacketInfo, isHole: Bool
    ) {
        let half = connection.half(direction)
        if let box = half.framer {
            half.framer = nil
            heldBytes -= half.heldBytes
            half.heldBytes = 0
            teller.tellRest(
                of: &box.framer, connection, half, direction, packet, isHole: isHole)
        }
        if isHole { half.isAfterHole = true }
    }

    private mutating func stopAtTLS(
        _ connection: Connection, _ direction: Direction, _ packet: PacketInfo
    ) {
        teller.counts.encrypted += 1
        for side in Direction.allCases { breakOff(connection, side, packet, isHole: false) }
        connection.isRead = false
        teller.sink.note(.encrypted, connection, direction, packet)
    }

    // MARK: What else happens

    mutating func gap(
        _ connection: Connection, _ direction: Direction, _ gap: StreamGap, _ packet: PacketInfo
    ) {
        guard connection.isRead else { return }
        turn(to: connection)
        breakOff(connection, direction, packet, isHole: true)
        teller.sink.note(.gap(gap), connection, direction, packet)
        guard !canResume else { return }
        connection.isRead = false
        teller.sink.note(.outOfStep, connection, direction, packet)
    }

    mutating func conflict(
        _ connection: Connection, _ direction: Direction, _ conflict: StreamConflict,
        _ packet: PacketInfo
    ) {
        teller.sink.note(.conflict(conflict), connection, direction, packet)
    }

    mutating func halfClosed(
        _ connection: Connection, _ direction: Direction, _ packet: PacketInfo
    ) {
        turn(to: connection)
        breakOff(connection, direction, packet, isHole: false)
        teller.sink.note(.halfClosed, connection, direction, packet)
    }

    mutating func ended(_ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo) {
        // What the capture's end cuts is not the sender's fault.
        let isHole = end != .closed && end != .reset
        turn(to: connection)
        for direction in Direction.allCases {
            breakOff(connection, direction, packet, isHole: isHole)
        }
        teller.sink.ended(connection, end, packet)
    }
}

/// The start of TLS.
enum TLSRecord {
    /// Whether the bytes start with a handshake record of SSL 3 or TLS.
    static func starts(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 6, bytes[0] == 0x16, bytes[1] == 3, bytes[2] <= 4 else { return false }
        let length = bytes.big16(3)
        // A ClientHello or a ServerHello.
        return length >= 4 && length <= 16_384 + 2048 && (bytes[5] == 1 || bytes[5] == 2)
    }
}
