/// A lookahead that makes the CPU load the state of the connections of the next packets while the
/// current packet is processed.
///
/// With thousands of connections, waiting for memory would otherwise take half of the time: for a
/// slot of the connection table, and then for the record that the slot refers to. The lookahead
/// loads the slot of a packet first, and the record some packets later.
///
/// It has no effect on the result. If it is wrong about a packet, the wrong memory is loaded.
struct PacketLookahead {
    /// Number of packets between the current packet and the one whose slot is loaded.
    private static let slotDistance = 12
    /// Number of packets between the current packet and the one whose record is loaded.
    private static let recordDistance = 6
    /// Maximum number of packets that are looked at for each packet, after the window has moved.
    private static let packetsMax = 2

    /// For packets whose slot is being loaded, the hash of the endpoints; for packets whose record
    /// is being loaded, the index of the record plus 1. 0 if there is nothing to load. The index
    /// is the packet's number modulo 16.
    private var packets = InlineArray<16, UInt32>(repeating: 0)
    /// Position of the record after the last packet found.
    private var position = 0
    /// Number of packets processed, including the current one.
    private var taken = 0
    /// Number of packets found.
    private var found = 0
    /// Number of packets whose record is being loaded.
    private var loaded = 0

    /// Moves on to the packet that `input` has just returned. Returns what
    /// ``ConnectionTable/prefetchRecord(_:)`` returned for this packet; 0 if it was not called.
    @_optimize(speed)
    @inline(__always)
    mutating func advance(_ input: PacketInput, _ table: ConnectionTable) -> UInt32 {
        let guess = loaded > taken ? packets[taken & 15] : 0
        taken &+= 1
        find(input, table)
        loaded = max(loaded, taken)
        let end = min(found, taken &+ Self.recordDistance, loaded &+ Self.packetsMax)
        while loaded < end {
            let hash = packets[loaded & 15]
            packets[loaded & 15] = hash == 0 ? 0 : table.prefetchRecord(hash)
            loaded &+= 1
        }
        return guess
    }

    /// Finds the next packets in the window, and loads their slots.
    @inline(__always)
    private mutating func find(_ input: PacketInput, _ table: ConnectionTable) {
        let next = input.position
        if found < taken || position < next {
            found = taken
            loaded = taken
            position = next
        }
        let end = min(taken &+ Self.slotDistance, found &+ Self.packetsMax)
        while found < end, let packet = input.peek(&position) {
            let hash = Self.hash(input.window.span, packet.start, packet.linkType)
            packets[found & 15] = hash
            if hash != 0 { table.prefetchSlot(hash) }
            found &+= 1
        }
    }

    /// Returns the hash of a packet's endpoints; 0 if the packet has uncommon headers or is near the
    /// end of the window.
    @inline(__always)
    private static func hash(_ bytes: Span<UInt8>, _ start: Int, _ type: LinkType) -> UInt32 {
        // A single check is enough for the link header, an IPv4 header of 60 bytes, and the ports.
        guard start >= 0, start &+ headerBytesMax <= bytes.count else { return 0 }
        let raw = unsafe bytes.bytes
        var header = start
        switch type {
        case .ethernet:
            header &+= 14
            let type: UInt16 = unsafe word(raw, start &+ 12)
            if type == 0x8100 { header &+= 4 }
        case .linuxCooked: header &+= 16
        case .linuxCooked2: header &+= 20
        case .raw, .ipv4, .ipv6: break
        default: return 0
        }
        let first: UInt8 = unsafe word(raw, header)
        let source: IPAddress
        let target: IPAddress
        var ports = header
        switch first >> 4 {
        case 4:
            unsafe source = IPAddress(ipv4: word(raw, header &+ 12))
            unsafe target = IPAddress(ipv4: word(raw, header &+ 16))
            ports &+= Int(first & 15) &* 4
        case 6:
            unsafe source = IPAddress(
                high: word(raw, header &+ 8), low: word(raw, header &+ 16))
            unsafe target = IPAddress(
                high: word(raw, header &+ 24), low: word(raw, header &+ 32))
            ports &+= 40
        default: return 0
        }
        return unsafe ConnectionTable.hash(
            IPEndpoint(address: source, port: word(raw, ports)),
            IPEndpoint(address: target, port: word(raw, ports &+ 2)))
    }

    private static let headerBytesMax = 84

    /// Reads an integer in network byte order, without checking the offset.
    @inline(__always) @unsafe
    private static func word<Number: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: RawSpan, _ offset: Int
    ) -> Number {
        Number(
            bigEndian: unsafe bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: offset, as: Number.self))
    }
}
