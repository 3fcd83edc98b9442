import LineProtocol

extension Reassembler {
    /// Declares the gaps that are not going to be filled.
    @inline(never)
    mutating func declareGaps(_ connection: Connection, _ packet: PacketInfo) {
        for direction in Direction.allCases {
            let half = connection.half(direction)
            guard let wait = half.wait else { continue }
            if half.acknowledged <= half.offset, half.parked.isEmpty {
                half.wait = nil
                continue
            }
            let waited = packet.time &- wait.time
            let packets = connection.packets - wait.packets
            if half.acknowledged > half.offset || half.finOffset != nil {
                guard
                    waited >= ReassemblyOptions.graceNanoseconds
                        || packets >= ReassemblyOptions.gracePackets
                else { continue }
            } else {
                // The other side has not acknowledged the bytes, so they will be retransmitted.
                guard !connection.half(direction.opposite).isSeen,
                    waited >= ReassemblyOptions.oneSidedGraceNanoseconds
                else { continue }
            }
            declareGap(connection, direction, .lost, packet)
        }
    }

    /// Declares a gap before the parked data or up to the acknowledged offset.
    mutating func declareGap(
        _ connection: Connection, _ direction: Direction, _ reason: StreamGap.Reason,
        _ packet: PacketInfo
    ) {
        let half = connection.half(direction)
        half.wait = nil
        let count = gapEnd(half, reason) - half.offset
        if count == 1, half.parked.isEmpty, half.finOffset == nil {
            // If a single byte is missing at the end, it is a FIN that was not captured.
            half.finOffset = half.offset
            return takeFIN(connection, direction, packet)
        }
        if count > 0 { reportGap(count, reason, connection, direction, packet) }
        drain(connection, direction)
        if !half.parked.isEmpty || half.acknowledged > half.offset {
            half.wait = HalfStream.Wait(time: packet.time, packets: connection.packets)
        }
        takeFIN(connection, direction, packet)
    }

    /// Returns the end of the gap. Bytes that were not acknowledged may still be retransmitted.
    private func gapEnd(_ half: HalfStream, _ reason: StreamGap.Reason) -> Int {
        guard let parked = half.parked.first?.offset else { return half.acknowledged }
        guard reason == .lost, half.acknowledged > half.offset else { return parked }
        return min(parked, half.acknowledged)
    }

    /// Enforces the limits of parked data by declaring gaps early.
    mutating func bound(
        _ connection: Connection, _ direction: Direction, _ packet: PacketInfo
    ) {
        let half = connection.half(direction)
        while !half.parked.isEmpty,
            half.parkedBytes > ReassemblyOptions.parkedBytesMax
                || half.parked.count > ReassemblyOptions.parkedPiecesMax
                || parkedBytes > ReassemblyOptions.parkedBytesTotalMax
        {
            declareGap(connection, direction, .limit, packet)
        }
    }

    /// Handles a FIN or RST.
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
            half.wait = HalfStream.Wait(time: packet.time, packets: connection.packets)
        }
        takeFIN(connection, direction, packet)
    }

    /// Handles an RST, which ends the connection only if its sequence number is plausible.
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

    /// Closes one direction once everything before its FIN has been delivered. Ends the connection
    /// once both directions are closed.
    mutating func takeFIN(
        _ connection: Connection, _ direction: Direction, _ packet: PacketInfo
    ) {
        let half = connection.half(direction)
        guard !connection.isEnded, !half.isClosed, let fin = half.finOffset, half.offset >= fin
        else { return }
        half.isClosed = true
        half.wait = nil
        discardParked(half)
        consumer.halfClosed(connection, direction, packet)
        if connection.half(direction.opposite).isClosed { end(connection, .closed, packet) }
    }

    /// Reports the remaining gaps and the end of the connection.
    mutating func end(_ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo) {
        guard !connection.isEnded else { return }
        for direction in Direction.allCases {
            let half = connection.half(direction)
            if half.parked.last.map({ $0.end > half.acknowledged }) ?? false {
                // Nothing more will arrive, whether acknowledged or not.
                half.acknowledged = half.offset
            }
            while !half.isClosed, !half.parked.isEmpty || half.acknowledged > half.offset {
                declareGap(connection, direction, .lost, packet)
                // Declaring the gap may have ended the connection.
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
