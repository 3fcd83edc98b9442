import LineProtocol

/// Decodes TLS connections.
///
/// A TLS connection's `isRead` flag is false. Decrypted bytes take the same way as the bytes of
/// other connections: they may be held until the dialect is known, and contain a WebSocket or lines.
extension ConversationDecoder {
    /// Maximum number of bytes that the TLS sessions of all connections hold.
    static var tlsHeldBytesMax: Int { 16 << 20 }

    /// Starts to read TLS if the bytes are the start of a handshake. Returns true if they are, or
    /// if they may be.
    @inline(never)
    mutating func mayBeginTLS(
        _ connection: CapturedConnection, _ half: HalfStream, from direction: Direction,
        _ bytes: Span<UInt8>, in packet: PacketInfo
    ) -> Bool {
        guard connection.tls == nil, connection.webSocket == nil, half.framer == nil else {
            return false
        }
        if TLSRecord.starts(bytes) {
            beginTLS(connection, from: direction, bytes, packet)
            return true
        }
        guard bytes.count <= TLSRecord.headerBytes, TLSRecord.mayStart(bytes) else { return false }
        connection.tlsStart = TLSStart(
            direction: direction, bytes: bytes.array(0..<bytes.count), packet: packet)
        connection.isRead = false
        return true
    }

    /// Continues with the bytes after a possible start.
    mutating func continueTLSStart(
        _ connection: CapturedConnection, from direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        guard let start = connection.tlsStart, start.direction == direction else {
            endTLSStart(connection, packet)
            return rareBytes(connection, direction, bytes, packet)
        }
        let joined = start.bytes + bytes.array(0..<bytes.count)
        connection.tlsStart = nil
        connection.isRead = true
        rareBytes(connection, direction, joined.span, packet)
    }

    /// Decodes a possible start, after which nothing followed, as the start of a line.
    mutating func endTLSStart(_ connection: CapturedConnection, _ packet: PacketInfo) {
        guard let start = connection.tlsStart else { return }
        connection.tlsStart = nil
        connection.isRead = true
        switchDialect(to: connection)
        takeLines(
            connection, connection.half(start.direction), from: start.direction, start.bytes.span,
            in: start.packet)
    }

    private mutating func beginTLS(
        _ connection: CapturedConnection, from direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        for side in Direction.allCases { breakOff(connection, side, isGap: false) }
        connection.isRead = false
        let session = TLSSession(keys.flatMap { $0.isEmpty ? nil : $0 })
        connection.tls = session
        if !session.mayDecrypt { noteEncrypted(connection, direction, packet) }
        tlsBytes(connection, from: direction, bytes, packet)
    }

    private mutating func noteEncrypted(
        _ connection: CapturedConnection, _ direction: Direction, _ packet: PacketInfo
    ) {
        emitter.counts.encrypted += 1
        if connection.isUndecided { connection.dialect = dialects.fallback }
        emitter.sink.note(.encrypted, connection, direction, packet)
    }

    /// Reads bytes of a TLS connection.
    mutating func tlsBytes(
        _ connection: CapturedConnection, from direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        guard let session = connection.tls else { return }
        session.read(bytes, direction, into: tlsOutput)
        countHeldBytes(of: session)
        if tlsHeldBytes > Self.tlsHeldBytesMax {
            session.end(.limit, nil, tlsOutput)
            countHeldBytes(of: session)
        }
        takeTLSOutput(session, connection, packet)
    }

    /// Continues after missing bytes of a TLS connection. They are reported only if they are
    /// decrypted.
    mutating func tlsGap(
        _ connection: CapturedConnection, from direction: Direction, _ gap: StreamGap,
        _ packet: PacketInfo
    ) {
        guard let session = connection.tls else { return }
        let isRead = session.isDecrypted && !session.stream(direction).isEnded
        session.gap(gap.count, direction, into: tlsOutput)
        countHeldBytes(of: session)
        if isRead { plainGap(connection, from: direction, gap, packet) }
        takeTLSOutput(session, connection, packet)
    }

    /// Reports what is known about a TLS connection at its end.
    mutating func endTLS(_ connection: CapturedConnection, _ packet: PacketInfo) {
        guard let session = connection.tls else { return }
        session.finish(into: tlsOutput)
        countHeldBytes(of: session)
        takeTLSOutput(session, connection, packet)
    }

    private mutating func countHeldBytes(of session: TLSSession) {
        tlsHeldBytes += session.heldBytes - session.countedBytes
        session.countedBytes = session.heldBytes
    }

    /// Passes on what a session has found.
    private mutating func takeTLSOutput(
        _ session: TLSSession, _ connection: CapturedConnection, _ packet: PacketInfo
    ) {
        let output = tlsOutput
        for event in output.events {
            switch event {
            case .content(let direction, let range):
                let bytes = output.bytes
                plainBytes(connection, from: direction, bytes.span.extracting(range), packet)
            case .unknownSession: noteEncrypted(connection, .fromClient, packet)
            case .knownSession: beginDecryption(connection, packet)
            case .details(let details):
                emitter.sink.note(.handshake(details), connection, nil, packet)
            case .problem(let problem, let direction):
                if problem.isFinal { emitter.counts.undecrypted += 1 }
                emitter.sink.note(.undecrypted(problem), connection, direction, packet)
            }
        }
        output.removeAll()
        if session.isOver, !session.isDecrypted { connection.tls = nil }
    }

    private mutating func beginDecryption(
        _ connection: CapturedConnection, _ packet: PacketInfo
    ) {
        emitter.counts.decrypted += 1
        emitter.sink.note(.decrypted, connection, nil, packet)
        guard connection.isUndecided else { return }
        connection.held = HeldConversation(hasUncertainRoles: false, isDecrypted: true)
    }
}
