import LineProtocol

/// What a decoder knows of a connection's conversation.
struct ConversationState {
    /// Whether its lines are read: not once it is encrypted.
    var isRead = true
    /// What its operator is called; empty: not known.
    var operatorName: [UInt8] = []
    /// The rank of the rule by which the name was found.
    var nameRank = Int.max
    /// What sinks keep for each connection: the start of its lines in the log, by direction.
    var fromClientLead: [UInt8] = []
    var fromServerLead: [UInt8] = []
}

/// The framer of a stream that stands within a line. Most hold nothing between two segments and share one.
final class FramerBox {
    var framer: LineFramer

    init(_ framer: LineFramer) { self.framer = framer }
}

extension Connection {
    /// What its operator is called, as far as the traffic told; else empty.
    public var operatorName: [UInt8] { conversation.operatorName }

    /// The operator's name, or the client's address where that is not known.
    public var operatorText: [UInt8] {
        let name = conversation.operatorName
        return name.isEmpty ? Array(client.text.utf8) : name
    }
}
