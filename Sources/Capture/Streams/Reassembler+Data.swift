import LineProtocol

extension Reassembler {
    /// Handles data that is not the next in sequence.
    @inline(never)
    mutating func takeData(
        _ segment: Segment, _ bytes: Span<UInt8>, _ packet: PacketInfo,
        _ connection: CapturedConnection,
        _ direction: Direction
    ) {
        let half = connection.half(direction)
        let sequence = segment.flags.contains(.syn) ? segment.sequence &+ 1 : segment.sequence
        if !half.isStarted { half.start(at: sequence) }
        let start = half.offset(of: sequence)
        let count = segment.payload.count
        let end = start + count + segment.uncaptured
        guard !half.isClosed, abs(start - half.offset) < ReassemblyOptions.windowBytesMax else {
            counts.ignored += 1
            return
        }
        let payload = bytes.extracting(segment.payload)
        if start < half.offset {
            // A TCP keep-alive repeats the last byte or contains no data.
            let isKeepAlive = start == half.offset - 1 && count <= 1 && segment.uncaptured == 0
            if isKeepAlive { return }
            if end <= half.offset {
                counts.retransmissions += 1
                connection.figures.retransmissions += 1
                connection.figures.lastRepair = packet.time
            }
            compare(
                payload.extracting(first: min(count, half.offset - start)), at: start,
                connection, direction, packet)
        }
        if start > half.offset, half.parked.last.map({ start >= $0.end }) ?? true {
            counts.outOfOrder += 1
        }
        if end > half.offset {
            if start <= half.offset, half.hasParked { connection.figures.lastRepair = packet.time }
            park(payload, at: start, segment.uncaptured, connection, direction, packet)
            drain(connection, direction)
        }
        if !half.parked.isEmpty, half.wait == nil {
            half.wait = HalfStream.Wait(time: packet.time, packets: connection.packets)
        }
        bound(connection, direction, packet)
        if half.finOffset != nil { takeFIN(connection, direction, packet) }
    }

    /// Reports a conflict if retransmitted bytes differ from the delivered bytes.
    private mutating func compare(
        _ bytes: Span<UInt8>, at offset: Int, _ connection: CapturedConnection,
        _ direction: Direction,
        _ packet: PacketInfo
    ) {
        let half = connection.half(direction)
        let differing = history.differences(bytes, at: offset, last: half.history)
        guard differing > 0 else { return }
        counts.conflicts += 1
        consumer.conflict(
            connection, direction, StreamConflict(count: differing, prefersLastCopy: false), packet)
    }

    /// Parks the bytes that have been neither delivered nor parked yet.
    private mutating func park(
        _ bytes: Span<UInt8>, at start: Int, _ uncaptured: Int, _ connection: CapturedConnection,
        _ direction: Direction, _ packet: PacketInfo
    ) {
        let half = connection.half(direction)
        var lower = max(start, half.offset)
        let dataEnd = start + bytes.count
        var differing = 0
        var index = half.parked.firstIndex { $0.end > lower } ?? half.parked.count
        while lower < dataEnd {
            let next = index < half.parked.count ? half.parked[index].offset : Int.max
            if next > lower {
                let upper = min(dataEnd, next)
                insert(
                    ParkedBytes(
                        offset: lower, bytes: bytes.array((lower - start)..<(upper - start)),
                        packet: packet), into: half, at: index)
                lower = upper
            } else {
                let upper = min(dataEnd, half.parked[index].end)
                differing += overlay(
                    bytes.extracting((lower - start)..<(upper - start)), at: lower, half, index)
                lower = upper
            }
            index += 1
        }
        if uncaptured > 0 { parkUncaptured(uncaptured, at: dataEnd, half, packet) }
        guard differing > 0 else { return }
        counts.conflicts += 1
        consumer.conflict(
            connection, direction,
            StreamConflict(count: differing, prefersLastCopy: options.prefersLastCopy), packet)
    }

    private mutating func insert(_ piece: ParkedBytes, into half: HalfStream, at index: Int) {
        half.parked.insert(piece, at: index)
        half.parkedBytes += piece.bytes.count
        parkedBytes += piece.bytes.count
    }

    /// Compares bytes with the parked piece that covers them, and overwrites the piece if
    /// `prefersLastCopy` is set. Returns the number of differing bytes.
    private func overlay(
        _ bytes: Span<UInt8>, at offset: Int, _ half: HalfStream, _ index: Int
    ) -> Int {
        guard half.parked[index].uncaptured == 0 else { return 0 }
        let shift = offset - half.parked[index].offset
        var differing = 0
        for offset in 0..<bytes.count
        where half.parked[index].bytes[shift + offset] != bytes[offset] {
            differing += 1
            if options.prefersLastCopy { half.parked[index].bytes[shift + offset] = bytes[offset] }
        }
        return differing
    }

    /// Parks a placeholder for bytes that were not captured, up to the next parked piece.
    private mutating func parkUncaptured(
        _ count: Int, at offset: Int, _ half: HalfStream, _ packet: PacketInfo
    ) {
        let lower = max(offset, half.offset)
        let index = half.parked.firstIndex { $0.end > lower } ?? half.parked.count
        let next = index < half.parked.count ? half.parked[index].offset : Int.max
        let upper = min(offset + count, next)
        guard upper > lower else { return }
        insert(
            ParkedBytes(offset: lower, bytes: [], uncaptured: upper - lower, packet: packet),
            into: half, at: index)
    }

    /// Delivers parked data that has become the next in sequence.
    mutating func drain(_ connection: CapturedConnection, _ direction: Direction) {
        let half = connection.half(direction)
        var taken = 0
        while taken < half.parked.count, half.parked[taken].offset <= half.offset {
            let piece = half.parked[taken]
            taken += 1
            half.parkedBytes -= piece.bytes.count
            parkedBytes -= piece.bytes.count
            let skipped = half.offset - piece.offset
            guard skipped < piece.count else { continue }
            if piece.uncaptured > 0 {
                reportGap(piece.uncaptured - skipped, .cut, connection, direction, piece.packet)
            } else {
                let bytes = piece.bytes.span
                deliver(
                    bytes.extracting(skipped..<bytes.count), connection, direction, half,
                    piece.packet)
            }
        }
        if taken > 0 { half.parked.removeFirst(taken) }
        if half.parked.isEmpty, half.acknowledged <= half.offset { half.wait = nil }
    }

    /// Reports missing bytes and continues after the gap.
    mutating func reportGap(
        _ count: Int, _ reason: StreamGap.Reason, _ connection: CapturedConnection,
        _ direction: Direction,
        _ packet: PacketInfo
    ) {
        connection.half(direction).advance(count)
        counts.gaps += 1
        counts.missingBytes += count
        connection.figures.gaps += 1
        connection.figures.missingBytes += count
        consumer.gap(connection, direction, StreamGap(count: count, reason: reason), packet)
    }
}
