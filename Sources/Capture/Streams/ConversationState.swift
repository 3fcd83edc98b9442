import LineProtocol

/// Decoding state of a connection's conversation.
struct ConversationState {
    /// The operator's name; empty if unknown.
    var operatorName: [UInt8] = []
    /// Rank of the rule that found the operator's name. A later name replaces it unless that name's
    /// rule has a higher rank.
    var nameRank = Int.max
    /// The request for the current name; nil once the server has answered it, or if there was none.
    var nameRequest: NameRequest?

    /// Counts a server line while a name request is open. Returns the number of lines since the
    /// request; nil if no request is open.
    mutating func countAnswerLine() -> Int? {
        nameRequest?.lines += 1
        return nameRequest?.lines
    }
}

/// A client's request for a name, not yet answered by the server.
struct NameRequest {
    /// The operator's name before the request, and its rank.
    var name: [UInt8]
    var rank: Int
    /// Number of server lines since the request.
    var lines = 0
}

/// Bytes that may be the start of a TLS handshake.
struct TLSStart {
    var direction: Direction
    /// At most as many bytes as the header of a record has.
    var bytes: [UInt8]
    /// The packet with the last of the bytes.
    var packet: PacketInfo
}

/// The framer of a stream that has an unfinished line or unanswered requests. All other streams
/// share one framer per direction.
final class FramerBox {
    var framer: LineFramer
    /// The packet with the last bytes of the unfinished line.
    var packet: PacketInfo

    init(_ framer: LineFramer, _ packet: PacketInfo) {
        self.framer = framer
        self.packet = packet
    }
}

extension CapturedConnection {
    /// The operator's name, as seen in the traffic; empty if unknown.
    package var operatorName: [UInt8] { conversation.operatorName }
}
