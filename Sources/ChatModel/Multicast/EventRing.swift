/// A first-in, first-out queue, stored in a ring buffer that grows when it is full and shrinks only
/// when it is cleared.
struct EventRing<Element> {
    private var slots: ContiguousArray<Element?> = []
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The oldest element; nil if the queue is empty.
    var first: Element? {
        get { count == 0 ? nil : slots[head] }
        set { if count > 0 { slots[head] = newValue } }
    }

    mutating func append(_ element: Element) {
        if count == slots.count { grow() }
        // The number of slots is a power of two, so masking replaces the modulo.
        slots[(head + count) & (slots.count - 1)] = element
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = slots[head].take()
        head = (head + 1) & (slots.count - 1)
        count -= 1
        return element
    }

    mutating func removeAll() {
        self = EventRing()
    }

    private mutating func grow() {
        var larger: ContiguousArray<Element?> = []
        larger.reserveCapacity(max(4, slots.count * 2))
        for offset in 0..<count { larger.append(slots[(head + offset) & (slots.count - 1)]) }
        while larger.count < max(4, slots.count * 2) { larger.append(nil) }
        slots = larger
        head = 0
    }
}

extension EventRing: Sendable where Element: Sendable {}

extension Array {
    /// Removes and returns all elements.
    mutating func take() -> [Element] {
        defer { self = [] }
        return self
    }
}
