import LineProtocol

/// Mutable state of a connection, in memory that the connection owns.
///
/// The record is accessed for every packet, and with thousands of connections most of the cost is
/// cache misses. Its first 64 bytes therefore hold the fields of both streams that are needed for
/// every packet, and the next 64 bytes hold the fields that are needed for every line.
@safe struct ConnectionRecord {
    private let base: UnsafeMutableRawPointer
    private static let fetchBytes = 64

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

    init() {
        unsafe base = UnsafeMutableRawPointer.allocate(
            byteCount: Self.byteCount, alignment: Self.fetchBytes)
        unsafe numbers(.fromClient).initialize(repeating: HalfStream.Numbers(), count: 2)
        unsafe seen.initialize(to: Seen())
        unsafe rest(.fromClient).initialize(repeating: HalfStream.Rest(), count: 2)
        unsafe conversation.initialize(to: ConversationState())
    }

    /// Frees the memory. Must be called once, when the connection is deinitialised.
    func free() {
        unsafe seen.pointee.prefixes.free()
        unsafe numbers(.fromClient).deinitialize(count: 2)
        unsafe rest(.fromClient).deinitialize(count: 2)
        unsafe conversation.deinitialize(count: 1)
        unsafe base.deallocate()
    }

    /// Swaps the states of the two directions.
    func swapHalves() {
        let numbers = unsafe numbers(.fromClient)
        let rest = unsafe rest(.fromClient)
        unsafe swap(&numbers[0], &numbers[1])
        unsafe swap(&rest[0], &rest[1])
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
