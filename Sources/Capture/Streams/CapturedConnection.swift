package import LineProtocol

/// A TCP connection in a capture.
///
/// Only the decoder that owns the connection modifies it.
package final class CapturedConnection {
    let record: ConnectionRecord
    private let pool: BlockPool
    /// Index of the record in the pool.
    let index: Int
    /// The connection number in the capture, starting at 1.
    package let number: Int
    /// First packet of the connection.
    package let first: PacketInfo
    /// True if the opening SYN was captured.
    package internal(set) var startWasSeen = false
    /// The side that reset the connection; nil if neither did.
    package internal(set) var resetBy: Direction?
    /// Time of the server's SYN-ACK, in nanoseconds since 1970; nil if it was not captured.
    var acceptedAt: Int64?
    /// The side that closed its sending direction first; nil if neither has closed it.
    var closedBy: Direction?
    var figures = ConnectionFigures()
    /// State of the connection's WebSocket; nil if it has none.
    var webSocket: WebSocketState?
    /// The connection's first events, while its dialect or roles are not known; otherwise nil.
    var held: HeldConversation?
    /// True if neither the ports nor the first segment show which side is the server.
    var hasUncertainRoles = false
    /// The connection's TLS layer; nil if it has none, or if its rest is not read.
    var tls: TLSSession?
    /// Bytes that may be the start of a TLS handshake; nil if there are none.
    var tlsStart: TLSStart?
    /// True once a header of the PROXY protocol has been found.
    var hasProxyHeader = false
    /// True once the server's framer expects a greeting, if the dialect has one.
    var expectsGreeting = false
    /// True once the connection has been reported to the consumer.
    var isAnnounced = false
    /// True if the connection was omitted from the table of connections because the table is full.
    var isOmitted = false
    /// True if the connection's ports are not selected. Such a connection only gets a number, and
    /// is treated as ended.
    var isIgnored = false

    /// True once the connection is encrypted and its bytes can be decrypted.
    package var isDecrypted: Bool { tls?.isDecrypted ?? false }

    /// False if the client's SYN was captured, but nothing shows that the server accepted the
    /// connection.
    package var isAccepted: Bool { !startWasSeen || fromServer.isStarted }

    /// VLAN ids of the client's packets, outermost first. If these have no tags, the ids of the
    /// server's packets.
    package var vlans: [Int] {
        let tags = clientVLANs == 0 ? serverVLANs : clientVLANs
        return stride(from: 13, through: 0, by: -13).compactMap { shift in
            let tag = Int(tags >> UInt32(shift)) & 0x1FFF
            return tag & 0x1000 != 0 ? tag & 0xFFF : nil
        }
    }

    /// Time from the SYN to the server's SYN-ACK, in nanoseconds; nil if either was not captured.
    package var connectNanoseconds: Int64? {
        guard startWasSeen, let acceptedAt, first.time != CaptureRecord.timeUnknown else {
            return nil
        }
        return acceptedAt &- first.time
    }

    init(
        number: Int, client: IPEndpoint, server: IPEndpoint, vlans: UInt32, first: PacketInfo,
        _ pool: BlockPool
    ) {
        self.number = number
        self.first = first
        self.pool = pool
        index = pool.allocate()
        record = unsafe ConnectionRecord(pool.address(index))
        unsafe record.initialise(
            ConnectionRecord.Ends(
                connection: Unmanaged.passUnretained(self), client: client, clientVLANs: vlans,
                server: server, serverVLANs: vlans))
        lastTime = first.time
    }

    deinit {
        record.deinitialise()
        pool.deallocate(index)
    }

    @inline(__always)
    func half(_ direction: Direction) -> HalfStream {
        HalfStream(record, direction)
    }

    @inline(__always)
    var fromClient: HalfStream { half(.fromClient) }
    @inline(__always)
    var fromServer: HalfStream { half(.fromServer) }

    /// Swaps the client and the server.
    func swapRoles() {
        record.swapHalves()
        closedBy = closedBy?.opposite
        resetBy = resetBy?.opposite
        acceptedAt = nil
    }

    /// Returns the time for which the client's receive window was closed before `time`, in
    /// nanoseconds.
    func closedWindow(until time: Int64) -> Int64 {
        figures.closedWindow &+ (figures.windowClosedAt.map { max(0, time &- $0) } ?? 0)
    }
}

/// Statistics about a connection's segments.
struct ConnectionFigures: Sendable {
    /// Number of segments without new bytes, plus the number of repeated SYNs.
    var retransmissions = 0
    /// Number of segments that advertised a receive window of 0.
    var zeroWindows = 0
    /// Time since which the client's receive window has been closed, in nanoseconds since 1970; nil
    /// if it is open.
    var windowClosedAt: Int64?
    /// Time for which the client's receive window was closed before, in nanoseconds.
    var closedWindow: Int64 = 0
    /// Time of the last segment that repeated data or filled a gap, in nanoseconds since 1970.
    var lastRepair = CaptureRecord.timeUnknown
    var gaps = 0
    /// Number of bytes missing in the gaps.
    var missingBytes = 0
    /// Time of the last SYN from the client, in nanoseconds since 1970.
    var synTime = CaptureRecord.timeUnknown
    /// Time from the last SYN to the acknowledgement of the server's SYN-ACK, in nanoseconds: one
    /// round trip between client and server. Nil if it was not captured.
    var roundTrip: Int64?
}

extension CapturedConnection {
    /// The endpoint that opened the connection. If the SYN was not captured, this is a guess.
    package var client: IPEndpoint { unsafe record.ends.pointee.client }
    /// The endpoint that accepted the connection.
    package var server: IPEndpoint { unsafe record.ends.pointee.server }
    /// VLAN tags of the client's packets; those of the server's packets until the first packet from
    /// the client is captured.
    private var clientVLANs: UInt32 { unsafe record.ends.pointee.clientVLANs }
    /// VLAN tags of the server's packets; those of the client's packets until the first packet from
    /// the server is captured.
    private var serverVLANs: UInt32 { unsafe record.ends.pointee.serverVLANs }
    /// Time of the connection's most recent packet, in nanoseconds since 1970.
    @inline(__always)
    var lastTime: Int64 {
        get { unsafe record.seen.pointee.lastTime }
        set { unsafe record.seen.pointee.lastTime = newValue }
    }
    /// Number of packets in both directions.
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
    /// True if the connection's bytes are decoded directly. False for WebSocket connections, and
    /// once the connection is encrypted or the start of the next line cannot be found.
    @inline(__always)
    var isRead: Bool {
        get { unsafe record.seen.pointee.isRead }
        set { unsafe record.seen.pointee.isRead = newValue }
    }
    /// Index of the connection's dialect in the ``DialectSet``; nil until it is known.
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
    var conversation: ConversationState {
        _read { yield unsafe record.conversation.pointee }
        _modify { yield unsafe &record.conversation.pointee }
    }
}
