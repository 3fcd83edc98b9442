import LineProtocol

/// Decoder state for the conversation in a connection.
struct ConversationState {
    /// Name of the operator; empty if it is unknown.
    var operatorName: [UInt8] = []
    /// Rank of the rule that found the name; the lowest wins.
    var nameRank = Int.max
}

/// Cached prefixes for the log lines of a connection, by direction. The memory is managed manually,
/// because every line reads the prefixes and reference counting would cost more than copying them.
/// The connection frees it.
@safe struct LinePrefixes {
    private var base: UnsafeMutablePointer<UInt8>?
    private var clientCount = 0
    private var serverCount = 0

    init() { unsafe base = nil }

    init(fromClient: [UInt8], fromServer: [UInt8]) {
        let bytes =
            fromClient + fromServer + [UInt8](repeating: 0, count: TextBuffer.paddingBytes)
        let storage = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        unsafe storage.initialize(from: bytes, count: bytes.count)
        unsafe base = storage
        clientCount = fromClient.count
        serverCount = fromServer.count
    }

    @inline(__always)
    var isEmpty: Bool { clientCount == 0 }

    @inline(__always)
    func append(_ direction: Direction, to buffer: inout TextBuffer) {
        guard let base = unsafe base else { return }
        if direction == .fromClient {
            unsafe buffer.append(padded: base, count: clientCount)
        } else {
            unsafe buffer.append(padded: base + clientCount, count: serverCount)
        }
    }

    func free() { unsafe base?.deallocate() }
}

/// The framer of a stream with an unfinished line. All other streams share a framer.
final class FramerBox {
    var framer: LineFramer

    init(_ framer: LineFramer) { self.framer = framer }
}

extension Connection {
    /// Name of the operator, as seen in the traffic; empty if it is unknown.
    package var operatorName: [UInt8] { conversation.operatorName }
}
