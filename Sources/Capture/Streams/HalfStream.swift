import LineProtocol

/// One direction of a connection: a handle to its part of the connection's record, valid as long as the
/// connection is.
@safe struct HalfStream {
    private let numbers: UnsafeMutablePointer<Numbers>
    private let rest: UnsafeMutablePointer<Rest>

    /// What every packet touches.
    struct Numbers {
        var next: UInt32 = 0
        var flags = Flags()
        var offset = 0
        var history = -1
        var framer: FramerBox?
    }

    /// What most packets leave alone.
    struct Rest {
        var initial: UInt32?
        var finOffset: Int?
        var acknowledged = 0
        var hole: Hole?
        var parkedBytes = 0
        var heldBytes = 0
        var parked: [ParkedBytes] = []
    }

    struct Flags: OptionSet {
        let rawValue: UInt32
        static let isStarted = Flags(rawValue: 1)
        static let isClosed = Flags(rawValue: 2)
        static let isSeen = Flags(rawValue: 4)
        static let hasParked = Flags(rawValue: 8)
        static let isAfterHole = Flags(rawValue: 16)
        static let hasHole = Flags(rawValue: 32)
    }

    /// When the wait for missing bytes began.
    struct Hole {
        var time: Int64
        var packets: Int
    }

    @inline(__always)
    init(_ record: ConnectionRecord, _ direction: Direction) {
        unsafe numbers = record.numbers(direction)
        unsafe rest = record.rest(direction)
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
    @inline(__always)
    private func set(_ flag: Flags, _ isSet: Bool) {
        if isSet {
            unsafe numbers.pointee.flags.insert(flag)
        } else {
            unsafe numbers.pointee.flags.remove(flag)
        }
    }

    @inline(__always)
    var isStarted: Bool {
        get { unsafe numbers.pointee.flags.contains(.isStarted) }
        nonmutating set { set(.isStarted, newValue) }
    }
    @inline(__always)
    var isClosed: Bool {
        get { unsafe numbers.pointee.flags.contains(.isClosed) }
        nonmutating set { set(.isClosed, newValue) }
    }
    /// Whether any segment of this side was seen.
    @inline(__always)
    var isSeen: Bool {
        get { unsafe numbers.pointee.flags.contains(.isSeen) }
        nonmutating set { set(.isSeen, newValue) }
    }
    /// Whether anything is parked.
    @inline(__always)
    var hasParked: Bool { unsafe numbers.pointee.flags.contains(.hasParked) }
    /// Whether the next line may lack its start.
    @inline(__always)
    var isAfterHole: Bool {
        get { unsafe numbers.pointee.flags.contains(.isAfterHole) }
        nonmutating set { set(.isAfterHole, newValue) }
    }
    /// Whether a hole is waited for.
    @inline(__always)
    var hasHole: Bool { unsafe numbers.pointee.flags.contains(.hasHole) }
    /// The sequence number of the next byte.
    @inline(__always)
    var next: UInt32 {
        get { unsafe numbers.pointee.next }
        nonmutating set { unsafe numbers.pointee.next = newValue }
    }
    /// How many bytes came before it.
    @inline(__always)
    var offset: Int {
        get { unsafe numbers.pointee.offset }
        nonmutating set { unsafe numbers.pointee.offset = newValue }
    }
    /// The last entry in the history, or -1.
    @inline(__always)
    var history: Int {
        get { unsafe numbers.pointee.history }
        nonmutating set { unsafe numbers.pointee.history = newValue }
    }
    /// Holds an unfinished line.
    @inline(__always)
    var framer: FramerBox? {
        get { unsafe numbers.pointee.framer }
        nonmutating set { unsafe numbers.pointee.framer = newValue }
    }
    /// The sequence number of its SYN, if that was seen.
    @inline(__always)
    var initial: UInt32? {
        get { unsafe rest.pointee.initial }
        nonmutating set { unsafe rest.pointee.initial = newValue }
    }
    /// Where the stream ends, once its FIN was seen.
    @inline(__always)
    var finOffset: Int? {
        get { unsafe rest.pointee.finOffset }
        nonmutating set { unsafe rest.pointee.finOffset = newValue }
    }
    /// How far the other side has acknowledged, where that is beyond `offset`.
    @inline(__always)
    var acknowledged: Int {
        get { unsafe rest.pointee.acknowledged }
        nonmutating set { unsafe rest.pointee.acknowledged = newValue }
    }
    @inline(__always)
    var parkedBytes: Int {
        get { unsafe rest.pointee.parkedBytes }
        nonmutating set { unsafe rest.pointee.parkedBytes = newValue }
    }
    /// How many bytes of an unfinished line are held.
    @inline(__always)
    var heldBytes: Int {
        get { unsafe rest.pointee.heldBytes }
        nonmutating set { unsafe rest.pointee.heldBytes = newValue }
    }
    /// Since when a hole is waited for.
    var hole: Hole? {
        get { unsafe rest.pointee.hole }
        nonmutating set {
            unsafe rest.pointee.hole = newValue
            set(.hasHole, newValue != nil)
        }
    }
    /// What came early, by offset; no two overlap.
    var parked: [ParkedBytes] {
        get { unsafe rest.pointee.parked }
        nonmutating _modify {
            yield unsafe &rest.pointee.parked
            set(.hasParked, unsafe !rest.pointee.parked.isEmpty)
        }
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
