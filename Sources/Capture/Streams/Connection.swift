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

    /// Who broke it off, if anybody did.
    public internal(set) var resetBy: Direction?

    let vlanTags: UInt32
    let fromClient = HalfStream()
    let fromServer = HalfStream()
    @exclusivity(unchecked) private var seen: Seen
    @exclusivity(unchecked) private var state = ConversationState()
    @exclusivity(unchecked) private var lineLeads = LineLeads()

    /// What changes with every packet.
    private struct Seen {
        var lastTime: Int64
        var packets = 0
        var isEnded = false
    }

    init(number: Int, client: Endpoint, server: Endpoint, vlanTags: UInt32, first: PacketInfo) {
        self.number = number
        self.client = client
        self.server = server
        self.vlanTags = vlanTags
        self.first = first
        unsafe seen = Seen(lastTime: first.time)
    }

    deinit { unsafe lineLeads.free() }

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

extension Connection {
    /// When its last packet was captured.
    var lastTime: Int64 {
        get { unsafe seen.lastTime }
        set { unsafe seen.lastTime = newValue }
    }
    /// How many packets were seen.
    var packets: Int {
        get { unsafe seen.packets }
        set { unsafe seen.packets = newValue }
    }
    var isEnded: Bool {
        get { unsafe seen.isEnded }
        set { unsafe seen.isEnded = newValue }
    }
    /// Whether its lines are read: not once it is encrypted.
    @inline(__always)
    var isRead: Bool { unsafe state.isRead }
    /// How its lines begin in the log.
    var leads: LineLeads {
        get { unsafe lineLeads }
        set {
            unsafe lineLeads.free()
            unsafe lineLeads = newValue
        }
    }
    /// What is made of its streams.
    var conversation: ConversationState {
        get { unsafe state }
        _modify { yield unsafe &state }
    }
}
