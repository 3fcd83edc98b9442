package import LineProtocol

/// One TCP connection in a capture.
///
/// It belongs to one decoder, which alone changes it.
package final class Connection {
    /// Who opened it, as far as can be told.
    package let client: Endpoint
    /// Who was called.
    package let server: Endpoint
    let vlanTags: UInt32
    let record = ConnectionRecord()
    /// Its number in the capture, from 1.
    package let number: Int
    /// The packet that it was first seen in.
    package let first: PacketInfo
    /// Whether its first packet (SYN) was captured.
    package internal(set) var startWasSeen = false
    /// Who broke it off, if anybody did.
    package internal(set) var resetBy: Direction?
    /// When the server accepted it (SYN and ACK), if that was captured.
    var acceptedAt: Int64?

    /// The VLANs, the outer one first.
    package var vlans: [Int] {
        stride(from: 13, through: 0, by: -13).compactMap { shift in
            let tag = Int(vlanTags >> UInt32(shift)) & 0x1FFF
            return tag & 0x1000 != 0 ? tag & 0xFFF : nil
        }
    }

    /// How long the server took to accept it, in nanoseconds; nil if the capture does not tell.
    package var connectNanoseconds: Int64? {
        guard startWasSeen, let acceptedAt, first.time != CaptureRecord.timeUnknown else {
            return nil
        }
        return acceptedAt &- first.time
    }

    init(number: Int, client: Endpoint, server: Endpoint, vlanTags: UInt32, first: PacketInfo) {
        self.number = number
        self.client = client
        self.server = server
        self.vlanTags = vlanTags
        self.first = first
        lastTime = first.time
    }

    deinit { record.free() }

    /// The stream of one side.
    @inline(__always)
    func half(_ direction: Direction) -> HalfStream {
        HalfStream(record, direction)
    }

    @inline(__always)
    var fromClient: HalfStream { half(.fromClient) }
    @inline(__always)
    var fromServer: HalfStream { half(.fromServer) }

    /// Who speaks there.
    package func endpoint(_ direction: Direction) -> Endpoint {
        direction == .fromClient ? client : server
    }
}

extension Connection {
    /// When its last packet was captured.
    @inline(__always)
    var lastTime: Int64 {
        get { unsafe record.seen.pointee.lastTime }
        set { unsafe record.seen.pointee.lastTime = newValue }
    }
    /// How many packets were seen.
    @inline(__always)
    var packets: Int {
        get { unsafe record.seen.pointee.packets }
        set { unsafe record.seen.pointee.packets = newValue }
    }
    @inline(__always)
    var isEnded: Bool {
        get { unsafe record.seen.pointee.isEnded }
        set { unsafe record.seen.pointee.isEnded = newValue }
    }
    /// Whether its lines are read: not once it is encrypted.
    @inline(__always)
    var isRead: Bool {
        get { unsafe record.seen.pointee.isRead }
        set { unsafe record.seen.pointee.isRead = newValue }
    }
    /// The place of the dialect that it speaks in the ``DialectSet``; nil where that is not known yet.
    @inline(__always)
    package internal(set) var dialect: Int? {
        get { isUndecided ? nil : dialectPlace }
        set {
            unsafe record.seen.pointee.dialect =
                newValue.map { UInt8(truncatingIfNeeded: $0) } ?? ConnectionRecord.Seen.undecided
        }
    }
    @inline(__always)
    var dialectPlace: Int { unsafe Int(record.seen.pointee.dialect) }
    @inline(__always)
    var isUndecided: Bool {
        unsafe record.seen.pointee.dialect == ConnectionRecord.Seen.undecided
    }
    /// How its lines begin in the log.
    @inline(__always)
    var leads: LineLeads {
        get { unsafe record.seen.pointee.leads }
        set {
            unsafe record.seen.pointee.leads.free()
            unsafe record.seen.pointee.leads = newValue
        }
    }
    /// What is made of its streams.
    var conversation: ConversationState {
        get { unsafe record.conversation.pointee }
        _modify { yield unsafe &record.conversation.pointee }
    }
}
