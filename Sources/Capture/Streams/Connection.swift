public import LineProtocol

/// One TCP connection in a capture.
///
/// It belongs to one decoder, which alone changes it.
public final class Connection {
    /// Its number in the capture, from 1.
    public let number: Int
    /// Who opened it, as far as can be told.
    public let client: Endpoint
    /// Who was called.
    public let server: Endpoint
    /// The VLANs, the outer one first.
    public var vlans: [Int] {
        stride(from: 13, through: 0, by: -13).compactMap { shift in
            let tag = Int(vlanTags >> UInt32(shift)) & 0x1FFF
            return tag & 0x1000 != 0 ? tag & 0xFFF : nil
        }
    }
    /// Whether its first packet (SYN) was captured.
    public internal(set) var startWasSeen = false
    /// The packet that it was first seen in.
    public let first: PacketInfo

    let vlanTags: UInt32
    let fromClient = HalfStream()
    let fromServer = HalfStream()
    /// Time and number of packets of the last that was seen.
    var lastTime: Int64
    var packets = 0
    var isEnded = false
    /// What is made of its streams.
    var conversation = ConversationState()

    init(number: Int, client: Endpoint, server: Endpoint, vlanTags: UInt32, first: PacketInfo) {
        self.number = number
        self.client = client
        self.server = server
        self.vlanTags = vlanTags
        self.first = first
        lastTime = first.time
    }

    /// The stream of one side.
    @inline(__always)
    func half(_ direction: Direction) -> HalfStream {
        direction == .fromClient ? fromClient : fromServer
    }

    /// Who speaks there.
    public func endpoint(_ direction: Direction) -> Endpoint {
        direction == .fromClient ? client : server
    }
}

/// One direction of a connection.
final class HalfStream {
    /// The sequence number of the next byte.
    var next: UInt32 = 0
    /// How many bytes came before it.
    var offset = 0
    var isStarted = false
    var isClosed = false
    /// The sequence number of its SYN, if that was seen.
    var initial: UInt32?
    /// Whether any segment of this side was seen.
    var isSeen = false
    /// Where the stream ends, once its FIN was seen.
    var finOffset: Int?
    /// How far the other side has acknowledged, where that is beyond `offset`.
    var acknowledged = 0
    /// Since when a hole is waited for.
    var hole: Hole?
    /// What came early, by offset; no two overlap.
    var parked: [ParkedBytes] = []
    var parkedBytes = 0
    /// The last entry in the history, or -1.
    var history = -1

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
