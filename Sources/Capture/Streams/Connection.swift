package import LineProtocol

/// A TCP connection in a capture.
///
/// Only the decoder that owns it modifies it.
package final class Connection {
    /// Endpoint that opened the connection. This is a guess if the SYN was not captured.
    package let client: Endpoint
    /// Endpoint that accepted the connection.
    package let server: Endpoint
    let vlanTags: UInt32
    let record = ConnectionRecord()
    /// Number of the connection in the capture, from 1.
    package let number: Int
    /// First packet of the connection.
    package let first: PacketInfo
    /// True if the opening SYN was captured.
    package internal(set) var startWasSeen = false
    /// The side that reset the connection; nil if neither did.
    package internal(set) var resetBy: Direction?
    /// Time of the server's SYN-ACK, if it was captured.
    var acceptedAt: Int64?

    /// VLAN ids, outermost first.
    package var vlans: [Int] {
        stride(from: 13, through: 0, by: -13).compactMap { shift in
            let tag = Int(vlanTags >> UInt32(shift)) & 0x1FFF
            return tag & 0x1000 != 0 ? tag & 0xFFF : nil
        }
    }

    /// Time from the SYN to the server's SYN-ACK in nanoseconds; nil if they were not captured.
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

    @inline(__always)
    func half(_ direction: Direction) -> HalfStream {
        HalfStream(record, direction)
    }

    @inline(__always)
    var fromClient: HalfStream { half(.fromClient) }
    @inline(__always)
    var fromServer: HalfStream { half(.fromServer) }

    /// Returns the endpoint that sends in this direction.
    package func endpoint(_ direction: Direction) -> Endpoint {
        direction == .fromClient ? client : server
    }
}

extension Connection {
    /// Time of the last packet.
    @inline(__always)
    var lastTime: Int64 {
        get { unsafe record.seen.pointee.lastTime }
        set { unsafe record.seen.pointee.lastTime = newValue }
    }
    /// Number of packets.
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
    /// True if its lines are decoded, which is no longer the case once it is encrypted.
    @inline(__always)
    var isRead: Bool {
        get { unsafe record.seen.pointee.isRead }
        set { unsafe record.seen.pointee.isRead = newValue }
    }
    /// Index of its dialect in the ``DialectSet``; nil until it is known.
    @inline(__always)
    package internal(set) var dialect: Int? {
        get { isUndecided ? nil : dialectIndex }
        set {
            unsafe record.seen.pointee.dialect =
                newValue.map { UInt8(truncatingIfNeeded: $0) } ?? ConnectionRecord.Seen.undecided
        }
    }
    @inline(__always)
    var dialectIndex: Int { unsafe Int(record.seen.pointee.dialect) }
    @inline(__always)
    var isUndecided: Bool {
        unsafe record.seen.pointee.dialect == ConnectionRecord.Seen.undecided
    }
    /// Cached prefixes for its lines in the log.
    @inline(__always)
    var prefixes: LinePrefixes {
        get { unsafe record.seen.pointee.prefixes }
        set {
            unsafe record.seen.pointee.prefixes.free()
            unsafe record.seen.pointee.prefixes = newValue
        }
    }
    var conversation: ConversationState {
        get { unsafe record.conversation.pointee }
        _modify { yield unsafe &record.conversation.pointee }
    }
}
