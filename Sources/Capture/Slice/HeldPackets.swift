/// A queue of packets that are held until it is known whether the slice includes them.
struct HeldPackets {
    /// Estimated memory overhead of a packet, in bytes.
    static let overheadBytes = 160

    /// A packet in the queue.
    struct Packet {
        var bytes: [UInt8]
        var record: CaptureRecord
        var interface: CaptureInterface
        var comments: [[UInt8]] = []
        /// The packet's connection; nil for a fragment whose packet is incomplete.
        var connection: Int?
        /// False if the packet is known not to belong to any connection.
        var mayBelong = true
        /// Ordinal of the captured packet if it is a fragment of an incomplete packet; otherwise
        /// nil.
        var fragment: Int?

        var heldBytes: Int {
            comments.reduce(bytes.count + HeldPackets.overheadBytes) { $0 + $1.count }
        }
    }

    /// The packets, preceded by slots of removed packets.
    private var slots: [Packet?] = []
    private var head = 0
    /// Number of slots that were removed from the start of `slots`.
    private var removedSlots = 0
    /// Positions of the fragments, by ordinal. A position is an index in `slots` plus
    /// `removedSlots`.
    private var fragments: [Int: Int] = [:]
    /// Approximate memory use of the packets in the queue, in bytes.
    private(set) var heldBytes = 0

    /// The oldest packet in the queue; nil if the queue is empty.
    var first: Packet? { head < slots.count ? slots[head] : nil }

    var isEmpty: Bool { head == slots.count }

    mutating func append(_ packet: Packet) {
        if let ordinal = packet.fragment { fragments[ordinal] = removedSlots + slots.count }
        slots.append(packet)
        heldBytes += packet.heldBytes
    }

    /// Assigns fragments that are still in the queue to a connection; nil if they belong to none.
    mutating func assign(_ ordinals: [Int], to connection: Int?) {
        for ordinal in ordinals {
            guard let position = fragments.removeValue(forKey: ordinal) else { continue }
            slots[position - removedSlots]?.connection = connection
            slots[position - removedSlots]?.mayBelong = connection != nil
        }
    }

    mutating func removeFirst() {
        guard let packet = first else { return }
        heldBytes -= packet.heldBytes
        if let ordinal = packet.fragment { fragments[ordinal] = nil }
        slots[head] = nil
        head += 1
        if head == slots.count || head > 1_024 && head * 2 > slots.count {
            slots.removeFirst(head)
            removedSlots += head
            head = 0
        }
    }
}
