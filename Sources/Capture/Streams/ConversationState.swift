import LineProtocol

import LineProtocol

/// What a decoder knows of a connection's conversation.
struct ConversationState {
    /// What its operator is called; empty: not known.
    var operatorName: [UInt8] = []
    /// The rank of the rule by which the name was found.
    var nameRank = Int.max
}

/// What the log keeps for each connection: the start of its lines, by direction. The bytes are the
/// connection's, which frees them: with every line they are read, and counting references to them would cost
/// more than copying them.
@safe struct LineLeads {
    private var base: UnsafeMutablePointer<UInt8>?
    private var clientCount = 0
    private var serverCount = 0

    /// None are known.
    init() { unsafe base = nil }

    init(fromClient: [UInt8], fromServer: [UInt8]) {
        let bytes =
            fromClient + fromServer + [UInt8](repeating: 0, count: TextBuffer.paddingBytes)
        let room = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        unsafe room.initialize(from: bytes, count: bytes.count)
        unsafe base = room
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

/// The framer of a stream that stands within a line. Most hold nothing between two segments and share one.
final class FramerBox {
    var framer: LineFramer

    init(_ framer: LineFramer) { self.framer = framer }
}

extension Connection {
    /// What its operator is called, as far as the traffic told; else empty.
    package var operatorName: [UInt8] { conversation.operatorName }

    /// The operator's name, or the client's address where that is not known.
    package var operatorText: [UInt8] {
        let name = conversation.operatorName
        return name.isEmpty ? Array(client.text.utf8) : name
    }
}
