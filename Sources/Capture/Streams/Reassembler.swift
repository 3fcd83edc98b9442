import LineProtocol

/// Reassembles the streams of TCP connections and reports gaps.
///
/// Bytes that are next in sequence are delivered at once, and out-of-order bytes are parked. A gap
/// is declared only if the other side has acknowledged the missing bytes and a grace period has
/// passed, or if nothing more can arrive. If bytes are retransmitted, the first copy is used and
/// differences are reported.
struct Reassembler<Consumer: StreamConsumer> {
    var consumer: Consumer
    var counts = StreamCounts()
    let options: ReassemblyOptions
    var table = ConnectionTable()
    var history = PayloadHistory()
    var parkedBytes = 0
    private var opened = 0

    init(_ consumer: Consumer, _ options: ReassemblyOptions) {
        self.consumer = consumer
        self.options = options
    }

    /// Processes a segment whose payload is in `bytes`.
    @inline(__always)
    mutating func take(_ segment: Segment, _ bytes: Span<UInt8>, _ packet: PacketInfo) {
        let known = table.find(segment)
        guard let view = known, unsafe !view.record.seen.pointee.isEnded,
            !segment.flags.contains(.syn)
        else { return takeUnusual(segment, bytes, packet, known?.connection) }
        take(segment, bytes, packet, view, view.direction(of: segment))
    }

    /// Processes a segment that opens a connection, belongs to no connection, or arrives after the
    /// end of its connection.
    @inline(never)
    private mutating func takeUnusual(
        _ segment: Segment, _ bytes: Span<UInt8>, _ packet: PacketInfo, _ known: Connection?
    ) {
        if segment.flags.contains(.syn) {
            let connection = connection(opening: segment, packet, known)
            if let connection { take(segment, bytes, packet, connection) }
        } else if known != nil {
            if !segment.payload.isEmpty { counts.outOfWindow += 1 }
        } else if !segment.payload.isEmpty || segment.uncaptured > 0 {
            guard accepts(segment) else { return }
            take(segment, bytes, packet, open(segment, packet))
        } else {
            counts.stray += 1
        }
    }

    /// Returns the connection that a SYN belongs to. Returns nil if its ports are not selected, or
    /// if the SYN is a retransmission after the end of the connection.
    private mutating func connection(
        opening segment: Segment, _ packet: PacketInfo, _ known: Connection?
    ) -> Connection? {
        guard accepts(segment) else { return nil }
        guard let known else { return open(segment, packet) }
        let half = known.half(direction(of: segment, known))
        let isFirst = !half.isStarted || half.offset == 0 && half.next == segment.sequence &+ 1
        if half.initial == nil, isFirst, !known.isEnded { return known }
        if half.initial == segment.sequence { return known.isEnded ? nil : known }
        end(known, .replaced, packet)
        table.remove(known)
        return open(segment, packet)
    }

    /// Returns whether the ports of the segment are selected. If not, records the server port.
    private mutating func accepts(_ segment: Segment) -> Bool {
        if options.accepts(segment) { return true }
        let port = options.isFromServer(segment) ? segment.source.port : segment.target.port
        if counts.otherPorts.count < StreamCounts.otherPortsMax { counts.otherPorts.insert(port) }
        return false
    }

    @inline(__always)
    func direction(of segment: Segment, _ connection: Connection) -> Direction {
        segment.source == connection.client ? .fromClient : .fromServer
    }

    private mutating func open(_ segment: Segment, _ packet: PacketInfo) -> Connection {
        if table.count >= ReassemblyOptions.connectionsMax { forget(packet) }
        opened += 1
        counts.connections += 1
        let isFromServer = options.isFromServer(segment)
        let connection = Connection(
            number: opened, client: isFromServer ? segment.target : segment.source,
            server: isFromServer ? segment.source : segment.target, vlanTags: segment.vlans,
            first: packet)
        connection.startWasSeen = segment.flags.contains(.syn)
        table.insert(connection)
        consumer.opened(connection, packet)
        return connection
    }

