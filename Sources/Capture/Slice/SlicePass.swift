import LineProtocol

/// A repeated reading of captures that writes the packets of connections that were selected before.
enum SlicePass {
    /// Reads the packets until their end, or until `isStopped` returns true.
    ///
    /// - Parameter options: The options with which the connections were numbered.
    static func run(
        _ input: PacketInput, _ options: ReassemblyOptions, into collector: SliceCollector,
        until isStopped: () -> Bool
    ) {
        var input = input
        var dissector = PacketDissector()
        var reassembler = Reassembler(IgnoredStreams(), options)
        do throws(CaptureError) {
            while !isStopped(), let record = try input.next() {
                let range = record.start..<(record.start + record.count)
                if let packets = options.packets,
                    !packets.accepts(input.window.span.extracting(range), record)
                {
                    continue
                }
                collector.take(
                    record, input.window, input.interface(of: record), &dissector, &reassembler)
            }
        } catch {
            // The first reading has reported the error.
        }
        collector.finish()
    }
}

/// A consumer that ignores the bytes of all streams, for numbering connections.
private struct IgnoredStreams: StreamConsumer {
    mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {}

    mutating func bytes(
        _ connection: CapturedConnection, _ direction: Direction, _ bytes: Span<UInt8>,
        _ packet: PacketInfo
    ) {}

    mutating func gap(
        _ connection: CapturedConnection, _ direction: Direction, _ gap: StreamGap,
        _ packet: PacketInfo
    ) {}

    mutating func conflict(
        _ connection: CapturedConnection, _ direction: Direction, _ conflict: StreamConflict,
        _ packet: PacketInfo
    ) {}

    mutating func halfClosed(
        _ connection: CapturedConnection, _ direction: Direction, _ packet: PacketInfo
    ) {}

    mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {}

    mutating func settled(_ connection: CapturedConnection, _ packet: PacketInfo) {}
}
