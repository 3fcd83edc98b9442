import LineProtocol

/// One direction of a connection: a handle to the connection's record, valid as long as the
/// connection exists.
@safe package struct HalfStream {
    let record: ConnectionRecord
    private let numbers: UnsafeMutablePointer<Numbers>
    private let rest: UnsafeMutablePointer<Rest>

    /// Stream state that is accessed for every packet.
    struct Numbers {
        var next: UInt32 = 0
        var flags = Flags()
        var offset = 0
        var history = -1
        var framer: FramerBox?
    }

    /// Stream state that is accessed for only a few packets.
    struct Rest {
        var initial: UInt32?
        var finOffset: Int?
        var acknowledged = 0
        var wait: Wait?
        var parkedBytes = 0
        var heldBytes = 0
        var parked: [ParkedBytes] = []
    }

    /// State flags of a stream.
    struct Flags: OptionSet {
        let rawValue: UInt32
        static let isStarted = Flags(rawValue: 1)
        static let isClosed = Flags(rawValue: 2)
        static let isSeen = Flags(rawValue: 4)
        static let hasParked = Flags(rawValue: 8)
        static let isAfterGap = Flags(rawValue: 16)
        static let isAwaitingBytes = Flags(rawValue: 32)
        static let isAfterReset = Flags(rawValue: 64)
        static let isAwaitingName = Flags(rawValue: 128)
        static let isAwaitingACK = Flags(rawValue: 256)
        static let isWindowClosed = Flags(rawValue: 512)
        // Array literals of flags would allocate memory for each packet.
        static let awaiting = Flags(rawValue: 32 | 256 | 512)
        static let needsDecoding = Flags(rawValue: 16 | 64 | 128)
    }

    /// The start of a wait for missing bytes, as a time and a packet count.
    struct Wait {
        var time: Int64
        var packets: Int
    }

    @inline(__always)
    init(_ record: ConnectionRecord, _ direction: Direction) {
        self.record = record
        unsafe numbers = record.numbers(direction)
        unsafe rest = record.rest(direction)
    }

    /// Converts a sequence number to a stream offset.
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
    /// True if any segment in this direction was captured.
    @inline(__always)
    var isSeen: Bool {
        get { unsafe numbers.pointee.flags.contains(.isSeen) }
        nonmutating set { set(.isSeen, newValue) }
    }
    /// True if there is parked out-of-order data.
    @inline(__always)
    var hasParked: Bool { unsafe numbers.pointee.flags.contains(.hasParked) }
    /// True if the start of the next line may be missing.
    @inline(__always)
    var isAfterGap: Bool {
        get { unsafe numbers.pointee.flags.contains(.isAfterGap) }
        nonmutating set { set(.isAfterGap, newValue) }
    }
    /// True if the connection has been reset, so that subsequent lines are marked.
    @inline(__always)
    var isAfterReset: Bool {
        get { unsafe numbers.pointee.flags.contains(.isAfterReset) }
        nonmutating set { set(.isAfterReset, newValue) }
    }
    /// True while the client's acknowledgement of the server's SYN-ACK is expected.
    @inline(__always)
    var isAwaitingACK: Bool {
        get { unsafe numbers.pointee.flags.contains(.isAwaitingACK) }
        nonmutating set { set(.isAwaitingACK, newValue) }
    }
    /// True while the sender of this stream has closed its receive window. Only recorded for the
    /// client.
    @inline(__always)
    var isWindowClosed: Bool {
        get { unsafe numbers.pointee.flags.contains(.isWindowClosed) }
        nonmutating set { set(.isWindowClosed, newValue) }
    }
    /// True if the stream is waiting for missing bytes or for an acknowledgement, or its sender has
    /// closed its receive window.
    @inline(__always)
    var isAwaiting: Bool {
        unsafe !numbers.pointee.flags.isDisjoint(with: .awaiting)
    }
    /// True if the next lines may accept or refuse the name that the other side has requested.
    @inline(__always)
    var isAwaitingName: Bool {
        get { unsafe numbers.pointee.flags.contains(.isAwaitingName) }
        nonmutating set { set(.isAwaitingName, newValue) }
    }
    /// True if the next line must be decoded even if an identical line is cached, because it may
    /// need a marker or affect the operator's name.
    @inline(__always)
    var needsDecoding: Bool {
        unsafe !numbers.pointee.flags.isDisjoint(with: .needsDecoding)
    }
    /// True if the stream is waiting for missing bytes.
    @inline(__always)
    var isAwaitingBytes: Bool { unsafe numbers.pointee.flags.contains(.isAwaitingBytes) }
    /// Sequence number of the next byte to deliver.
    @inline(__always)
    var next: UInt32 {
        get { unsafe numbers.pointee.next }
        nonmutating set { unsafe numbers.pointee.next = newValue }
    }
    /// Stream offset of the next byte to deliver.
    @inline(__always)
    var offset: Int {
        get { unsafe numbers.pointee.offset }
        nonmutating set { unsafe numbers.pointee.offset = newValue }
    }
    /// The stream's most recent entry in the payload history; -1 if there is none.
    @inline(__always)
    var history: Int {
        get { unsafe numbers.pointee.history }
        nonmutating set { unsafe numbers.pointee.history = newValue }
    }
    /// The stream's own framer, used while it has an unfinished line or unanswered requests; nil if
    /// the stream uses the shared framer.
    @inline(__always)
    var framer: FramerBox? {
        get { unsafe numbers.pointee.framer }
        nonmutating set { unsafe numbers.pointee.framer = newValue }
    }
    /// Sequence number of the SYN; nil if it was not captured.
    @inline(__always)
    var initial: UInt32? {
        get { unsafe rest.pointee.initial }
        nonmutating set { unsafe rest.pointee.initial = newValue }
    }
    /// Stream offset of the FIN; nil if it was not captured.
    @inline(__always)
    var finOffset: Int? {
        get { unsafe rest.pointee.finOffset }
        nonmutating set { unsafe rest.pointee.finOffset = newValue }
    }
    /// Stream offset up to which the other side has acknowledged data, if it is beyond `offset`.
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
    /// Number of bytes in the stream's unfinished line.
    @inline(__always)
    var heldBytes: Int {
        get { unsafe rest.pointee.heldBytes }
        nonmutating set { unsafe rest.pointee.heldBytes = newValue }
    }
    /// The current wait for missing bytes; nil if there is none.
    var wait: Wait? {
        get { unsafe rest.pointee.wait }
        nonmutating set {
            unsafe rest.pointee.wait = newValue
            set(.isAwaitingBytes, newValue != nil)
        }
    }
    /// Out-of-order data, sorted by offset and without overlaps.
    var parked: [ParkedBytes] {
        get { unsafe rest.pointee.parked }
        nonmutating _modify {
            yield unsafe &rest.pointee.parked
            set(.hasParked, unsafe !rest.pointee.parked.isEmpty)
        }
    }
}

/// A piece of out-of-order data.
struct ParkedBytes {
    var offset: Int
    var bytes: [UInt8]
    /// Number of bytes that were cut off by the snap length. If it is not 0, `bytes` is empty.
    var uncaptured = 0
    var packet: PacketInfo

    var count: Int { uncaptured > 0 ? uncaptured : bytes.count }
    var end: Int { offset + count }
}
