/// A first-in, first-out queue in a ring that grows to what is needed and stays so.
struct EventRing<Element> {
    private var places: ContiguousArray<Element?> = []
    private var head = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The one that has waited longest.
    var first: Element? {
        get { count == 0 ? nil : places[head] }
        set { if count > 0 { places[head] = newValue } }
    }

    mutating func append(_ element: Element) {
        if count == places.count { grow() }
        // The number of places is a power of two.
        places[(head + count) & (places.count - 1)] = element
        count += 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = places[head].take()
        head = (head + 1) & (places.count - 1)
        count -= 1
        return element
    }

    mutating func removeAll() {
        self = EventRing()
    }

    private mutating func grow() {
        var larger: ContiguousArray<Element?> = []
        larger.reserveCapacity(max(4, places.count * 2))
        for place in 0..<count { larger.append(places[(head + place) & (places.count - 1)]) }
        while larger.count < max(4, places.count * 2) { larger.append(nil) }
        places = larger
        head = 0
    }
}

extension EventRing: Sendable where Element: Sendable {}

extension Array {
    /// The elements, which are gone afterwards.
    mutating func take() -> [Element] {
        defer { self = [] }
        return self
    }
}
