import LineProtocol

/// A connection in the delivery ledger: its operator, its rooms and its pending requests.
final class Participant {
    /// A request that has not been answered.
    struct PendingRequest {
        /// Index of the exchange in ``BehaviourShapes``.
        var exchange: Int
        /// The value that identifies the answer; empty if the order does.
        var key: [UInt8]
        /// Position of the line in the order of the capture.
        var index: Int
        var packet: PacketInfo
        /// The room that the client asks to enter, if it is not in this room; otherwise nil.
        var room: [UInt8]?
        /// True if a refusal may have been the answer.
        var mayBeRefused = false
    }

    /// What the capture shows about the operator in a room.
    struct Membership {
        enum State { case entering, member, left, unclear }

        var room: Int
        var state: State
        /// Position, in the order of the capture, of the line that led to this state.
        var since: Int
        /// Number of the latest message that the operator received in this room; -1 if none.
        var latest = -1
    }

    /// Maximum number of pending requests per connection. When it is exceeded, the oldest is dropped.
    static let pendingMax = 1_024
    /// Maximum number of rooms per connection. It is not known who is in the others.
    static let membershipsMax = 1_024
    /// Maximum number of answered requests to remember per connection.
    static let answeredMax = 16

    let number: Int
    var name: [UInt8] = []
    /// Earlier names, because messages may be in flight when a name changes.
    var earlierNames: [[UInt8]] = []
    /// False if lines from the client may be missing from the capture.
    var hasAllSent: Bool
    /// False if lines from the server may be missing from the capture.
    var hasAllReceived: Bool
    /// True if the client has sent lines that are not in the dialect, or violate it.
    var hasSentUnclear = false
    var isOpen = true
    /// Position of the line with which the client logged out; -1 if it has not.
    var logoutIndex = -1
    var memberships: [Membership] = []
    /// Messages that the server has not processed, as far as the capture shows, oldest first.
    var unprocessed: ArraySlice<SentMessage> = []
    var pending: [PendingRequest] = []
    /// Keys of the requests that were answered most recently, with their exchanges.
    var answered: [(exchange: Int, key: [UInt8])] = []
    /// Position of the latest line from the client that the server has processed; -1 if none.
    var processedThrough = -1
    /// Position of the latest line whose answer the client has received; -1 if none. Everything
    /// that the server sent to the client before the answer has arrived as well.
    var answeredThrough = -1
    /// Time at which the server last made progress with the client's lines.
    var progressTime: Int64

    init(_ connection: CapturedConnection) {
        number = connection.number
        hasAllSent = connection.startWasSeen
        hasAllReceived = connection.startWasSeen
        progressTime = connection.first.time
    }

    /// True if it is not known which rooms the operator is in.
    var isUnclear: Bool { !hasAllReceived }

    func hasName(_ name: [UInt8]) -> Bool {
        NameFolding.isSame(name, self.name)
            || earlierNames.contains { NameFolding.isSame(name, $0) }
    }

    func membership(in room: Int) -> Int? { memberships.firstIndex { $0.room == room } }
}

/// A room in the delivery ledger.
struct Room {
    var name: [UInt8]
    /// The members, ordered by connection number.
    var members: [Participant] = []
    /// Number of members for which it is not known which other rooms they are in.
    var unclearMembers = 0
    /// Number of messages that have been received in the room.
    var received = 0
    /// Number of the latest message in flight from each sender, by connection number.
    var latest: [Int: Int] = [:]

    /// Returns the index of the member with this connection number, or where to insert it.
    static func index(of number: Int, in members: [Participant]) -> (index: Int, isFound: Bool) {
        var (low, high) = (0, members.count)
        while low < high {
            let middle = (low + high) / 2
            if members[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return (low, low < members.count && members[low].number == number)
    }
}
