/// The actions that operators perform, with their relative weights.
package struct ActionMix: Sendable, Hashable {
    package private(set) var weights: [(action: LoadAction, weight: Double)]
    private let total: Double

    /// Creates a mix, omitting actions with weight 0.
    package init(_ weights: [(action: LoadAction, weight: Double)]) {
        self.weights = weights.filter { $0.weight > 0 }
        total = self.weights.reduce(0) { $0 + $1.weight }
    }

    /// Returns the action for a random number.
    func action(_ random: UInt64) -> LoadAction {
        var rest = Double(random >> 11) * 0x1p-53 * total
        for index in weights.indices {
            rest -= weights[index].weight
            if rest < 0 { return weights[index].action }
        }
        return weights.last?.action ?? .probe
    }

    package static func == (left: ActionMix, right: ActionMix) -> Bool {
        left.weights.elementsEqual(right.weights, by: ==)
    }

    package func hash(into hasher: inout Hasher) {
        for (action, weight) in weights {
            hasher.combine(action)
            hasher.combine(weight)
        }
    }
}
