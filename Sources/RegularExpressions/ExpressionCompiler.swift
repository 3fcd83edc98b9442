/// Compiler that turns a syntax tree into a program.
struct ExpressionCompiler {
    /// Maximum number of steps. A short expression can need many steps, because counted repetitions
    /// are expanded. Matching can take this many steps per byte of text.
    static let stepsMax = 2_000

    private var steps: [RegularExpression.Instruction] = []

    mutating func program(
        for node: ExpressionNode
    ) throws(InvalidExpression) -> [RegularExpression.Instruction] {
        steps = []
        try add(node)
        try append(.match)
        return steps
    }

    private mutating func add(_ node: ExpressionNode) throws(InvalidExpression) {
        switch node {
        case .scalar(let set): try append(.scalar(set))
        case .assertion(let assertion): try append(.assertion(assertion))
        case .sequence(let nodes): for node in nodes { try add(node) }
        case .alternatives(let nodes): try add(alternatives: nodes)
        case .repetition(let node, let minimum, let maximum):
            for _ in 0..<minimum {
                let before = steps.count
                try add(node)
                // There is no point in repeating an expression that matches only the empty string.
                if steps.count == before { return }
            }
            if let maximum {
                try add(optional: node, times: maximum - minimum)
            } else {
                try add(anyNumberOf: node)
            }
        }
    }

    private mutating func add(alternatives nodes: [ExpressionNode]) throws(InvalidExpression) {
        var ends: [Int] = []
        for (index, node) in nodes.enumerated() {
            guard index + 1 < nodes.count else {
                try add(node)
                break
            }
            let split = try append(.split(0, 0))
            try add(node)
            ends.append(try append(.jump(0)))
            steps[split] = .split(split + 1, steps.count)
        }
        for end in ends { steps[end] = .jump(steps.count) }
    }

    private mutating func add(
        optional node: ExpressionNode, times: Int
    ) throws(InvalidExpression) {
        var splits: [Int] = []
        for _ in 0..<times {
            splits.append(try append(.split(0, 0)))
            try add(node)
        }
        for split in splits { steps[split] = .split(split + 1, steps.count) }
    }

    private mutating func add(anyNumberOf node: ExpressionNode) throws(InvalidExpression) {
        let split = try append(.split(0, 0))
        try add(node)
        try append(.jump(split))
        steps[split] = .split(split + 1, steps.count)
    }

    @discardableResult
    private mutating func append(
        _ step: RegularExpression.Instruction
    ) throws(InvalidExpression) -> Int {
        guard steps.count < Self.stepsMax else {
            throw InvalidExpression(
                "it has more than \(Self.stepsMax) steps once its repetitions are expanded")
        }
        steps.append(step)
        return steps.count - 1
    }
}
