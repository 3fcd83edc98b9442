import LineProtocol

extension Reassembler {
    /// Declares gaps that are no longer expected to be filled.
    @inline(never)
    mutating func declareGaps(_ connection: CapturedConnection, _ packet: PacketInfo) {
        for direction in Direction.allCases {
            let half = connection.half(direction)
            guard let wait = half.wait else { continue }
            if half.acknowledged <= half.offset, half.parked.isEmpty {
                half.wait = nil
                takeFIN(connection, direction, packet)
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

    /// Declares a gap that ends at the first parked data or at the acknowledged offset.
    mutating func declareGap(
        _ connection: CapturedConnection, _ direction: Direction, _ reason: StreamGap.Reason,
        _ packet: PacketInfo
    ) {
        let half = connection.half(direction)
        half.wait = nil
        let count = gapEnd(half, reason) - half.offset
        if count == 1, half.parked.isEmpty, half.finOffset == nil {
            // If only one byte is missing at the end, it is a FIN that was not captured.
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

    /// Returns the offset at which the gap ends. If only some of the lost bytes were acknowledged,
    /// the gap ends after those, because the others may still be retransmitted.
    private func gapEnd(_ half: HalfStream, _ reason: StreamGap.Reason) -> Int {
        guard let parked = half.parked.first?.offset else { return half.acknowledged }
        guard reason == .lost, half.acknowledged > half.offset else { return parked }
        return min(parked, half.acknowledged)
    }

    /// Enforces the limits on parked data by declaring gaps early.
    mutating func bound(
        _ connection: CapturedConnection, _ direction: Direction, _ packet: PacketInfo
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
        _ segment: Segment, _ packet: PacketInfo, _ connection: CapturedConnection,
        _ direction: Direction
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
        guard end >= half.offset, end - half.offset < ReassemblyOptions.windowBytesMax
        else { return }
        guard half.finOffset == nil else { return takeFIN(connection, direction, packet) }
        half.finOffset = end
        if connection.closedBy == nil { connection.closedBy = direction }
        if end > half.offset {
            half.acknowledged = max(half.acknowledged, end)
            half.wait = HalfStream.Wait(time: packet.time, packets: connection.packets)
        }
        takeFIN(connection, direction, packet)
    }

    /// Handles an RST. It ends the connection only if its sequence number is plausible.
    private mutating func takeReset(
        _ segment: Segment, _ packet: PacketInfo, _ connection: CapturedConnection,
        _ half: HalfStream
    ) {
        let other = connection.half(direction(of: segment, connection).opposite)
        let distance = half.isStarted ? half.offset(of: segment.sequence) - half.offset : 0
        let answersSYN =
            segment.flags.contains(.ack) && segment.acknowledgement == other.next
            && half.initial == nil
        guard answersSYN || (distance >= -1 && distance < ReassemblyOptions.resetWindowBytes)
        else {
            counts.ignored += 1
            return
        }
        // Data in a reset is not part of the stream (RFC 9293 §3.5.3).
        if !segment.payload.isEmpty { counts.ignored += 1 }
        let side = direction(of: segment, connection)
        connection.resetBy = side
        end(connection, side == .fromServer && !connection.isAccepted ? .refused : .reset, packet)
    }

    /// Closes one direction once everything before its FIN has been delivered, and ends the
    /// connection when both directions are closed.
    mutating func takeFIN(
        _ connection: CapturedConnection, _ direction: Direction, _ packet: PacketInfo
    ) {
        let half = connection.half(direction)
        guard !connection.isEnded, !half.isClosed, let fin = half.finOffset, half.offset >= fin
        else { return }
        half.isClosed = true
        if connection.closedBy == nil { connection.closedBy = direction }
        half.wait = nil
        discardParked(half)
        consumer.halfClosed(connection, direction, packet)
        if connection.half(direction.opposite).isClosed { end(connection, .closed, packet) }
    }

    /// Reports the remaining gaps and the end of the connection.
    mutating func end(_ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo)
    {
        guard !connection.isEnded else { return settle(connection, packet) }
        announce(connection, connection.first)
        // After a reset, bytes that were acknowledged may still be captured.
        declareRemainingGaps(connection, packet, atEnd: connection.resetBy == nil)
        // Declaring a gap may already have ended the connection.
        guard !connection.isEnded else { return }
        connection.isEnded = true
        let isUnanswered = !connection.isAccepted && end != .refused && end != .reset
        for direction in Direction.allCases { discardParked(connection.half(direction)) }
        consumer.ended(connection, isUnanswered ? .unanswered : end, packet)
        // Unfinished lines that end here were captured before the reset.
        guard connection.resetBy != nil else { return }
        for direction in Direction.allCases { connection.half(direction).isAfterReset = true }
    }

    /// - Parameter atEnd: Whether bytes may also be missing at the ends of the streams.
    private mutating func declareRemainingGaps(
        _ connection: CapturedConnection, _ packet: PacketInfo, atEnd: Bool
    ) {
        for direction in Direction.allCases {
            let half = connection.half(direction)
            if half.parked.last.map({ $0.end > half.acknowledged }) ?? false {
                // No more bytes will arrive, even if they have been acknowledged.
                half.acknowledged = half.offset
            }
            while !half.isClosed, !half.parked.isEmpty || atEnd && half.acknowledged > half.offset {
                declareGap(connection, direction, .lost, packet)
            }
        }
    }

    /// Handles data that was captured after the end of its connection. Data after a reset was
    /// either already in flight or captured out of order.
    mutating func takeAfterEnd(
        _ segment: Segment, _ bytes: Span<UInt8>, _ packet: PacketInfo,
        _ connection: CapturedConnection
    ) {
        let direction = direction(of: segment, connection)
        let half = connection.half(direction)
        let distance = half.isStarted ? half.offset(of: segment.sequence) - half.offset : 0
        guard connection.resetBy != nil, !segment.flags.contains(.rst), !half.isClosed,
            abs(distance) < ReassemblyOptions.resetWindowBytes
        else {
            counts.ignored += 1
            return
        }
        takeData(segment, bytes, packet, connection, direction)
    }

    /// Reports the gaps in data that was captured after a reset.
    mutating func settle(_ connection: CapturedConnection, _ packet: PacketInfo) {
        guard connection.resetBy != nil else { return }
        declareRemainingGaps(connection, packet, atEnd: true)
        consumer.settled(connection, packet)
    }

    private mutating func discardParked(_ half: HalfStream) {
        parkedBytes -= half.parkedBytes
        half.parkedBytes = 0
        half.parked = []
    }
}
