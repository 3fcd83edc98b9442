import LineProtocol

/// Framers of operators with unfinished lines or unanswered requests. Few are needed, because most
/// reads end with a complete line.
///
/// An operator stores its framer's slot, which is -1 if it has none.
struct FramerPool: ~Copyable {
    private let dialect: Dialect
    /// The finder for whole lines, which need not be copied; nil if all bytes must go through a
    /// framer.
    let plainLines: PlainLineFinder?
    /// An element is nil while its framer is borrowed, which allows reading the framer's bytes
    /// without exclusive access to the pool.
    private var framers: [PooledFramer?] = []
    private var free: [Int32] = []
    /// Framer for sent messages; nil unless blocks in answers depend on the requests.
    private let requests: PooledFramer?

    init(_ dialect: Dialect) {
        self.dialect = dialect
        plainLines = LineFramer(dialect, direction: .fromServer).plainLines
        requests =
            dialect.framing.conditionalBlocks(.fromServer).isEmpty
            ? nil : PooledFramer(dialect, .fromClient)
    }

    /// True if sent messages must be passed to ``noteRequests(_:_:)``.
    var tracksRequests: Bool { requests != nil }

    private func makeFramer() -> PooledFramer { PooledFramer(dialect, .fromServer) }

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
    mutating func borrow(_ slot: Int) -> PooledFramer? { framers[slot].take() }

    /// Returns a borrowed framer to its slot. If the framer holds no state, the slot becomes free.
    /// If the operator's framer was discarded in the meantime, the slot is already free.
    mutating func giveBack(_ pooled: PooledFramer, _ slot: Int, _ own: inout Int32) {
        guard Int(own) == slot else { return }
        if pooled.framer.isAtRest {
            own = -1
            free.append(Int32(slot))
        }
        framers[slot] = pooled
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
        framers[reserve(&slot)]?.framer.noteConnected()
    }

    /// Records sent messages, which determine whether their answers have blocks.
    mutating func noteRequests(_ bytes: [UInt8], _ slot: inout Int32) {
        guard let requests else { return }
        let index = reserve(&slot)
        requests.framer.append(bytes)
        while let frame = requests.framer.next() {
            framers[index]?.framer.recordFromOtherSide(frame, in: requests.framer.buffer.span)
        }
    }
}

/// A framer in a ``FramerPool``. A class, because a framer has hundreds of bytes, so that copying it
/// out of the pool and back would take longer than framing a short line.
final class PooledFramer {
    var framer: LineFramer

    init(_ dialect: Dialect, _ direction: Direction) {
        framer = LineFramer(dialect, direction: direction)
    }
}
