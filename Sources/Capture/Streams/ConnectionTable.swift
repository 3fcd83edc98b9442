import LineProtocol

/// A hash table of connections. The key consists of the endpoints and VLANs, but the hash covers
/// only the endpoints, because packets in the two directions may have different VLAN tags.
///
/// It uses open addressing. Each slot holds 32 bits of the hash, and the index of the connection
/// plus 1.
struct ConnectionTable {
    private var slots: [UInt64]
    private var mask: Int
    private(set) var connections: [CapturedConnection?] = []
    /// Unowned references to the same connections, to avoid reference counting.
    private var views: [ConnectionView] = []
    /// Index of the most recently found connection, or -1. The next packet often belongs to it as
    /// well.
    private var latest = -1
    private var free: [Int] = []
    private(set) var count = 0

    init() {
        slots = Array(repeating: 0, count: 1024)
        mask = slots.count - 1
    }

    /// Returns the connection between the endpoints of the segment, in either direction; nil if
    /// there is none.
    @inline(__always)
    mutating func find(_ segment: Segment) -> ConnectionView? {
        if latest >= 0, views[latest].isOf(segment) { return views[latest] }
        guard let index = search(segment, { $0.isOf(segment) }) ?? adopt(segment)
        else { return nil }
        latest = index
        return views[index]
    }

    /// Returns the index of the first connection that has the same hash as the segment and for
    /// which `isWanted` returns true; nil if there is none.
    @inline(__always)
    private func search(
        _ segment: Segment, _ isWanted: (ConnectionView) -> Bool
    ) -> Int? {
        let hash = Self.hash(segment.source, segment.target)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let entry = slots[slot]
            if UInt32(truncatingIfNeeded: entry &>> 32) == hash {
                let index = Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) &- 1
                if isWanted(views[index]) { return index }
            }
            slot = (slot &+ 1) & mask
        }
        return nil
    }

    /// Finds the connection of a segment that is the first in its direction, and whose VLAN tags
    /// differ from those of the other direction. (A switch may add or remove tags in only one
    /// direction.) The segment must acknowledge data that the other side sent. Returns nil if there
    /// is no such connection.
    @inline(never)
    private mutating func adopt(_ segment: Segment) -> Int? {
        guard segment.flags.contains(.ack),
            let index = search(segment, { $0.isAnswered(by: segment) })
        else { return nil }
        let connection = views[index].connection
        connection.setVLANs(segment.vlans, views[index].direction(of: segment))
        views[index] = ConnectionView(connection)
        return index
    }

    mutating func insert(_ connection: CapturedConnection) {
        if (count + 1) * 2 > slots.count { grow() }
        let index: Int
        if let known = free.popLast() {
            index = known
            connections[index] = connection
            views[index] = ConnectionView(connection)
        } else {
            index = connections.count
            connections.append(connection)
            views.append(ConnectionView(connection))
        }
        put(UInt64(Self.hash(connection)) << 32 | UInt64(index + 1))
        count += 1
    }

    mutating func remove(_ connection: CapturedConnection) {
        latest = -1
        var slot = Int(Self.hash(connection)) & mask
        while slots[slot] != 0 {
            let index = Int(slots[slot] & 0xFFFF_FFFF) - 1
            if connections[index] === connection {
                connections[index] = nil
                free.append(index)
                count -= 1
                close(slot)
                return
            }
            slot = (slot + 1) & mask
        }
    }

    /// Updates the copy of a connection's endpoints after its roles were swapped.
    mutating func refresh(_ connection: CapturedConnection) {
        latest = -1
        guard let index = connections.firstIndex(where: { $0 === connection }) else { return }
        views[index] = ConnectionView(connection)
    }

    private mutating func put(_ entry: UInt64) {
        var slot = Int(entry >> 32) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = entry
    }

    /// Empties a slot, and reinserts entries that could otherwise no longer be found.
    private mutating func close(_ slot: Int) {
        slots[slot] = 0
        var next = (slot + 1) & mask
        while slots[next] != 0 {
            let entry = slots[next]
            slots[next] = 0
            put(entry)
            next = (next + 1) & mask
        }
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: 0, count: old.count * 2)
        mask = slots.count - 1
        for entry in old where entry != 0 { put(entry) }
    }

    private static func hash(_ connection: CapturedConnection) -> UInt32 {
        hash(connection.client, connection.server)
    }

    /// Returns a hash of two endpoints, which does not depend on their order.
    @inline(__always)
    private static func hash(_ one: IPEndpoint, _ other: IPEndpoint) -> UInt32 {
        let sum = mixed(one) &+ mixed(other)
        return UInt32(truncatingIfNeeded: (sum &* 0x9E37_79B9_7F4A_7C15) &>> 32)
    }

    @inline(__always)
    private static func mixed(_ end: IPEndpoint) -> UInt64 {
        let value = end.address.low ^ (end.address.high &* 0xC2B2_AE3D_27D4_EB4F)
        let mixed = (value &+ UInt64(end.port) &<< 40) &* 0xD6E8_FEB8_6659_FD93
        return mixed ^ mixed &>> 29
    }
}

/// An unowned reference to a connection, to avoid reference counting.
///
/// Its 64 bytes contain everything from the connection object that is needed to find a connection
/// and process an ordinary packet.
@safe struct ConnectionView {
    private let reference: Unmanaged<CapturedConnection>
    /// A copy of the connection's reference to its record, so that the CPU can fetch the record
    /// while the endpoints are compared.
    let record: ConnectionRecord
    private let client: IPEndpoint
    private let clientVLANs: UInt32
    private let server: IPEndpoint
    private let serverVLANs: UInt32

    init(_ connection: CapturedConnection) {
        unsafe reference = Unmanaged.passUnretained(connection)
        record = connection.record
        client = connection.client
        clientVLANs = connection.clientVLANs
        server = connection.server
        serverVLANs = connection.serverVLANs
    }

    @inline(__always)
    var connection: CapturedConnection { unsafe reference.takeUnretainedValue() }

    /// Calls `body` with the connection, without reference counting.
    @inline(__always)
    func withConnection(_ body: (CapturedConnection) -> Void) {
        unsafe reference._withUnsafeGuaranteedRef { body($0) }
    }

    /// Returns the segment's direction.
    @inline(__always)
    func direction(of segment: Segment) -> Direction {
        client == segment.source ? .fromClient : .fromServer
    }

    /// Returns whether the segment belongs to the connection.
    @inline(__always)
    func isOf(_ segment: Segment) -> Bool {
        client == segment.source && server == segment.target && clientVLANs == segment.vlans
            || client == segment.target && server == segment.source && serverVLANs == segment.vlans
    }

    /// Returns whether the segment is between the connection's endpoints, is the first in its
    /// direction, and acknowledges data that the other side sent recently.
    func isAnswered(by segment: Segment) -> Bool {
        let connection = connection
        let isFromClient =
            connection.client == segment.source && connection.server == segment.target
        guard
            isFromClient
                || connection.client == segment.target && connection.server == segment.source
        else { return false }
        let direction = isFromClient ? Direction.fromClient : .fromServer
        let (half, other) = (connection.half(direction), connection.half(direction.opposite))
        guard !half.isSeen, other.isStarted else { return false }
        let ahead = Int(Int32(bitPattern: segment.acknowledgement &- other.next))
        return abs(ahead) < ReassemblyOptions.resetWindowBytes
    }
}
