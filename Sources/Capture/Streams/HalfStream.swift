import LineProtocol

/// One direction of a connection.
///
/// Its numbers are touched for every packet, and one decoder alone touches them, one after another: they are
/// kept together where the compiler's check for overlapping accesses is left out.
final class HalfStream {
    @exclusivity(unchecked) private var numbers = Numbers()
    /// What came early, by offset; no two overlap.
    var parked: [ParkedBytes] = [] { didSet { hasParked = !parked.isEmpty } }
    /// Holds an unfinished line.
    @exclusivity(unchecked) private var unfinished: FramerBox?

    private struct Numbers {
        var next: UInt32 = 0
        var offset = 0
        var isStarted = false
        var isClosed = false
        var isSeen = false
        var hasParked = false
        var isAfterHole = false
        var initial: UInt32?
        var finOffset: Int?
        var acknowledged = 0
        var hole: Hole?
        var parkedBytes = 0
        var history = -1
        var heldBytes = 0
    }

    /// When the wait for missing bytes began.
    struct Hole {
        var time: Int64
        var packets: Int
    }

    /// The offset that the sequence number stands for.
    @inline(__always)
    func offset(of sequence: UInt32) -> Int {
        offset &+ Int(Int32(bitPattern: sequence &- next))
    }

    @inline(__always)
    func advance(_ count: Int) {
        offset &+= count
        next = next &+ UInt32(truncatingIfNeeded: count)
    }

    func start(at sequence: UInt32) {
        next = sequence
        isStarted = true
    }
}

extension HalfStream {
    /// The sequence number of the next byte.
    var next: UInt32 {
        get { unsafe numbers.next }
        set { unsafe numbers.next = newValue }
    }
    /// How many bytes came before it.
    var offset: Int {
        get { unsafe numbers.offset }
        set { unsafe numbers.offset = newValue }
    }
    var isStarted: Bool {
        get { unsafe numbers.isStarted }
        set { unsafe numbers.isStarted = newValue }
    }
    var isClosed: Bool {
        get { unsafe numbers.isClosed }
        set { unsafe numbers.isClosed = newValue }
    }
    /// Whether any segment of this side was seen.
    var isSeen: Bool {
        get { unsafe numbers.isSeen }
        set { unsafe numbers.isSeen = newValue }
    }
    /// Whether anything is parked.
    private(set) var hasParked: Bool {
        get { unsafe numbers.hasParked }
        set { unsafe numbers.hasParked = newValue }
    }
    /// The sequence number of its SYN, if that was seen.
    var initial: UInt32? {
        get { unsafe numbers.initial }
        set { unsafe numbers.initial = newValue }
    }
    /// Where the stream ends, once its FIN was seen.
    var finOffset: Int? {
        get { unsafe numbers.finOffset }
        set { unsafe numbers.finOffset = newValue }
    }
    /// How far the other side has acknowledged, where that is beyond `offset`.
    var acknowledged: Int {
        get { unsafe numbers.acknowledged }
        set { unsafe numbers.acknowledged = newValue }
    }
    /// Since when a hole is waited for.
    var hole: Hole? {
        get { unsafe numbers.hole }
        set { unsafe numbers.hole = newValue }
    }
    var parkedBytes: Int {
        get { unsafe numbers.parkedBytes }
        set { unsafe numbers.parkedBytes = newValue }
    }
    /// The last entry in the history, or -1.
    var history: Int {
        get { unsafe numbers.history }
        set { unsafe numbers.history = newValue }
    }

    // What the conversation's decoder keeps here.

    /// Holds an unfinished line.
    var framer: FramerBox? {
        get { unsafe unfinished }
        set { unsafe unfinished = newValue }
    }
    /// How many bytes of it.
    var heldBytes: Int {
        get { unsafe numbers.heldBytes }
        set { unsafe numbers.heldBytes = newValue }
    }
    /// Whether the next line may lack its start.
    var isAfterHole: Bool {
        get { unsafe numbers.isAfterHole }
        set { unsafe numbers.isAfterHole = newValue }
    }
}

/// Bytes that came before others that belong in front of them.
struct ParkedBytes {
    var offset: Int
    var bytes: [UInt8]
    /// Nothing but a count, where the packet was cut.
    var uncaptured = 0
    var packet: PacketInfo

    var count: Int { uncaptured > 0 ? uncaptured : bytes.count }
    var end: Int { offset + count }
}
