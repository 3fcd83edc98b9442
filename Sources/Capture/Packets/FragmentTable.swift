import LineProtocol

/// A table of IP packets that are being reassembled from fragments.
///
/// If fragments overlap, the bytes that were received first are used. The number, size and age of
/// incomplete packets are limited.
struct FragmentTable: Sendable {
    /// Maximum number of packets in reassembly.
    static let packetsMax = 256
    /// Maximum number of bytes held for all packets in reassembly.
    static let bytesMax = 2 << 20
    static let packetBytesMax = 65_535
    static let fragmentsMax = 512
    /// Reassembly timeout, in nanoseconds (RFC 8200 §4.5).
    static let nanosecondsMax: Int64 = 60_000_000_000

    /// The most recently completed packet.
    private(set) var assembled: [UInt8] = []
    /// Ordinals of the captured packets that the most recently completed packet consists of.
    private(set) var assembledFrom: [Int] = []
    /// Ordinal of the most recent captured packet that was kept because it is a fragment.
    private(set) var latest = 0
    private var packets: [Key: Packet] = [:]
    private var heldBytes = 0

    /// The header fields that identify the packet to which a fragment belongs.
    struct Key: Hashable, Sendable {
        var source: IPAddress
        var target: IPAddress
        var vlans: UInt32
        var identification: UInt32
    }

    private struct Packet: Sendable {
        var started: Int64
        var pieces: [Piece] = []
        /// Length of the packet; nil until its last fragment has arrived.
        var count: Int?

        var heldBytes: Int { pieces.reduce(0) { $0 + $1.bytes.count } }
    }

    private struct Piece: Sendable {
        var offset: Int
        var bytes: [UInt8]
        /// Ordinal of the captured packet.
        var ordinal: Int
    }

    /// Adds a fragment. If that completes its packet, stores the packet in `assembled` and returns
    /// true.
    ///
    /// - Parameter ordinal: Position of the captured packet among all packets, starting at 1.
    mutating func add(
        _ bytes: Span<UInt8>, _ key: Key, offset: Int, isLast: Bool, time: Int64, ordinal: Int,
        _ dropped: inout Int
    ) -> Bool {
        guard offset + bytes.count <= Self.packetBytesMax else {
            dropped += 1
            return false
        }
        drop(before: time, &dropped)
        var packet = packets.removeValue(forKey: key) ?? Packet(started: time)
        heldBytes -= packet.heldBytes
        guard packet.pieces.count < Self.fragmentsMax else {
            dropped += packet.pieces.count + 1
            return false
        }
        if isLast, packet.count == nil { packet.count = offset + bytes.count }
        packet.pieces.append(
            Piece(offset: offset, bytes: bytes.array(0..<bytes.count), ordinal: ordinal))
        latest = ordinal
        if let whole = join(packet) {
            assembled = whole
            assembledFrom = packet.pieces.map(\.ordinal)
            return true
        }
        heldBytes += packet.heldBytes
        packets[key] = packet
        return false
    }

    /// Drops packets that have timed out and, if there are too many, the oldest ones.
    private mutating func drop(before time: Int64, _ dropped: inout Int) {
        guard !packets.isEmpty else { return }
        for (key, packet) in packets where time &- packet.started > Self.nanosecondsMax {
            remove(key, &dropped)
        }
        while packets.count >= Self.packetsMax || heldBytes >= Self.bytesMax,
            let oldest = packets.min(by: { $0.value.started < $1.value.started })
        {
            remove(oldest.key, &dropped)
        }
    }

    private mutating func remove(_ key: Key, _ dropped: inout Int) {
        guard let packet = packets.removeValue(forKey: key) else { return }
        heldBytes -= packet.heldBytes
        dropped += packet.pieces.count
    }

    /// Drops all incomplete packets, and adds the number of their fragments to `dropped`.
    mutating func finish(_ dropped: inout Int) {
        for key in Array(packets.keys) { remove(key, &dropped) }
    }

    private func join(_ packet: Packet) -> [UInt8]? {
        guard let count = packet.count else { return nil }
        var result = [UInt8](repeating: 0, count: count)
        var isSet = [Bool](repeating: false, count: count)
        var missing = count
        // Pieces are in order of arrival, so the bytes received first win.
        for piece in packet.pieces {
            for (index, byte) in piece.bytes.enumerated() {
                let offset = piece.offset + index
                guard offset < count, !isSet[offset] else { continue }
                result[offset] = byte
                isSet[offset] = true
                missing -= 1
            }
        }
        return missing == 0 ? result : nil
    }
}
