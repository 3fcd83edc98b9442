internal import CPrefetch
import LineProtocol

/// A hash table of connections. The key consists of the endpoints and VLANs, but the hash covers
/// only the endpoints, because packets in the two directions may have different VLAN tags.
///
/// It uses open addressing. Each slot holds 32 bits of the hash, and the index of the connection's
/// record plus 1.
struct ConnectionTable {
    private var slots: [UInt64]
    private var mask: Int
    /// Memory for the records of the connections.
    let pool = BlockPool()
    /// The connections in the table, by the index of their record.
    private(set) var connections: [CapturedConnection?] = []
    private(set) var count = 0

    init() {
        slots = Array(repeating: 0, count: 1024)
        mask = slots.count - 1
    }

    @inline(__always)
    private func record(_ index: Int) -> ConnectionRecord {
        unsafe ConnectionRecord(pool.address(index))
    }

    /// Returns the record of the connection between the endpoints of the segment, in either
    /// direction; nil if there is none. `guess` is what ``prefetchRecord(_:)`` returned for the
    /// segment.
    @inline(__always)
    func find(_ segment: Segment, _ guess: UInt32) -> ConnectionRecord? {
        if guess > 0 {
            let record = record(Int(guess &- 1))
            if unsafe record.ends.pointee.isListed, record.isOf(segment) { return record }
        }
        return find(segment)
    }

    /// Returns the record of the connection between the endpoints of the segment, in either
    /// direction; nil if there is none.
    @inline(never)
    func find(_ segment: Segment) -> ConnectionRecord? {
        search(segment, { $0.isOf(segment) }) ?? adopt(segment)
    }

    /// Returns the first record that has the same hash as the segment and for which `isWanted`
    /// returns true; nil if there is none.
    @inline(__always)
    private func search(
        _ segment: Segment, _ isWanted: (ConnectionRecord) -> Bool
    ) -> ConnectionRecord? {
        let hash = Self.hash(segment.source, segment.target)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let entry = slots[slot]
            if UInt32(truncatingIfNeeded: entry &>> 32) == hash {
                let record = record(Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) &- 1)
                if isWanted(record) { return record }
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
    private func adopt(_ segment: Segment) -> ConnectionRecord? {
        guard segment.flags.contains(.ack),
            let record = search(segment, { $0.isAnswered(by: segment) })
        else { return nil }
        record.setVLANs(segment.vlans, record.direction(of: segment))
        return record
    }

    mutating func insert(_ connection: CapturedConnection) {
        if (count + 1) * 2 > slots.count { grow() }
        let index = connection.index
        while connections.count <= index { connections.append(nil) }
        connections[index] = connection
        unsafe connection.record.ends.pointee.isListed = true
        put(UInt64(Self.hash(connection)) << 32 | UInt64(index + 1))
        count += 1
    }

    mutating func remove(_ connection: CapturedConnection) {
        var slot = Int(Self.hash(connection)) & mask
        while slots[slot] != 0 {
            let index = Int(slots[slot] & 0xFFFF_FFFF) - 1
            if connections[index] === connection {
                unsafe connection.record.ends.pointee.isListed = false
                connections[index] = nil
                count -= 1
                close(slot)
                return
            }
            slot = (slot + 1) & mask
        }
    }

    // MARK: Prefetching

    /// Starts to load the slot of a hash.
    @inline(__always)
    func prefetchSlot(_ hash: UInt32) {
        unsafe slots.withUnsafeBufferPointer { slots in
            guard let base = slots.baseAddress else { return }
            unsafe lj_prefetch(base + Int(truncatingIfNeeded: hash) & mask)
        }
    }

    /// Starts to load the record of the connection with a hash. Returns the record's index plus 1;
    /// 0 if there is none.
    @inline(__always)
    func prefetchRecord(_ hash: UInt32) -> UInt32 {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            let entry = slots[slot]
            if UInt32(truncatingIfNeeded: entry &>> 32) == hash {
                let index = UInt32(truncatingIfNeeded: entry)
                record(Int(index &- 1)).prefetch()
                return index
            }
            slot = (slot &+ 1) & mask
        }
        return 0
    }

    // MARK: Slots

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
    static func hash(_ one: IPEndpoint, _ other: IPEndpoint) -> UInt32 {
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
