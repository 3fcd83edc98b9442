/// Two locks side by side: what was pinned and what is found now, or one server and another.
package struct BaselineComparison: Sendable, Hashable {
    /// A check that both have.
    package struct Pair: Sendable, Hashable {
        /// Its name.
        package var id: CheckID
        /// Its class in the first.
        package var before: CheckClass
        /// Its class in the second.
        package var now: CheckClass

        /// A pair from its parts.
        package init(id: CheckID, before: CheckClass, now: CheckClass) {
            self.id = id
            self.before = before
            self.now = now
        }
    }

    /// A check that only one has.
    package struct Single: Sendable, Hashable {
        /// Its name.
        package var id: CheckID
        /// Its class there.
        package var measured: CheckClass

        /// A check from its parts.
        package init(id: CheckID, measured: CheckClass) {
            self.id = id
            self.measured = measured
        }
    }

    /// What was done otherwise.
    package var changed: [Pair] = []
    /// What could not be decided in one of the two.
    package var undecided: [Pair] = []
    /// What is not always the same in one of the two, and in both at times.
    package var unsteady: [Pair] = []
    /// What only the first has.
    package var gone: [Single] = []
    /// What only the second has.
    package var added: [Single] = []
    /// How many are the same.
    package var same = 0

    /// A comparison in which nothing is said yet.
    package init() {}

    /// Two locks, held against each other.
    package init(_ first: CheckBaseline, _ second: CheckBaseline) {
        var rest = Dictionary(second.entries.map { ($0.id, $0) }) { $1 }
        for entry in first.entries {
            guard let now = rest.removeValue(forKey: entry.id) else {
                gone.append(Single(id: entry.id, measured: entry.measured))
                continue
            }
            add(Pair(id: entry.id, before: entry.measured, now: now.measured))
        }
        added = second.entries.filter { rest[$0.id] != nil }
            .map { Single(id: $0.id, measured: $0.measured) }
    }

    private mutating func add(_ pair: Pair) {
        if pair.before == pair.now, pair.before.isDecided {
            same += 1
        } else if !pair.before.isDecided || !pair.now.isDecided {
            undecided.append(pair)
        } else if pair.before.agrees(with: pair.now) {
            unsteady.append(pair)
        } else {
            changed.append(pair)
        }
    }

    /// Whether anything is another class than it was.
    package var hasDrift: Bool { !changed.isEmpty }
}
