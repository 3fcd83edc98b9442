import LineProtocol

/// Puts IP packets together that came in fragments.
///
/// Of bytes that come twice, the first ones count. What is held is bounded in number, bytes and time.
struct FragmentTable: Sendable {
    /// The most packets that are being put together.
    static let packetsMax = 256
    /// The most bytes that they may hold together.
    static let bytesMax = 2 << 20
    /// The largest packet.
    static let packetBytesMax = 65_535
    /// The most fragments of one packet.
    static let fragmentsMax = 512
    /// How long a packet is waited for (RFC 8200 §4.5).
    static let nanosecondsMax: Int64 = 60_000_000_000

    /// The bytes of the last packet that was completed.
    private(set) var assembled: [UInt8] = []
    private var packets: [Key: Packet] = [:]
    private var heldBytes = 0

    /// What the fragments of a packet have in common.
    struct Key: Hashable, Sendable {
        var source: IPAddress
        var target: IPAddress
        var vlans: UInt32
        var identification: UInt32
    }

    private struct Packet: Sendable {
        var started: Int64
        var pieces: [Piece] = []
        /// The packet's length, once its last fragment has come.
        var count: Int?

        var heldBytes: Int { pieces.reduce(0) { $0 + $1.bytes.count } }
    }

    private struct Piece: Sendable {
        var offset: Int
        var bytes: [UInt8]
    }

    /// Takes a fragment. Returns whether its packet is whole, and in `assembled`.
    mutating func add(
        _ bytes: Span<UInt8>, _ key: Key, offset: Int, isLast: Bool, time: Int64,
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
        packet.pieces.append(Piece(offset: offset, bytes: bytes.array(0..<bytes.count)))
        if let whole = join(packet) {
            assembled = whole
            return true
        }
        heldBytes += packet.heldBytes
        packets[key] = packet
        return false
    }

    /// Drops packets that are too old, and the oldest where there are too many.
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

    /// Counts what was never completed as dropped.
    mutating func finish(_ dropped: inout Int) {
        for key in Array(packets.keys) { remove(key, &dropped) }
    }

    private func join(_ packet: Packet) -> [UInt8]? {
        guard let count = packet.count else { return nil }
        var result = [UInt8](repeating: 0, count: count)
        var isSet = [Bool](repeating: false, count: count)
        var missing = count
        // In the order in which they came, so that the first bytes count.
        for piece in packet.pieces {
            for (index, byte) in piece.bytes.enumerated() {
                let place = piece.offset + index
                guard place < count, !isSet[place] else { continue }
                result[place] = byte
                isSet[place] = true
                missing -= 1
            }
        }
        return missing == 0 ? result : nil
    }
}
