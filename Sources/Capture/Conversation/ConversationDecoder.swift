import DialectModel
import LineProtocol

/// A decoder that turns streams into lines and typed messages, using the same codec as the `run`
/// command.
struct ConversationDecoder<Sink: ConversationSink>: StreamConsumer {
    /// Maximum number of bytes held in unfinished lines across all connections.
    static var heldBytesMax: Int { 16 << 20 }
    /// Buffer size, in bytes, above which a shared framer is replaced.
    static var sharedBytesMax: Int { 1 << 17 }

    var emitter: LineEmitter<Sink>
    /// Framer shared by all client streams that do not have their own.
    var client: LineFramer
    var server: LineFramer
    var freshClient: LineFramer
    var freshServer: LineFramer
    var canResume: Bool
    private var heldBytes = 0
    /// Number of bytes in all held conversations.
    var heldConversationBytes = 0
    /// Evidence for the dialects of ports whose dialect is not yet certain, by port.
    var evidence: [UInt16: PortEvidence] = [:]
    /// Held connection whose sides the reassembler has to swap.
    var swapRequest: CapturedConnection?
    var dialects: DialectSet
    /// Index of the current dialect.
    var current = 0
    /// State of the other dialects, by index; nil until a dialect is first used.
    var contexts: [DialectContext?]
    /// Secrets for decrypting TLS; nil if this build cannot decrypt.
    let keys: TLSKeys?
    let tlsOutput = TLSOutput()
    /// Number of bytes that all TLS sessions hold.
    var tlsHeldBytes = 0

    init(_ sink: Sink, _ dialects: DialectSet, _ keys: TLSKeys?) {
        self.keys = keys
        self.dialects = dialects
        let bound = dialects.dialects[0]
        let dialect = bound.dialect
        emitter = LineEmitter(sink, bound)
        freshClient = LineFramer(dialect, direction: .fromClient)
        freshServer = LineFramer(dialect, direction: .fromServer)
        client = freshClient
        server = freshServer
        canResume = dialect.canResume
        contexts = Array(repeating: nil, count: dialects.dialects.count)
    }

    mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        connection.dialect = dialects.ports[connection.server.port] ?? dialects.usual
        if !connection.startWasSeen {
            connection.fromClient.isAfterGap = true
            connection.fromServer.isAfterGap = true
        }
        hold(connection)
        // The event includes the roles, so it is held until they are known.
        if connection.hasUncertainRoles, hold(.opened, connection, packet) { return }
        emitter.sink.opened(connection, packet)
    }

    @inline(__always)
    mutating func bytes(
        _ connection: CapturedConnection, _ half: HalfStream, _ direction: Direction,
        _ bytes: Span<UInt8>, _ packet: PacketInfo
    ) {
        guard unsafe half.record.seen.pointee.isRead else {
            return unreadBytes(connection, from: direction, bytes, packet)
        }
        if bytes[0] == UInt8(ascii: "G"), beginWebSocket(connection, direction, bytes) {
            return webSocketBytes(connection, direction, bytes, packet)
        }
        if unsafe Int(half.record.seen.pointee.dialect) != current {
            switchDialect(to: connection, direction, bytes, packet)
        }
        take(connection, half, direction, bytes, packet)
    }

    /// Like ``bytes(_:_:_:_:_:)``, for calls that are too rare to inline it.
    @inline(never)
    mutating func rareBytes(
        _ connection: CapturedConnection, _ direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        self.bytes(connection, connection.half(direction), direction, bytes, packet)
    }

    /// Processes bytes of a connection that are not decoded directly.
    @inline(never)
    private mutating func unreadBytes(
        _ connection: CapturedConnection, from direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        if connection.tls != nil {
            tlsBytes(connection, from: direction, bytes, packet)
        } else if connection.tlsStart != nil {
            continueTLSStart(connection, from: direction, bytes, packet)
        } else {
            plainBytes(connection, from: direction, bytes, packet)
        }
    }

    /// Processes bytes of a connection that are not decoded directly, after decryption: holds them
    /// if the connection's dialect or roles are not yet known, and otherwise decodes lines, unless
    /// the rest of the connection is not read.
    mutating func plainBytes(
        _ connection: CapturedConnection, from direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        if hold(bytes, connection, direction, packet) { return }
        if connection.webSocket != nil {
            webSocketBytes(connection, direction, bytes, packet)
        } else if connection.isDecrypted {
            if beginWebSocket(connection, direction, bytes) {
                webSocketBytes(connection, direction, bytes, packet)
            } else {
                if connection.isUndecided {
                    switchDialect(to: connection, direction, bytes, packet)
                }
                lines(connection, direction, bytes, packet)
            }
        }
    }

    /// Decodes lines that were in WebSocket messages or encrypted.
    mutating func lines(
        _ connection: CapturedConnection, _ direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        switchDialect(to: connection)
        take(connection, connection.half(direction), direction, bytes, packet)
    }

    @inline(__always)
    private mutating func take(
        _ connection: CapturedConnection, _ half: HalfStream, _ direction: Direction,
        _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        if bytes[0] == 0x16, mayBeginTLS(connection, half, from: direction, bytes, in: packet) {
            return
        }
        takeLines(connection, half, from: direction, bytes, in: packet)
    }

    /// Decodes the lines in bytes that are not the start of a TLS handshake.
    @inline(__always)
    mutating func takeLines(
        _ connection: CapturedConnection, _ half: HalfStream, from direction: Direction,
        _ bytes: Span<UInt8>,
        in packet: PacketInfo
    ) {
        if emitter.tracksRequests, !connection.expectsGreeting {
            emitter.expectGreeting(connection, packet)
        }
        guard half.framer == nil else {
            return bytesWithinLine(connection, half, direction, bytes, packet)
        }
        if direction == .fromClient, ProxyHeader.mayStart(bytes),
            let header = proxyHeader(connection, bytes)
        {
            return takeProxied(header, connection, half, bytes, packet)
        }
        let offset =
            direction == .fromClient
            ? emitter.emitWholeLines(client, bytes, connection, half, direction, packet)
            : emitter.emitWholeLines(server, bytes, connection, half, direction, packet)
        guard offset < bytes.count else { return }
        takeRest(
            connection, half, direction, bytes.extracting(offset..<bytes.count), packet)
    }

    /// Decodes the bytes that the fast path, which handles only complete lines without payload,
    /// could not decode.
    @inline(never)
    private mutating func takeRest(
        _ connection: CapturedConnection, _ half: HalfStream, _ direction: Direction,
        _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        if direction == .fromClient {
            emitter.feed(&client, bytes, connection, half, direction, packet)
            if !client.isAtRest || client.buffer.capacity > Self.sharedBytesMax {
                keep(client, connection, half, direction, packet)
                client = freshClient
            }
        } else {
            emitter.feed(&server, bytes, connection, half, direction, packet)
            if !server.isAtRest || server.buffer.capacity > Self.sharedBytesMax {
                keep(server, connection, half, direction, packet)
                server = freshServer
            }
        }
    }

    /// Gives the stream its own framer if it has an unfinished line.
    @inline(never)
    private mutating func keep(
        _ framer: LineFramer, _ connection: CapturedConnection, _ half: HalfStream,
        _ direction: Direction,
        _ packet: PacketInfo
    ) {
        guard !framer.isAtRest else { return }
        half.framer = FramerBox(framer, packet)
        hold(framer.heldBytes, connection, half, direction, packet)
    }

    @inline(never)
    private mutating func bytesWithinLine(
        _ connection: CapturedConnection, _ half: HalfStream, _ direction: Direction,
        _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {
        guard let box = half.framer else { return }
        emitter.feed(&box.framer, bytes, connection, half, direction, packet)
        box.packet = packet
        if box.framer.isAtRest { half.framer = nil }
        hold(box.framer.heldBytes, connection, half, direction, packet)
    }

    /// Updates the number of bytes held in unfinished lines. If too many are held, truncates this
    /// stream's line.
    private mutating func hold(
        _ count: Int, _ connection: CapturedConnection, _ half: HalfStream, _ direction: Direction,
        _ packet: PacketInfo
    ) {
        heldBytes += count - half.heldBytes
        half.heldBytes = count
        guard heldBytes > Self.heldBytesMax else { return }
        emitter.counts.cut += 1
        breakOff(connection, direction, isGap: true)
        emitter.sink.note(.lineCut, connection, direction, packet)
    }

    /// Emits the stream's unfinished line, if any, and resets the stream's framing. The line is
    /// attributed to the packet that contains its last byte.
    mutating func breakOff(
        _ connection: CapturedConnection, _ direction: Direction, isGap: Bool
    ) {
        let half = connection.half(direction)
        guard let box = half.framer else {
            if isGap { half.isAfterGap = true }
            return
        }
        half.framer = nil
        heldBytes -= half.heldBytes
        half.heldBytes = 0
        emitter.emitRest(of: &box.framer, connection, half, direction, box.packet, isGap: isGap)
        // After a reset, the rest of the line may follow.
        half.isAfterGap = true
    }

    @inline(never)
    private func proxyHeader(
        _ connection: CapturedConnection, _ bytes: Span<UInt8>
    ) -> ProxyHeader? {
        connection.hasProxyHeader ? nil : ProxyHeader(bytes)
    }

    /// Reports a header of the PROXY protocol, and decodes the lines after it.
    @inline(never)
    private mutating func takeProxied(
        _ header: ProxyHeader, _ connection: CapturedConnection, _ half: HalfStream,
        _ bytes: Span<UInt8>, _ packet: PacketInfo
    ) {
        connection.hasProxyHeader = true
        half.isAfterGap = false
        emitter.sink.note(.proxied(header.client), connection, .fromClient, packet)
        guard header.count < bytes.count else { return }
        rareBytes(
            connection, .fromClient, bytes.extracting(header.count..<bytes.count), packet)
    }

    // MARK: Other events

    mutating func gap(
        _ connection: CapturedConnection, _ direction: Direction, _ gap: StreamGap,
        _ packet: PacketInfo
    ) {
        endTLSStart(connection, packet)
        if connection.tls != nil {
            tlsGap(connection, from: direction, gap, packet)
        } else {
            plainGap(connection, from: direction, gap, packet)
        }
    }

    /// Processes a gap in bytes that are not, or no longer, encrypted.
    mutating func plainGap(
        _ connection: CapturedConnection, from direction: Direction, _ gap: StreamGap,
        _ packet: PacketInfo
    ) {
        if hold(.gap(direction, gap), connection, packet) { return }
        guard connection.isRead || connection.webSocket != nil || connection.isDecrypted else {
            return
        }
        switchDialect(to: connection)
        breakOff(connection, direction, isGap: true)
        emitter.sink.note(.gap(gap), connection, direction, packet)
        // The start of the next WebSocket frame cannot be found after a gap.
        guard !canResume || connection.webSocket != nil else { return }
        stopReading(connection)
        emitter.sink.note(.outOfStep, connection, direction, packet)
    }

    /// Ignores the connection's remaining bytes.
    func stopReading(_ connection: CapturedConnection) {
        connection.isRead = false
        connection.webSocket = nil
        connection.tls?.stop()
    }

    mutating func conflict(
        _ connection: CapturedConnection, _ direction: Direction, _ conflict: StreamConflict,
        _ packet: PacketInfo
    ) {
        if hold(.conflict(direction, conflict), connection, packet) { return }
        emitter.sink.note(.conflict(conflict), connection, direction, packet)
    }

    mutating func halfClosed(
        _ connection: CapturedConnection, _ direction: Direction, _ packet: PacketInfo
    ) {
        endTLSStart(connection, packet)
        if hold(.halfClosed(direction), connection, packet) { return }
        switchDialect(to: connection)
        breakOff(connection, direction, isGap: false)
        emitter.sink.note(.halfClosed, connection, direction, packet)
    }

    mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        endTLSStart(connection, packet)
        // After a reset, encrypted bytes may still follow.
        if end != .reset || !connection.isDecrypted { endTLS(connection, packet) }
        if hold(.ended(end), connection, packet) { return }
        // Unless one side closed or reset the connection, the rest of an unfinished line may have
        // been sent but not captured.
        let isGap = end != .closed && end != .reset
        switchDialect(to: connection)
        for direction in Direction.allCases { breakOff(connection, direction, isGap: isGap) }
        emitter.sink.ended(connection, end, packet)
    }

    mutating func settled(_ connection: CapturedConnection, _ packet: PacketInfo) {
        endTLSStart(connection, packet)
        endTLS(connection, packet)
        switchDialect(to: connection)
        for direction in Direction.allCases { breakOff(connection, direction, isGap: true) }
    }
}
