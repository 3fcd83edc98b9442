/// The connections by slot. Slots of ended connections are used again, so the table is as long as there
/// were ever connections at once.
struct ConnectionTable: Sendable {
    private struct ClientSlot: Sendable {
        var generation: UInt32 = 0
        var isTaken = false
        var session: ChatSession?
        /// Where it comes from; empty if that is not known.
        var address: [UInt8] = []
        var bucket: TokenBucket?
    }

    private var slots: [ClientSlot] = []
    private var free: [Int32] = []
    private(set) var count = 0

    mutating func open(from address: [UInt8] = []) -> ConnectionID {
        count += 1
        let slot = free.popLast() ?? Int32(slots.count)
        if Int(slot) == slots.count { slots.append(ClientSlot()) }
        slots[Int(slot)].isTaken = true
        slots[Int(slot)].generation &+= 1
        slots[Int(slot)].address = address
        return ConnectionID(slot: slot, generation: slots[Int(slot)].generation)
    }

    func isOpen(_ id: ConnectionID) -> Bool {
        guard slots.indices.contains(Int(id.slot)) else { return false }
        let slot = slots[Int(id.slot)]
        return slot.isTaken && slot.generation == id.generation
    }

    /// Frees the slot.
    mutating func close(_ id: ConnectionID) {
        guard isOpen(id) else { return }
        slots[Int(id.slot)].isTaken = false
        slots[Int(id.slot)].session = nil
        slots[Int(id.slot)].bucket = nil
        free.append(id.slot)
        count -= 1
    }

    func address(of id: ConnectionID) -> [UInt8] {
        isOpen(id) ? slots[Int(id.slot)].address : []
    }

    /// Takes a token from the connection's bucket; false if it is empty.
    mutating func takeToken(_ id: ConnectionID, _ limit: RateLimit, at now: Int64) -> Bool {
        guard isOpen(id) else { return false }
        var bucket = slots[Int(id.slot)].bucket ?? TokenBucket(limit, at: now)
        let isTaken = bucket.take(limit, at: now)
        slots[Int(id.slot)].bucket = bucket
        return isTaken
    }

    /// The open connection in `slot`.
    func connection(in slot: Int32) -> ConnectionID? {
        guard slots.indices.contains(Int(slot)), slots[Int(slot)].isTaken else { return nil }
        return ConnectionID(slot: slot, generation: slots[Int(slot)].generation)
    }

    /// Every open connection, in the order of slots.
    var all: [ConnectionID] { slots.indices.compactMap { connection(in: Int32($0)) } }

    /// The connection's session; nil before login and for connections that are not open.
    subscript(_ id: ConnectionID) -> ChatSession? {
        get { isOpen(id) ? slots[Int(id.slot)].session : nil }
        _modify {
            var nothing: ChatSession?
            if isOpen(id) {
                yield &slots[Int(id.slot)].session
            } else {
                yield &nothing
            }
        }
    }
}
