import LineProtocol

/// The changing part of a connection, which belongs to the connection.
///
/// Every packet touches it, and with thousands of connections the time goes into fetching it from memory: what
/// each packet needs of both streams lies in the first 64 bytes, what each line needs in the next.
@safe struct ConnectionRecord {
    private let base: UnsafeMutableRawPointer
    private static let fetchBytes = 64

    /// What each packet and line touches beside the streams.
    struct Seen {
        var lastTime: Int64 = 0
        var packets = 0
        var leads = LineLeads()
        var isEnded = false
        var isRead = true
        /// The place of the dialect that it speaks; ``undecided`` until that is known.
        var dialect: UInt8 = 0
        static let undecided: UInt8 = 255
    }

    init() {
        unsafe base = UnsafeMutableRawPointer.allocate(
            byteCount: Self.byteCount, alignment: Self.fetchBytes)
        unsafe numbers(.fromClient).initialize(repeating: HalfStream.Numbers(), count: 2)
        unsafe seen.initialize(to: Seen())
        unsafe rest(.fromClient).initialize(repeating: HalfStream.Rest(), count: 2)
        unsafe conversation.initialize(to: ConversationState())
    }

    /// To be called once, when the connection goes.
    func free() {
        unsafe seen.pointee.leads.free()
        unsafe numbers(.fromClient).deinitialize(count: 2)
        unsafe rest(.fromClient).deinitialize(count: 2)
        unsafe conversation.deinitialize(count: 1)
        unsafe base.deallocate()
    }

    private static var seenPlace: Int { 2 * MemoryLayout<HalfStream.Numbers>.stride }
    private static var restPlace: Int { seenPlace + MemoryLayout<Seen>.stride }
    private static var conversationPlace: Int {
        restPlace + 2 * MemoryLayout<HalfStream.Rest>.stride
    }
    private static var byteCount: Int {
        conversationPlace + MemoryLayout<ConversationState>.stride
    }

    @inline(__always)
    var seen: UnsafeMutablePointer<Seen> {
        unsafe (base + Self.seenPlace).assumingMemoryBound(to: Seen.self)
    }

    @inline(__always)
    var conversation: UnsafeMutablePointer<ConversationState> {
        unsafe (base + Self.conversationPlace).assumingMemoryBound(to: ConversationState.self)
    }

    @inline(__always)
    func numbers(_ direction: Direction) -> UnsafeMutablePointer<HalfStream.Numbers> {
        let first = unsafe base.assumingMemoryBound(to: HalfStream.Numbers.self)
        return unsafe direction == .fromClient ? first : first + 1
    }

    @inline(__always)
    func rest(_ direction: Direction) -> UnsafeMutablePointer<HalfStream.Rest> {
        let first = unsafe (base + Self.restPlace).assumingMemoryBound(to: HalfStream.Rest.self)
        return unsafe direction == .fromClient ? first : first + 1
    }
}
