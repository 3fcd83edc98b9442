/// The differences between two baselines: either an old and a new baseline of one server, or the
/// baselines of two servers.
package struct BaselineComparison: Sendable, Hashable {
    /// A check that both baselines contain.
    package struct Pair: Sendable, Hashable {
        package var id: CheckID
        /// Class of the check in the first baseline.
        package var before: CheckClass
        /// Class of the check in the second baseline.
        package var now: CheckClass

        package init(id: CheckID, before: CheckClass, now: CheckClass) {
            self.id = id
            self.before = before
            self.now = now
        }
    }

    /// A check that only one baseline contains.
    package struct Single: Sendable, Hashable {
        package var id: CheckID
        package var measured: CheckClass

        package init(id: CheckID, measured: CheckClass) {
            self.id = id
            self.measured = measured
        }
    }

    /// Checks whose class differs between the baselines.
    package var changed: [Pair] = []
    /// Checks that were inconclusive in at least one baseline.
    package var undecided: [Pair] = []
    /// Checks whose classes differ, but have an outcome in common because the behaviour varies.
    package var unsteady: [Pair] = []
    /// Checks that only the first baseline contains.
    package var gone: [Single] = []
    /// Checks that only the second baseline contains.
    package var added: [Single] = []
    package var same = 0

    package init() {}

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

    /// True if ``changed`` contains any check.
    package var hasDrift: Bool { !changed.isEmpty }
}
