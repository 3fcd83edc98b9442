import LineProtocol

/// Makes lines of streams, and typed messages of lines, with the codec that `run` uses.
struct ConversationDecoder<Sink: ConversationSink>: StreamConsumer {
    /// The most bytes of unfinished lines in all connections together.
    static var heldBytesMax: Int { 16 << 20 }
    /// A shared framer with a larger buffer is replaced.
    static var sharedBytesMax: Int { 1 << 17 }

    var teller: LineTeller<Sink>
    /// Framers for the streams that stand between two lines.
    private var client: LineFramer
    private var server: LineFramer
    private let freshClient: LineFramer
    private let freshServer: LineFramer
    private let canResume: Bool
    private var heldBytes = 0

    init(_ sink: Sink, _ dialect: Dialect) {
        teller = LineTeller(sink, dialect)
        freshClient = LineFramer(dialect, direction: .fromClient)
        freshServer = LineFramer(dialect, direction: .fromServer)
        client = freshClient
        server = freshServer
        // After a hole the next line starts behind a terminator; a length gives no such hold.
        if case .lengthPrefix = dialect.framing.unit { canResume = false } else { canResume = true }
    }

    mutating func opened(_ connection: Connection, _ packet: PacketInfo) {
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
        if direction == .fromClient {
            take(connection, connection.fromClient, direction, bytes, packet)
        } else {
            take(connection, connection.fromServer, direction, bytes, packet)
        }
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
        breakOff(connection, direction, packet, isHole: false)
        teller.sink.note(.halfClosed, connection, direction, packet)
    }

    mutating func ended(_ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo) {
        // What the capture's end cuts is not the sender's fault.
        let isHole = end != .closed && end != .reset
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
