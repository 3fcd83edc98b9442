import LineProtocol

extension Reassembler {
    /// Declares the holes that nothing can fill any more.
    @inline(never)
    mutating func declareHoles(_ connection: Connection, _ packet: PacketInfo) {
        for direction in Direction.allCases {
            let half = connection.half(direction)
            guard let hole = half.hole else { continue }
            if half.acknowledged <= half.offset, half.parked.isEmpty {
                half.hole = nil
                continue
            }
            let waited = packet.time &- hole.time
            let packets = connection.packets - hole.packets
            if half.acknowledged > half.offset || half.finOffset != nil {
                guard
                    waited >= ReassemblyOptions.graceNanoseconds
                        || packets >= ReassemblyOptions.gracePackets
                else { continue }
            } else {
                // The other side is there and has not got it: it will come again.
                guard !connection.half(direction.opposite).isSeen,
                    waited >= ReassemblyOptions.oneSidedGraceNanoseconds
                else { continue }
            }
            declareHole(connection, direction, .lost, packet)
        }
    }

    /// Declares the hole in front of what is parked, or of what was acknowledged.
    mutating func declareHole(
        _ connection: Connection, _ direction: Direction, _ reason: StreamGap.Reason,
        _ packet: PacketInfo
    ) {
        let half = connection.half(direction)
        half.hole = nil
        let count = holeEnd(half, reason) - half.offset
        if count == 1, half.parked.isEmpty, half.finOffset == nil {
            // One byte and nothing after it: a FIN that was not captured.
            half.finOffset = half.offset
            return takeFIN(connection, direction, packet)
        }
        if count > 0 { tellGap(count, reason, connection, direction, packet) }
        drain(connection, direction)
        if !half.parked.isEmpty || half.acknowledged > half.offset {
            half.hole = HalfStream.Hole(time: packet.time, packets: connection.packets)
        }
        takeFIN(connection, direction, packet)
    }

    /// Where the hole in front ends: what was not acknowledged may still come again.
    private func holeEnd(_ half: HalfStream, _ reason: StreamGap.Reason) -> Int {
        guard let parked = half.parked.first?.offset else { return half.acknowledged }
        guard reason == .lost, half.acknowledged > half.offset else { return parked }
        return min(parked, half.acknowledged)
    }

    /// Keeps what is parked under its maxima, by giving up the wait.
    mutating func bound(
        _ connection: Connection, _ direction: Direction, _ packet: PacketInfo
    ) {
        let half = connection.half(direction)
        while !half.parked.isEmpty,
            half.parkedBytes > ReassemblyOptions.parkedBytesMax
                || half.parked.count > ReassemblyOptions.parkedPiecesMax
                || parkedBytes > ReassemblyOptions.parkedBytesTotalMax
        {
            declareHole(connection, direction, .limit, packet)
        }
    }

    /// A FIN or RST.
    @inline(never)
    mutating func takeEnd(
        _ segment: Segment, _ packet: PacketInfo, _ connection: Connection, _ direction: Direction
    ) {
        let half = connection.half(direction)
        if segment.flags.contains(.rst) {
            takeReset(segment, packet, connection, half)
            return
        }
        guard segment.flags.contains(.fin) else { return }
        let shift = segment.flags.contains(.syn) ? 1 : 0
        let start = segment.sequence &+ UInt32(shift)
        if !half.isStarted { half.start(at: start) }
        let end = half.offset(of: start) + segment.payload.count + segment.uncaptured
        guard half.finOffset == nil, end >= half.offset,
            end - half.offset < ReassemblyOptions.windowBytesMax
        else { return }
        half.finOffset = end
        if end > half.offset {
            half.acknowledged = max(half.acknowledged, end)
            half.hole = HalfStream.Hole(time: packet.time, packets: connection.packets)
        }
        takeFIN(connection, direction, packet)
    }

    /// A reset ends a connection only where it fits, so that nobody else can end it.
    private mutating func takeReset(
        _ segment: Segment, _ packet: PacketInfo, _ connection: Connection, _ half: HalfStream
    ) {
        let other = connection.half(direction(of: segment, connection).opposite)
        let distance = half.isStarted ? half.offset(of: segment.sequence) - half.offset : 0
        let answersSYN =
            segment.flags.contains(.ack) && segment.acknowledgement == other.next
            && half.initial == nil
        guard answersSYN || (distance >= -1 && distance < ReassemblyOptions.resetWindowBytes)
        else {
            counts.outOfWindow += 1
            return
        }
        connection.resetBy = direction(of: segment, connection)
        end(connection, .reset, packet)
    }

    /// Ends one side once everything up to its FIN is there; the connection, once both have ended.
    mutating func takeFIN(
        _ connection: Connection, _ direction: Direction, _ packet: PacketInfo
    ) {
        let half = connection.half(direction)
        guard !connection.isEnded, !half.isClosed, let fin = half.finOffset, half.offset >= fin
        else { return }
        half.isClosed = true
        half.hole = nil
        discardParked(half)
        consumer.halfClosed(connection, direction, packet)
        if connection.half(direction.opposite).isClosed { end(connection, .closed, packet) }
    }

    /// Tells the holes that are left and the end.
    mutating func end(_ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo) {
        guard !connection.isEnded else { return }
        for direction in Direction.allCases {
            let half = connection.half(direction)
            if half.parked.last.map({ $0.end > half.acknowledged }) ?? false {
                // Nothing can come any more, acknowledged or not.
                half.acknowledged = half.offset
            }
            while !half.isClosed, !half.parked.isEmpty || half.acknowledged > half.offset {
                declareHole(connection, direction, .lost, packet)
                // It may have ended by that.
                if connection.isEnded { return }
            }
        }
        connection.isEnded = true
        for direction in Direction.allCases { discardParked(connection.half(direction)) }
        consumer.ended(connection, end, packet)
    }

    private mutating func discardParked(_ half: HalfStream) {
        parkedBytes -= half.parkedBytes
        half.parkedBytes = 0
        half.parked = []
    }
}
