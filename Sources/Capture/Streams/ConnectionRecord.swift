internal import CPrefetch
import LineProtocol

/// State of a connection, in a block of memory that the connection owns.
///
/// The record is accessed for every packet, and with thousands of connections, most of the cost is
/// waiting for memory. Each 64 bytes therefore hold what is needed at the same time: first what
/// identifies the connection, then the fields of both streams that are needed for every packet, and
/// then those that are needed for every line, together with the text before it.
@safe package struct ConnectionRecord {
    private let base: UnsafeMutableRawPointer

    /// Number of bytes that the CPU loads at a time.
    private static let fetchBytes = 64

    /// What identifies the connection.
    @safe struct Ends {
        /// The connection, without reference counting.
        let connection: Unmanaged<CapturedConnection>
        var client: IPEndpoint
        /// True if the connection is in the table.
        var isListed = false
        var clientVLANs: UInt32
        var server: IPEndpoint
        var serverVLANs: UInt32
    }

    /// State other than stream state that is accessed for each packet and line.
    struct Seen {
        var lastTime: Int64 = 0
        var packets = 0
        var prefixes = LinePrefixes()
        var isEnded = false
        var isRead = true
        /// Index of the connection's dialect; ``undecided`` until it is known.
        var dialect: UInt8 = 0
        static let undecided: UInt8 = 255
    }

    /// The record in a block of memory.
    @inline(__always)
    init(_ block: UnsafeMutableRawPointer) { unsafe base = block }

    /// Initialises the memory.
    func initialise(_ ends: Ends) {
        unsafe self.ends.initialize(to: ends)
        unsafe numbers(.fromClient).initialize(repeating: HalfStream.Numbers(), count: 2)
        unsafe seen.initialize(to: Seen())
        unsafe rest(.fromClient).initialize(repeating: HalfStream.Rest(), count: 2)
        unsafe conversation.initialize(to: ConversationState())
    }

    /// Frees what the record refers to. Must be called once, when the connection is deinitialised.
    func deinitialise() {
        discardPrefixes()
        unsafe numbers(.fromClient).deinitialize(count: 2)
        unsafe rest(.fromClient).deinitialize(count: 2)
        unsafe conversation.deinitialize(count: 1)
    }

    /// Swaps the states of the two directions.
    func swapHalves() {
        let numbers = unsafe numbers(.fromClient)
        let rest = unsafe rest(.fromClient)
        unsafe swap(&numbers[0], &numbers[1])
        unsafe swap(&rest[0], &rest[1])
        unsafe swap(&ends.pointee.client, &ends.pointee.server)
        unsafe swap(&ends.pointee.clientVLANs, &ends.pointee.serverVLANs)
    }

    // MARK: Layout

    private static let numbersOffset = fetchBytes
    private static let seenOffset = 2 * fetchBytes
    private static var textOffset: Int { seenOffset + MemoryLayout<Seen>.stride }
    private static var restOffset: Int {
        conversationOffset - 2 * MemoryLayout<HalfStream.Rest>.stride
    }
    private static var conversationOffset: Int {
        BlockPool.blockBytes - MemoryLayout<ConversationState>.stride
    }
    /// Maximum number of bytes in both prefixes for which they are in the record.
    private static var textBytesMax: Int { restOffset - textOffset }

    @inline(__always)
    var ends: UnsafeMutablePointer<Ends> {
        unsafe base.assumingMemoryBound(to: Ends.self)
    }

    @inline(__always)
    var seen: UnsafeMutablePointer<Seen> {
        unsafe (base + Self.seenOffset).assumingMemoryBound(to: Seen.self)
    }

    @inline(__always)
    var conversation: UnsafeMutablePointer<ConversationState> {
        unsafe (base + Self.conversationOffset).assumingMemoryBound(to: ConversationState.self)
    }

    @inline(__always)
    func numbers(_ direction: Direction) -> UnsafeMutablePointer<HalfStream.Numbers> {
        let first = unsafe (base + Self.numbersOffset)
            .assumingMemoryBound(to: HalfStream.Numbers.self)
        return unsafe direction == .fromClient ? first : first + 1
    }

    @inline(__always)
    func rest(_ direction: Direction) -> UnsafeMutablePointer<HalfStream.Rest> {
        let first = unsafe (base + Self.restOffset).assumingMemoryBound(to: HalfStream.Rest.self)
        return unsafe direction == .fromClient ? first : first + 1
    }

    /// Starts to load what is needed for every packet and line.
    @inline(__always)
    func prefetch() {
        unsafe lj_prefetch(base)
        unsafe lj_prefetch(base + Self.fetchBytes)
        unsafe lj_prefetch(base + 2 * Self.fetchBytes)
        unsafe lj_prefetch(base + 3 * Self.fetchBytes)
    }

    // MARK: Prefixes

    /// Stores the prefixes of the connection's lines in the output.
    func setPrefixes(fromClient: [UInt8], fromServer: [UInt8]) {
        discardPrefixes()
        // Most lines are sent by the server.
        let text = fromServer + fromClient
        var storage = unsafe base + Self.textOffset
        if text.count > Self.textBytesMax {
            // Readable bytes must follow the text. In a record, the rest of the record does.
            unsafe storage = UnsafeMutableRawPointer.allocate(
                byteCount: text.count + TextBuffer.paddingBytes, alignment: 1)
        }
        unsafe text.withUnsafeBytes { text in
            unsafe UnsafeMutableRawBufferPointer(start: storage, count: text.count)
                .copyMemory(from: text)
        }
        unsafe seen.pointee.prefixes = LinePrefixes(
            text: storage, clientCount: fromClient.count, serverCount: fromServer.count)
    }

    /// Discards the prefixes, because they have changed.
    func discardPrefixes() {
        let known = unsafe seen.pointee.prefixes
        if let text = unsafe known.text, known.clientCount + known.serverCount > Self.textBytesMax {
            unsafe text.deallocate()
        }
        unsafe seen.pointee.prefixes = LinePrefixes()
    }

    /// Appends the prefix of the connection's lines in one direction. Returns false if it is not
    /// known.
    @inline(__always)
    func appendPrefix(_ direction: Direction, to buffer: inout TextBuffer) -> Bool {
        let known = unsafe seen.pointee.prefixes
        guard let text = unsafe known.text?.assumingMemoryBound(to: UInt8.self) else {
            return false
        }
        if direction == .fromServer {
            unsafe buffer.append(padded: text, count: known.serverCount)
        } else {
            unsafe buffer.append(padded: text + known.serverCount, count: known.clientCount)
        }
        return true
    }
}

