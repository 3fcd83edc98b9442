/// A table of connections by slot. The slots of ended connections are reused, so the size of the
/// table is the peak number of open connections.
struct ClientTable: Sendable {
    private struct ClientSlot: Sendable {
        var generation: UInt32 = 0
        var isTaken = false
        var session: ChatSession?
        /// The client's address; empty if unknown.
        var address: [UInt8] = []
        var bucket: TokenBucket?
    }

    private var slots: [ClientSlot] = []
    private var free: [Int32] = []
    private(set) var count = 0

    mutating func open(from address: [UInt8] = []) -> ClientID {
        count += 1
        let slot = free.popLast() ?? Int32(slots.count)
        if Int(slot) == slots.count { slots.append(ClientSlot()) }
        slots[Int(slot)].isTaken = true
        slots[Int(slot)].generation &+= 1
        slots[Int(slot)].address = address
        return ClientID(slot: slot, generation: slots[Int(slot)].generation)
    }

    func isOpen(_ id: ClientID) -> Bool {
        guard slots.indices.contains(Int(id.slot)) else { return false }
        let slot = slots[Int(id.slot)]
        return slot.isTaken && slot.generation == id.generation
    }

    mutating func close(_ id: ClientID) {
        guard isOpen(id) else { return }
        slots[Int(id.slot)].isTaken = false
        slots[Int(id.slot)].session = nil
        slots[Int(id.slot)].bucket = nil
        free.append(id.slot)
        count -= 1
    }

    func address(of id: ClientID) -> [UInt8] {
        isOpen(id) ? slots[Int(id.slot)].address : []
    }

    /// Takes a token from the connection's token bucket. Returns false if none is left.
    mutating func takeToken(_ id: ClientID, _ limit: RateLimit, at now: Int64) -> Bool {
        guard isOpen(id) else { return false }
        var bucket = slots[Int(id.slot)].bucket ?? TokenBucket(limit, at: now)
        let isTaken = bucket.take(limit, at: now)
        slots[Int(id.slot)].bucket = bucket
        return isTaken
    }

    /// Returns the open connection in `slot`; nil if there is none.
    func connection(in slot: Int32) -> ClientID? {
        guard slots.indices.contains(Int(slot)), slots[Int(slot)].isTaken else { return nil }
        return ClientID(slot: slot, generation: slots[Int(slot)].generation)
    }

    /// All open connections, ordered by slot.
    var all: [ClientID] { slots.indices.compactMap { connection(in: Int32($0)) } }

    /// The session of the connection; nil if it has not logged in or is not open.
    subscript(_ id: ClientID) -> ChatSession? {
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
