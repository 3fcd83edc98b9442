import LineProtocol

/// Framers of operators with unfinished lines or unanswered requests. Few are needed, because most
/// reads end with a complete line.
///
/// An operator stores its framer's slot, which is -1 if it has none.
struct FramerPool {
    private let dialect: Dialect
    /// An element is nil while its framer is borrowed, which allows reading the framer's bytes
    /// without exclusive access to the pool.
    private var framers: [LineFramer?] = []
    private var free: [Int32] = []
    /// Framer for sent messages; nil unless blocks in answers depend on the requests.
    private let requests: RequestFramer?

    init(_ dialect: Dialect) {
        self.dialect = dialect
        requests =
            dialect.framing.conditionalBlocks(.fromServer).isEmpty ? nil : RequestFramer(dialect)
    }

    /// True if sent messages must be passed to ``noteRequests(_:_:)``.
    var tracksRequests: Bool { requests != nil }

    private func makeFramer() -> LineFramer { LineFramer(dialect, direction: .fromServer) }

    /// Returns the slot of an operator's framer. If the operator has no framer, it is assigned one.
    mutating func reserve(_ own: inout Int32) -> Int {
        if own >= 0 { return Int(own) }
        if let unused = free.popLast() {
            own = unused
        } else {
            own = Int32(framers.count)
            framers.append(makeFramer())
        }
        return Int(own)
    }

    /// Takes a framer out of its slot; nil if it is already borrowed.
    mutating func borrow(_ slot: Int) -> LineFramer? { framers[slot].take() }

    /// Returns a borrowed framer to its slot. If the framer holds no state, the slot becomes free.
    /// If the operator's framer was discarded in the meantime, the slot is already free.
    mutating func giveBack(_ framer: consuming LineFramer, _ slot: Int, _ own: inout Int32) {
        guard Int(own) == slot else { return }
        if framer.isAtRest {
            own = -1
            free.append(Int32(slot))
        }
        framers[slot] = consume framer
    }

    /// Discards an operator's unfinished line.
    mutating func discard(_ slot: inout Int32) {
        guard slot >= 0 else { return }
        framers[Int(slot)] = makeFramer()
        free.append(slot)
        slot = -1
    }

    /// Records that an operator has a new connection.
    mutating func noteConnected(_ slot: inout Int32) {
        guard tracksRequests else { return }
        framers[reserve(&slot)]?.noteConnected()
    }

    /// Records sent messages, which determine whether their answers have blocks.
    mutating func noteRequests(_ bytes: [UInt8], _ slot: inout Int32) {
        guard let requests else { return }
        let index = reserve(&slot)
        requests.framer.append(bytes)
        while let frame = requests.framer.next() {
            framers[index]?.recordFromOtherSide(frame, in: requests.framer.buffer.span)
        }
    }
}

/// The framer for the messages that operators send. A class, so that a pool without one stores only
/// a pointer.
private final class RequestFramer {
    var framer: LineFramer

    init(_ dialect: Dialect) { framer = LineFramer(dialect, direction: .fromClient) }
}
