import LineProtocol

/// A collector that writes the packets of the selected connections to a slice, a pcapng file.
///
/// Packets are written in the order of the capture. If a packet may still be selected, because it
/// is a fragment or because a later line may select its connection, the collector buffers this
/// packet and all packets after it, up to a limit.
package final class SliceCollector {
    /// Maximum total size of the held packets, in bytes.
    package static let heldBytesMax = 16 << 20
    /// Maximum number of comments per packet. If there are more lines, the last comment says so.
    static let commentsMax = 64
    /// Maximum length of a comment, in bytes. Longer comments are truncated.
    static let commentBytesMax = 8_192
    /// Buffer size, in bytes, that triggers a write.
    static let bufferedBytesMax = 1 << 16

    private let selection: SliceSelection
    private let heldBytesMax: Int
    /// Writes the next bytes of the slice. Returns false if no more bytes can be written.
    private let write: ([UInt8]) -> Bool
    private var writer = PcapngWriter()
    private var held = HeldPackets()
    private var hasFailed = false
    /// Number of packets written.
    private(set) var packets = 0
    /// Comments for the packet that is being processed.
    private var comments: [[UInt8]] = []
    /// Connections with packets in the slice.
    private var written = ConnectionNumbers()
    /// Connections with packets that were dropped before it was known whether the connection is
    /// selected.
    private var cut = ConnectionNumbers()

    /// - Parameter write: Writes the next bytes of the slice. Returns false if no more bytes can be
    ///   written.
    init(
        _ selection: SliceSelection, heldBytesMax: Int = SliceCollector.heldBytesMax,
        write: @escaping ([UInt8]) -> Bool
    ) {
        self.selection = selection
        self.heldBytesMax = heldBytesMax
        self.write = write
    }

    /// Number of connections with packets in the slice.
    var connections: Int { written.count }
    /// Number of these connections whose first packets are missing.
    var incompleteConnections: Int { written.commonCount(cut) }

    /// Adds a comment, in UTF-8, to the packet that is being processed.
    func comment(_ text: [UInt8]) {
        guard comments.count < Self.commentsMax else {
            comments[Self.commentsMax - 1] = Array("… (more lines)".utf8)
            return
        }
        guard text.count > Self.commentBytesMax else { return comments.append(text) }
        // Do not truncate the comment in the middle of a character.
        var end = Self.commentBytesMax
        while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
        comments.append(text[..<end] + Array("…".utf8))
    }

    /// Reassembles the segment in a packet, and keeps the packet if its connection is, or may be,
    /// selected.
    func take<Consumer: StreamConsumer>(
        _ record: CaptureRecord, _ window: [UInt8], _ interface: CaptureInterface?,
        _ dissector: inout PacketDissector, _ reassembler: inout Reassembler<Consumer>
    ) {
        let packet = PacketInfo(record)
        let connection: Int?
        var fragment: Int?
        switch dissector.dissect(window.span, record) {
        case .segment(let segment):
            reassembler.take(segment, window.span, packet)
            connection = reassembler.connectionNumber(of: segment)
        case .assembled(let segment):
            reassembler.take(segment, dissector.fragments.assembled.span, packet)
            connection = reassembler.connectionNumber(of: segment)
            held.assign(dissector.fragments.assembledFrom, to: connection)
        case .nothing:
            connection = nil
            if dissector.fragments.latest == dissector.counts.packets {
                fragment = dissector.counts.packets
            }
        }
        if let interface, !hasFailed, connection != nil || fragment != nil {
            let range = record.start..<(record.start + record.count)
            keep(window.span.extracting(range), record, interface, connection, fragment)
        }
        if !comments.isEmpty { comments = [] }
        writeDecided()
    }

    private func keep(
        _ bytes: Span<UInt8>, _ record: CaptureRecord, _ interface: CaptureInterface,
        _ connection: Int?, _ fragment: Int?
    ) {
        switch connection.map(selection.decision) {
        case .unselected: return
        case .selected where held.isEmpty: add(bytes, record, interface, comments, connection)
        default:
            held.append(
                HeldPackets.Packet(
                    bytes: bytes.array(0..<bytes.count), record: record, interface: interface,
                    comments: comments, connection: connection, fragment: fragment))
        }
    }

    /// Writes or drops the packets at the start of the queue, up to the first undecided one. If too
    /// many bytes are held, drops undecided packets as well.
    private func writeDecided() {
        while let packet = held.first {
            switch decision(packet) {
            case .selected:
                add(packet)
            case .unselected: break
            case .undecided:
                guard held.heldBytes > heldBytesMax else { return }
                if let connection = packet.connection { cut.insert(connection) }
            }
            held.removeFirst()
        }
    }

    private func decision(_ packet: HeldPackets.Packet) -> SliceSelection.Decision {
        guard packet.mayBelong else { return .unselected }
        return packet.connection.map(selection.decision) ?? .undecided
    }

    private func add(_ packet: HeldPackets.Packet) {
        add(
            packet.bytes.span, packet.record, packet.interface, packet.comments, packet.connection)
    }

    private func add(
        _ bytes: Span<UInt8>, _ record: CaptureRecord, _ interface: CaptureInterface,
        _ comments: [[UInt8]], _ connection: Int?
    ) {
        writer.add(bytes, record, interface, comments: comments)
        packets += 1
        if let connection { written.insert(connection) }
        if writer.bytes.count >= Self.bufferedBytesMax { flush() }
    }

    /// Writes the packets that are known to be selected.
    func flush() {
        guard !writer.bytes.isEmpty, !hasFailed else { return }
        hasFailed = !write(writer.bytes)
        writer.removeAll()
    }

    /// Writes the rest of the slice. No more connections are selected after this call.
    func finish() {
        while let packet = held.first {
            if decision(packet) == .selected {
                add(packet)
            }
            held.removeFirst()
        }
        flush()
    }
}