/// The output prefixes of a connection's lines, by direction. They are stored, because every line
/// starts with one.
@safe struct LinePrefixes {
    /// The prefix of the server's lines, followed by that of the client's lines; nil if they are
    /// not known.
    var text: UnsafeMutableRawPointer?
    var clientCount = 0
    var serverCount = 0
}

extension ConnectionRecord {
    @inline(__always)
    var connection: CapturedConnection { unsafe ends.pointee.connection.takeUnretainedValue() }

    /// Calls `body` with the connection, without reference counting.
    @inline(__always)
    func withConnection(_ body: (CapturedConnection) -> Void) {
        unsafe ends.pointee.connection._withUnsafeGuaranteedRef { body($0) }
    }

    /// Returns the segment's direction.
    @inline(__always)
    func direction(of segment: Segment) -> Direction {
        unsafe ends.pointee.client == segment.source ? .fromClient : .fromServer
    }

    /// Returns whether the segment belongs to the connection.
    @inline(__always)
    func isOf(_ segment: Segment) -> Bool {
        let (client, server) = unsafe (ends.pointee.client, ends.pointee.server)
        return client == segment.source && server == segment.target
            && (unsafe ends.pointee.clientVLANs == segment.vlans)
            || client == segment.target && server == segment.source
                && (unsafe ends.pointee.serverVLANs == segment.vlans)
    }

    /// Returns whether the segment is between the connection's endpoints, is the first in its
    /// direction, and acknowledges data that the other side sent recently.
    func isAnswered(by segment: Segment) -> Bool {
        let (client, server) = unsafe (ends.pointee.client, ends.pointee.server)
        let isFromClient = client == segment.source && server == segment.target
        guard isFromClient || client == segment.target && server == segment.source else {
            return false
        }
        let direction = isFromClient ? Direction.fromClient : .fromServer
        let (half, other) = (HalfStream(self, direction), HalfStream(self, direction.opposite))
        guard !half.isSeen, other.isStarted else { return false }
        let ahead = Int(Int32(bitPattern: segment.acknowledgement &- other.next))
        return abs(ahead) < ReassemblyOptions.resetWindowBytes
    }

    /// Sets the VLAN tags of one side's packets.
    func setVLANs(_ tags: UInt32, _ direction: Direction) {
        if direction == .fromClient {
            unsafe ends.pointee.clientVLANs = tags
        } else {
            unsafe ends.pointee.serverVLANs = tags
        }
    }
}
