/// A problem with the delivery of a message, or with the answer to a request.
package struct DeliveryFinding: Sendable {
    /// Type of problem.
    package enum Kind: String, Sendable, CaseIterable {
        case missing
        case duplicate
        case altered
        /// An operator received messages from one sender in a different order.
        case outOfOrder = "out-of-order"
        /// Two operators received messages from different senders in a different order.
        case differentOrder = "different-order"
        /// The message was delivered to an operator outside of the room.
        case leaked
        /// A delivered message that no client has sent.
        case unsent
        /// A delivered message that another client has sent.
        case wrongSender = "wrong-sender"
        /// A probe without an answer.
        case unanswered
        /// A probe with several answers.
        case answeredTwice = "answered-twice"
        /// A request to enter a room that was neither granted nor refused.
        case notEntered = "not-entered"
    }

    package var kind: Kind
    /// The packet with the line that shows the problem: the delivery, or the request.
    package var packet: PacketInfo
    /// The connection that received the line, or should have received it.
    package var connection: Int
    package var operatorName: [UInt8]
    /// The text that was delivered, or the request's name.
    package var text: [UInt8] = []
    /// The other text, sender or operator that the problem depends on.
    package var other: [UInt8] = []
    /// The message's target; empty if there is none.
    package var target: [UInt8] = []
}

/// A message whose delivery is decided.
package struct MessageReport: Sendable {
    package var packet: PacketInfo
    package var connection: Int
    package var sender: [UInt8]
    package var target: [UInt8]
    package var text: [UInt8]
    /// Number of operators that had to receive the message.
    package var members: Int
    /// Number of these that received it.
    package var reached: Int
    /// Names of those that did not receive it, up to a limit.
    package var missing: [[UInt8]] = []
    package var missingCount: Int
    /// Number of members for which the capture does not show whether they received it.
    package var unknown: Int
    /// Number of other operators that received it.
    package var others: Int
    /// Number of connections that may be members.
    package var perhapsMembers: Int
    package var isRefused: Bool
    package var findings: [DeliveryFinding]

    /// Maximum number of names in ``missing``.
    static let namesMax = 8

    /// Removes the operators that had to receive the message, because the server has refused it.
    mutating func forgetAudience() { (members, reached, unknown, perhapsMembers) = (0, 0, 0, 0) }
}

/// Results of the delivery ledger, in the order in which they are decided.
enum DeliveryItem {
    case message(MessageReport)
    case finding(DeliveryFinding)
}

/// Number of messages, deliveries and problems in a capture.
package struct DeliveryCounts: Sendable {
    package var messages = 0
    package var refused = 0
    /// Number of deliveries to known members that were due.
    package var due = 0
    package var received = 0
    /// Number of deliveries for which the capture does not show whether they happened.
    package var unknown = 0
    /// Number of deliveries to operators that are not known members.
    package var others = 0
    /// Number of delivered messages whose sender is not in the capture, or not completely.
    package var fromOutside = 0
    /// Number of delivered messages that were cut at the maximum length of a line.
    package var cut = 0
    /// Number of answered probes.
    package var answers = 0
    /// Number of requests to enter a room that were granted.
    package var entries = 0
    /// Number of messages, deliveries and requests that were not tracked to the end because of a limit.
    package var dropped = 0
    /// Number of problems by kind, in the order of ``DeliveryFinding/Kind``.
    package private(set) var findings = [Int](
        repeating: 0, count: DeliveryFinding.Kind.allCases.count)

    package subscript(kind: DeliveryFinding.Kind) -> Int {
        DeliveryFinding.Kind.allCases.firstIndex(of: kind).map { findings[$0] } ?? 0
    }

    mutating func count(_ kind: DeliveryFinding.Kind) {
        if let index = DeliveryFinding.Kind.allCases.firstIndex(of: kind) { findings[index] += 1 }
    }

    /// True if a problem was found.
    package var hasFindings: Bool { findings.contains { $0 > 0 } }
}
