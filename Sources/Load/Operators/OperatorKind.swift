/// A kind of operator, from a plan's `kinds`.
package struct OperatorKind: Sendable, Hashable {
    package static let weightMax = 1_000

    package var name: String
    /// Weight of this kind relative to the others.
    package var weight: Int
    /// Actions of this kind of operator; nil if it only listens.
    package var mix: ActionMix?
    /// Think time in the closed model; nil to use the stage's.
    package var think: ThinkTime?
    /// Misbehaviour; nil for ordinary operators.
    package var behaviour: OperatorBehaviour?
    /// Path of the scenario this kind of operator runs; nil if none.
    package var scenario: String?
    /// True if this kind of operator performs the load test's default actions.
    package var doesUsual = false

    package init(
        name: String, weight: Int, mix: ActionMix?, think: ThinkTime? = nil,
        behaviour: OperatorBehaviour? = nil
    ) {
        self.name = name
        self.weight = weight
        self.mix = mix
        self.think = think
        self.behaviour = behaviour
    }

    /// Returns the repeating pattern of kinds to assign to operators. Kinds are interleaved as
    /// evenly as their weights allow, so all rooms have a similar mix.
    static func pattern(_ kinds: [OperatorKind]) -> [UInt8] {
        let total = kinds.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return [] }
        var credit = [Int](repeating: 0, count: kinds.count)
        return (0..<total).map { _ in
            for index in kinds.indices { credit[index] += kinds[index].weight }
            let chosen = credit.indices.max { credit[$0] < credit[$1] } ?? 0
            credit[chosen] -= total
            return UInt8(chosen)
        }
    }
}

/// The kinds of a load test's operators, by operator number.
struct KindPattern: Sendable {
    private let kinds: [OperatorKind]
    /// Indices of kinds, which repeat.
    private let pattern: [UInt8]

    init(_ kinds: [OperatorKind]) {
        self.kinds = kinds
        pattern = OperatorKind.pattern(kinds)
    }

    /// Returns an operator's kind; nil if no kinds are defined.
    func kind(of number: Int) -> OperatorKind? {
        pattern.isEmpty ? nil : kinds[index(of: number)]
    }

    // The following two are called for each action, and copying a whole kind takes long.

    /// Returns the mix of an operator's kind; nil if it has none, or if no kinds are defined.
    func mix(of number: Int) -> ActionMix? { pattern.isEmpty ? nil : kinds[index(of: number)].mix }

    /// Returns the think time of an operator's kind; nil if it has none, or if no kinds are defined.
    func think(of number: Int) -> ThinkTime? {
        pattern.isEmpty ? nil : kinds[index(of: number)].think
    }

    /// Returns the index of an operator's kind; 0 if no kinds are defined.
    func index(of number: Int) -> Int {
        pattern.isEmpty ? 0 : Int(pattern[number % pattern.count])
    }
}
