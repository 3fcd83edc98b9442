import LineProtocol

/// A reassembler for TCP streams. It delivers their bytes and reports gaps.
///
/// The next bytes in sequence are delivered at once, and out-of-order bytes are parked. A gap is
/// declared only if the other side has acknowledged the missing bytes and a grace period has
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

    /// Processes a segment whose payload is in `bytes`. `guess` is what
    /// ``ConnectionTable/prefetchRecord(_:)`` returned for the segment, or 0.
    @_optimize(speed)
    @inline(__always)
    mutating func take(
        _ segment: Segment, _ bytes: Span<UInt8>, _ packet: PacketInfo, guess: UInt32 = 0
    ) {
        let known = table.find(segment, guess)
        guard let record = known, unsafe !record.seen.pointee.isEnded,
            !segment.flags.contains(.syn)
        else {
            takeUnusual(segment, bytes, packet, known?.connection)
            return swapRoles()
        }
        take(segment, bytes, packet, record, record.direction(of: segment))
        if consumer.swapRequest != nil { swapRoles() }
    }

    /// Swaps the sides of a connection if the consumer has found that its client is the server.
    @inline(never)
    private mutating func swapRoles() {
        guard let connection = consumer.swapRequest else { return }
        consumer.swapRequest = nil
        connection.swapRoles()
        consumer.swapped(connection)
    }

    /// Processes a segment that opens a connection, does not belong to a connection, or arrives
    /// after the end of its connection.
    @inline(never)
    private mutating func takeUnusual(
        _ segment: Segment, _ bytes: Span<UInt8>, _ packet: PacketInfo, _ known: CapturedConnection?
    ) {
        let hasData = !segment.payload.isEmpty || segment.uncaptured > 0
        if let known, known.isIgnored {
            takeIgnored(segment, bytes, packet, known)
        } else if segment.flags.contains(.syn) {
            let connection = connection(opening: segment, bytes, packet, known)
            if let connection { take(segment, bytes, packet, connection) }
        } else if let known {
            if hasData { takeAfterEnd(segment, bytes, packet, known) }
        } else if hasData {
            let connection = open(segment, bytes, packet)
            if let connection { take(segment, bytes, packet, connection) }
        } else {
            counts.stray += 1
        }
    }

    /// Returns the connection that a SYN belongs to, and opens it if necessary. Returns nil if its
    /// ports are not selected, or if the SYN is a retransmission after the end of the connection.
    private mutating func connection(
        opening segment: Segment, _ bytes: Span<UInt8>, _ packet: PacketInfo,
        _ known: CapturedConnection?
    ) -> CapturedConnection? {
        guard let known else { return open(segment, bytes, packet) }
        let half = known.half(direction(of: segment, known))
        let isFirst = !half.isStarted || half.offset == 0 && half.next == segment.sequence &+ 1
        if half.initial == nil, isFirst, !known.isEnded { return known }
        if half.initial == segment.sequence {
            guard !known.isEnded else { return nil }
            known.figures.retransmissions += 1
            announce(known, known.first)
            return known
        }
        end(known, .replaced, packet)
        table.remove(known)
        return open(segment, bytes, packet)
    }

    /// Returns the number of the connection that a segment belongs to, after the segment has been
    /// processed; nil if there is none, or if its ports are not selected.
    mutating func connectionNumber(of segment: Segment) -> Int? {
        guard let connection = table.find(segment)?.connection, !connection.isIgnored else {
            return nil
        }
        return connection.number
    }

    /// Assigns numbers to connections between ports that are not selected, so that the numbers of
    /// other connections do not depend on the selection.
    private mutating func takeIgnored(
        _ segment: Segment, _ bytes: Span<UInt8>, _ packet: PacketInfo, _ known: CapturedConnection
    ) {
        guard segment.flags.contains(.syn) else { return }
        let half = known.half(direction(of: segment, known))
        guard half.initial != segment.sequence else { return }
        if half.initial == nil, !half.isStarted {
            half.initial = segment.sequence
        } else {
            table.remove(known)
            _ = open(segment, bytes, packet)
        }
    }

    @inline(__always)
    func direction(of segment: Segment, _ connection: CapturedConnection) -> Direction {
        segment.source == connection.client ? .fromClient : .fromServer
    }

    /// Opens a connection. Returns nil if its ports are not selected.
    private mutating func open(
        _ segment: Segment, _ bytes: Span<UInt8>, _ packet: PacketInfo
    ) -> CapturedConnection? {
        if table.count >= options.connectionsMax { forget(packet) }
        opened += 1
        let known =
            options.isFromServer(segment)
            ?? consumer.isFromServer(bytes.extracting(segment.payload))
        let isFromServer = known ?? (segment.source.port < segment.target.port)
        let connection = CapturedConnection(
            number: opened, client: isFromServer ? segment.target : segment.source,
            server: isFromServer ? segment.source : segment.target, vlans: segment.vlans,
            first: packet, table.pool)
        connection.startWasSeen = segment.flags.contains(.syn)
        connection.hasUncertainRoles = known == nil
        table.insert(connection)
        guard options.accepts(segment) else {
            ignore(connection, segment)
            return nil
        }
        counts.connections += 1
        if !connection.startWasSeen { announce(connection, packet) }
        return connection
    }

    private mutating func ignore(_ connection: CapturedConnection, _ segment: Segment) {
        connection.isIgnored = true
        connection.isEnded = true
        let half = connection.half(direction(of: segment, connection))
        half.start(at: segment.sequence &+ 1)
        if connection.startWasSeen {
            half.initial = segment.sequence
        } else {
            connection.half(direction(of: segment, connection).opposite)
                .start(at: segment.acknowledgement)
        }
        guard counts.otherPorts.count < StreamCounts.otherPortsMax else { return }
        counts.otherPorts.insert(connection.server.port)
    }

    /// Reports a connection to the consumer, unless it has already been reported.
    mutating func announce(_ connection: CapturedConnection, _ packet: PacketInfo) {
        guard !connection.isAnnounced else { return }
        connection.isAnnounced = true
        consumer.opened(connection, packet)
    }

    /// Processes a segment of a known connection. Most segments only acknowledge data or contain
    /// the next bytes. They are handled without accessing the connection object unless there is
    /// something to report.
    @_optimize(speed)
    @inline(__always)
    private mutating func take(
        _ segment: Segment, _ bytes: Span<UInt8>, _ packet: PacketInfo, _ record: ConnectionRecord,
        _ direction: Direction
    ) {
        let half = HalfStream(record, direction)
        let other = HalfStream(record, direction.opposite)
        unsafe record.seen.pointee.lastTime = packet.time
        unsafe record.seen.pointee.packets &+= 1
        half.isSeen = true
        if segment.flags.contains(.syn) {
            start(half, segment)
            accept(segment, packet, record.connection)
        }
        if segment.flags.contains(.ack) {
            acknowledge(other, segment, packet, record)
        } else if !segment.payload.isEmpty {
            announce(record.connection, packet)
        }
        if !segment.payload.isEmpty, segment.uncaptured == 0, half.isStarted,
            !half.hasParked, segment.sequence == half.next,
            segment.flags.isDisjoint(with: .synOrReset), !half.isClosed
        {
            record.withConnection {
                deliver(bytes.extracting(segment.payload), $0, direction, half, packet)
            }
        } else if !segment.payload.isEmpty || segment.uncaptured > 0, !segment.flags.contains(.rst)
        {
            takeData(segment, bytes, packet, record.connection, direction)
        }
        if segment.flags.rawValue & 5 != 0 {
            takeEnd(segment, packet, record.connection, direction)
        }
        if segment.window == 0 {
            takeZeroWindow(segment, packet, record.connection, direction)
        }
        if half.isAwaiting || other.isAwaitingBytes {
            if half.isAwaitingACK { takeACK(segment, packet, record.connection) }
            if half.isWindowClosed { takeWindow(segment, packet, record.connection, half) }
            declareGaps(record.connection, packet)
        }
    }

    @inline(never)
    private func takeZeroWindow(
        _ segment: Segment, _ packet: PacketInfo, _ connection: CapturedConnection,
        _ direction: Direction
    ) {
        guard segment.flags.isDisjoint(with: .synOrReset) else { return }
        connection.figures.zeroWindows += 1
        guard direction == .fromClient, !connection.fromClient.isWindowClosed,
            packet.time != CaptureRecord.timeUnknown
        else { return }
        connection.fromClient.isWindowClosed = true
        connection.figures.windowClosedAt = packet.time
    }

    /// Records that the client has opened its receive window again.
    @inline(never)
    private func takeWindow(
        _ segment: Segment, _ packet: PacketInfo, _ connection: CapturedConnection,
        _ half: HalfStream
    ) {
        guard segment.window > 0, packet.time != CaptureRecord.timeUnknown else { return }
        connection.figures.closedWindow = connection.closedWindow(until: packet.time)
        connection.figures.windowClosedAt = nil
        half.isWindowClosed = false
    }

    /// Records the round-trip time when the client acknowledges the server's SYN-ACK.
    @inline(never)
    private func takeACK(_ segment: Segment, _ packet: PacketInfo, _ connection: CapturedConnection)
    {
        guard !segment.flags.contains(.syn) else { return }
        connection.fromClient.isAwaitingACK = false
        let start = connection.figures.synTime
        guard start != CaptureRecord.timeUnknown, packet.time != CaptureRecord.timeUnknown else {
            return
        }
        connection.figures.roundTrip = packet.time &- start
    }

    @inline(never)
    private mutating func take(
        _ segment: Segment, _ bytes: Span<UInt8>, _ packet: PacketInfo,
        _ connection: CapturedConnection
    ) {
        take(
            segment, bytes, packet, connection.record, direction(of: segment, connection))
    }

    /// Delivers the next bytes of a stream to the consumer.
    @inline(__always)
    mutating func deliver(
        _ bytes: Span<UInt8>, _ connection: CapturedConnection, _ direction: Direction,
        _ half: HalfStream,
        _ packet: PacketInfo
    ) {
        half.history = history.add(bytes, at: half.offset, after: half.history)
        half.advance(bytes.count)
        counts.bytes &+= bytes.count
        consumer.bytes(connection, half, direction, bytes, packet)
    }

    private func start(_ half: HalfStream, _ segment: Segment) {
        guard half.initial == nil else { return }
        half.initial = segment.sequence
        if !half.isStarted { half.start(at: segment.sequence &+ 1) }
    }

    /// Records the time of a SYN from the client. For a SYN from the server, records that the
    /// server accepted the connection, and when.
    private mutating func accept(
        _ segment: Segment, _ packet: PacketInfo, _ connection: CapturedConnection
    ) {
        guard segment.source == connection.server else {
            connection.figures.synTime = packet.time
            return
        }
        announce(connection, packet)
        connection.fromClient.isAwaitingACK = connection.startWasSeen
        guard connection.acceptedAt == nil, segment.flags.contains(.ack),
            packet.time != CaptureRecord.timeUnknown
        else { return }
        connection.acceptedAt = packet.time
    }

    /// Updates the other direction's state from an acknowledgement.
    @inline(__always)
    private mutating func acknowledge(
        _ other: HalfStream, _ segment: Segment, _ packet: PacketInfo,
        _ record: ConnectionRecord
    ) {
        guard other.isStarted else {
            // No packet from the other side has been captured yet.
            other.start(at: segment.acknowledgement)
            announce(record.connection, packet)
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

    /// Drops an eighth of the connections: ended connections first, then attempts that the server
    /// has not answered, such as those of a port scan, then the connections that have been idle the
    /// longest. Dropping many at once avoids a search each time a connection is opened.
    private mutating func forget(_ packet: PacketInfo) {
        let live = table.connections.compactMap(\.self)
        func rank(_ connection: CapturedConnection) -> (Int, Int64, Int) {
            let state = connection.isEnded ? 0 : connection.isAccepted ? 2 : 1
            return (state, connection.lastTime, connection.number)
        }
        let byAge = live.map { (rank($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        for connection in byAge.prefix(options.connectionsMax / 8) {
            if !connection.isEnded, connection.isAccepted { counts.forgotten += 1 }
            end(connection, .forgotten, packet)
            swapRoles()
            table.remove(connection)
        }
    }

    /// Ends all remaining connections in numerical order.
    mutating func finish(_ packet: PacketInfo) {
        let live = table.connections.compactMap(\.self)
        for connection in live.sorted(by: { $0.number < $1.number }) {
            end(connection, .captureEnd, packet)
            swapRoles()
        }
    }
}