    /// Processes a segment of a connection. Most segments acknowledge data or contain the next
    /// bytes. They do not access the connection object unless there is something to report.
    @inline(__always)
    private mutating func take(
        _ segment: Segment, _ bytes: Span<UInt8>, _ packet: PacketInfo, _ view: ConnectionView,
        _ direction: Direction
    ) {
        let record = view.record
        let half = HalfStream(record, direction)
        let other = HalfStream(record, direction.opposite)
        unsafe record.seen.pointee.lastTime = packet.time
        unsafe record.seen.pointee.packets &+= 1
        half.isSeen = true
        if segment.flags.contains(.syn) {
            start(half, segment)
            accept(segment, packet, view.connection)
        }
        if segment.flags.contains(.ack) { acknowledge(other, segment, record) }
        if !segment.payload.isEmpty, segment.uncaptured == 0, half.isStarted,
            !half.hasParked, segment.sequence == half.next, !segment.flags.contains(.syn),
            !half.isClosed
        {
            deliver(bytes.extracting(segment.payload), view.connection, direction, half, packet)
        } else if !segment.payload.isEmpty || segment.uncaptured > 0, !segment.flags.contains(.rst)
        {
            takeData(segment, bytes, packet, view.connection, direction)
        }
        if segment.flags.rawValue & 5 != 0 {
            takeEnd(segment, packet, view.connection, direction)
        }
        if half.isAwaitingBytes || other.isAwaitingBytes { declareGaps(view.connection, packet) }
    }

    @inline(never)
    private mutating func take(
        _ segment: Segment, _ bytes: Span<UInt8>, _ packet: PacketInfo, _ connection: Connection
    ) {
        take(
            segment, bytes, packet, ConnectionView(connection), direction(of: segment, connection))
    }

    /// Delivers the next bytes of a stream.
    @inline(__always)
    mutating func deliver(
        _ bytes: Span<UInt8>, _ connection: Connection, _ direction: Direction, _ half: HalfStream,
        _ packet: PacketInfo
    ) {
        half.history = history.add(bytes, at: half.offset, after: half.history)
        half.advance(bytes.count)
        counts.bytes &+= bytes.count
        consumer.bytes(connection, direction, bytes, packet)
    }

    private func start(_ half: HalfStream, _ segment: Segment) {
        guard half.initial == nil else { return }
        half.initial = segment.sequence
        if !half.isStarted { half.start(at: segment.sequence &+ 1) }
    }

    /// Records the time at which the server accepted the connection.
    private func accept(_ segment: Segment, _ packet: PacketInfo, _ connection: Connection) {
        guard connection.acceptedAt == nil, segment.flags.isSuperset(of: [.syn, .ack]),
            segment.source == connection.server, packet.time != CaptureRecord.timeUnknown
        else { return }
        connection.acceptedAt = packet.time
    }

    /// Updates the other direction from an acknowledgement.
    @inline(__always)
    private func acknowledge(_ other: HalfStream, _ segment: Segment, _ record: ConnectionRecord) {
        guard other.isStarted else {
            // Nothing from the other direction has been captured so far.
            other.start(at: segment.acknowledgement)
            return
        }
        let ahead = Int(Int32(bitPattern: segment.acknowledgement &- other.next))
        guard ahead > 0, ahead < ReassemblyOptions.windowBytesMax else { return }
        let reached = other.offset &+ ahead
        // The FIN counts as one byte.
        let end = other.finOffset.map { min($0, reached) } ?? reached
        guard end > other.offset else { return }
        if end > other.acknowledged || other.wait == nil {
            other.acknowledged = max(end, other.acknowledged)
            if other.wait == nil {
                let seen = unsafe record.seen.pointee
                other.wait = HalfStream.Wait(time: seen.lastTime, packets: seen.packets)
            }
        }
    }

    /// Drops an eighth of the connections: first those that have ended, then those that have been
    /// idle the longest. Dropping several at once avoids a search for each new connection.
    private mutating func forget(_ packet: PacketInfo) {
        let live = table.connections.compactMap(\.self)
        let byAge = live.sorted {
            ($0.isEnded ? 0 : 1, $0.lastTime, $0.number)
                < ($1.isEnded ? 0 : 1, $1.lastTime, $1.number)
        }
        for connection in byAge.prefix(ReassemblyOptions.connectionsMax / 8) {
            if !connection.isEnded {
                counts.forgotten += 1
                end(connection, .forgotten, packet)
            }
            table.remove(connection)
        }
    }

    /// Ends all remaining connections, in the order of their numbers.
    mutating func finish(_ packet: PacketInfo) {
        let live = table.connections.compactMap(\.self).filter { !$0.isEnded }
        for connection in live.sorted(by: { $0.number < $1.number }) {
            end(connection, .captureEnd, packet)
        }
    }
}
