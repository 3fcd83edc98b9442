/// The steps of a program as tables, so that advancing a step costs a few instructions.
struct StepTables: Sendable, Equatable {
    /// The distinct scalar sets of the program.
    private(set) var sets: [ScalarSet] = []
    /// The index of each step's set; -1 if the step does not read a scalar.
    private var setIndexes: [Int] = []
    /// The ASCII scalars that each step accepts, as bit masks.
    private var low: [UInt64] = []
    private var high: [UInt64] = []
    /// True for steps that read a scalar or end the match.
    private(set) var isReading: [Bool] = []

    init(_ program: [RegularExpression.Instruction]) {
        for instruction in program {
            var index = -1
            if case .scalar(let set) = instruction {
                index = sets.firstIndex(of: set) ?? sets.count
                if index == sets.count { sets.append(set) }
            }
            setIndexes.append(index)
            low.append(index < 0 ? 0 : sets[index].low)
            high.append(index < 0 ? 0 : sets[index].high)
            isReading.append(index >= 0 || instruction == .match)
        }
    }

    /// Returns true if the step accepts this scalar.
    @inline(__always)
    func accepts(_ step: Int, _ scalar: Unicode.Scalar, _ verdicts: inout SetVerdicts) -> Bool {
        let value = scalar.value
        if value < 64 { return low[step] >> value & 1 != 0 }
        if value < 128 { return high[step] >> (value - 64) & 1 != 0 }
        let index = setIndexes[step]
        return index >= 0 && verdicts.contains(index, sets)
    }
}

/// A cache of which sets contain the current scalar. It is needed because the properties of scalars
/// outside ASCII are expensive to look up.
struct SetVerdicts {
    private enum Verdict { case unknown, isIn, isNotIn }

    private var scalar: Unicode.Scalar = "\0"
    private var otherCases: [Unicode.Scalar]?
    private var verdicts: [Verdict]
    /// Indexes of the known verdicts.
    private var known: [Int] = []

    init(_ count: Int) { verdicts = Array(repeating: .unknown, count: count) }

    mutating func begin(_ scalar: Unicode.Scalar) {
        for index in known { verdicts[index] = .unknown }
        known.removeAll(keepingCapacity: true)
        self.scalar = scalar
        otherCases = nil
    }

    mutating func contains(_ index: Int, _ sets: [ScalarSet]) -> Bool {
        switch verdicts[index] {
        case .isIn: return true
        case .isNotIn: return false
        case .unknown: break
        }
        var others: [Unicode.Scalar] = []
        if sets[index].ignoresCase {
            others = otherCases ?? ScalarSet.otherCases(of: scalar)
            otherCases = others
        }
        let isIn = sets[index].contains(scalar, others)
        verdicts[index] = isIn ? .isIn : .isNotIn
        known.append(index)
        return isIn
    }
}
