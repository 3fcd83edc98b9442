import LineProtocol

/// Mutable state of a connection, owned by the connection.
///
/// Every packet accesses it, and with thousands of connections cache misses dominate. What each packet
/// needs of both streams is therefore in the first 64 bytes, and what each line needs in the next 64.
@safe struct ConnectionRecord {
    private let base: UnsafeMutableRawPointer
    private static let fetchBytes = 64

    /// State accessed for each packet and line, besides the streams.
    struct Seen {
        var lastTime: Int64 = 0
        var packets = 0
        var prefixes = LinePrefixes()
        var isEnded = false
        var isRead = true
        /// Index of its dialect; ``undecided`` until known.
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

    /// Must be called once, when the connection is deinitialised.
    func free() {
        unsafe seen.pointee.prefixes.free()
        unsafe numbers(.fromClient).deinitialize(count: 2)
        unsafe rest(.fromClient).deinitialize(count: 2)
        unsafe conversation.deinitialize(count: 1)
        unsafe base.deallocate()
    }

    private static var seenOffset: Int { 2 * MemoryLayout<HalfStream.Numbers>.stride }
    private static var restOffset: Int { seenOffset + MemoryLayout<Seen>.stride }
    private static var conversationOffset: Int {
        restOffset + 2 * MemoryLayout<HalfStream.Rest>.stride
    }
    private static var byteCount: Int {
        conversationOffset + MemoryLayout<ConversationState>.stride
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
        let first = unsafe base.assumingMemoryBound(to: HalfStream.Numbers.self)
        return unsafe direction == .fromClient ? first : first + 1
    }

    @inline(__always)
    func rest(_ direction: Direction) -> UnsafeMutablePointer<HalfStream.Rest> {
        let first = unsafe (base + Self.restOffset).assumingMemoryBound(to: HalfStream.Rest.self)
        return unsafe direction == .fromClient ? first : first + 1
    }
}
