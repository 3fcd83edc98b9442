/// The comparison of the rounds of `outcome of … same as`: two runs of the first block, one of the
/// second block and, optionally, another one of the first.
struct RoundComparison {
    /// A difference between the outcomes of the two blocks. The numbers are those of the operator
    /// and of the line.
    enum Difference: Equatable {
        /// The runs of the first block have different numbers of lines.
        case unstable(Int)
        /// The blocks have different numbers of lines.
        case count(Int)
        /// A line differs in a part that is the same in all runs of the first block.
        case line(Int, Int)
    }

    /// The first difference; nil if there is none.
    let difference: Difference?

    /// Compares rounds.
    ///
    /// - Parameter rounds: For each round, operator and line, the parts of the line.
    init(_ rounds: [[[[[UInt8]]]]]) {
        difference =
            rounds[0].indices.lazy.compactMap { index in
                Self.difference(rounds.map { $0[index] }, index)
            }.first
    }

    private static func difference(_ rounds: [[[[UInt8]]]], _ index: Int) -> Difference? {
        let (first, again, second) = (rounds[0], rounds[1], rounds[2])
        guard first.count == again.count else { return .unstable(index) }
        guard first.count == second.count else { return .count(index) }
        let others = [again] + rounds.dropFirst(3).filter { $0.count == first.count }
        return first.indices.first { line in
            !agree(first[line], others.map { $0[line] }, second[line])
        }.map { .line(index, $0) }
    }

    /// Returns true if the lines of both blocks agree. Parts that differ between runs of the first
    /// block are ignored.
    private static func agree(
        _ first: [[UInt8]], _ others: [[[UInt8]]], _ second: [[UInt8]]
    ) -> Bool {
        guard others.allSatisfy({ $0.count == first.count }) else { return true }
        guard first.count == second.count else { return false }
        return first.indices.allSatisfy { part in
            first[part] == second[part] || others.contains { $0[part] != first[part] }
        }
    }
}
