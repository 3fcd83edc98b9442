/// A regular expression whose matching time is always proportional to the length of the text.
///
/// It must match the whole text, which is UTF-8. Each invalid byte counts as U+FFFD.
/// Backreferences, lookaround and possessive quantifiers are rejected, because they cannot be
/// matched in linear time.
package struct RegularExpression: Sendable, Equatable {
    package let source: String
    private let program: [Instruction]
    private let tables: StepTables

    package init(_ source: String) throws(InvalidExpression) {
        self.source = source
        var parser = ExpressionParser(source)
        var compiler = ExpressionCompiler()
        program = try compiler.program(for: try parser.parse())
        tables = StepTables(program)
    }

    /// A step of the program. A step without a target continues with the next step.
    enum Instruction: Sendable, Equatable {
        case scalar(ScalarSet)
        case assertion(Assertion)
        case jump(Int)
        /// Continues with both steps.
        case split(Int, Int)
        case match
    }

    /// Returns true if the expression matches all of `text`.
    package func matches(_ text: [UInt8]) -> Bool {
        // This is Thompson's simulation. All alternatives advance together, so each scalar is read
        // only once.
        var current = StepSet(program.count)
        var next = StepSet(program.count)
        var pending: [Int] = []
        var verdicts = SetVerdicts(tables.sets.count)
        var offset = 0
        var before: Unicode.Scalar?
        var after = Self.scalar(text, &offset)
        enter(0, before, after, &current, &pending)
        while let scalar = after {
            if current.steps.isEmpty { return false }
            before = scalar
            after = Self.scalar(text, &offset)
            next.removeAll()
            verdicts.begin(scalar)
            for step in current.steps where tables.accepts(step, scalar, &verdicts) {
                if tables.isReading[step + 1] {
                    if next.mark(step + 1) { next.append(step + 1) }
                } else {
                    enter(step + 1, before, after, &next, &pending)
                }
            }
            swap(&current, &next)
        }
        return current.steps.contains { program[$0] == .match }
    }

    /// Adds all steps that read a scalar or end the match, and that can be reached from `first`
    /// without reading a scalar.
    private func enter(
        _ first: Int, _ before: Unicode.Scalar?, _ after: Unicode.Scalar?, _ set: inout StepSet,
        _ pending: inout [Int]
    ) {
        pending.append(first)
        while let step = pending.popLast() {
            guard set.mark(step) else { continue }
            switch program[step] {
            case .jump(let target): pending.append(target)
            case .split(let first, let second):
                pending.append(second)
                pending.append(first)
            case .assertion(let assertion):
                if assertion.holds(before, after) { pending.append(step + 1) }
            case .scalar, .match: set.append(step)
            }
        }
    }

    /// Decodes the scalar at `offset` and advances past it; returns nil at the end.
    private static func scalar(_ text: [UInt8], _ offset: inout Int) -> Unicode.Scalar? {
        guard offset < text.count else { return nil }
        let first = text[offset]
        offset += 1
        if first < 0x80 { return Unicode.Scalar(first) }
        let invalid = Unicode.Scalar(0xFFFD)
        let (length, bits): (Int, UInt32) =
            switch first {
            case 0xC2...0xDF: (1, UInt32(first & 0x1F))
            case 0xE0...0xEF: (2, UInt32(first & 0x0F))
            case 0xF0...0xF4: (3, UInt32(first & 0x07))
            default: (0, 0)
            }
        guard length > 0, offset + length <= text.count else { return invalid }
        var value = bits
        for byte in text[offset..<offset + length] {
            guard byte & 0xC0 == 0x80 else { return invalid }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        let minimum: UInt32 = length == 1 ? 0x80 : length == 2 ? 0x800 : 0x1_0000
        guard value >= minimum, let scalar = Unicode.Scalar(value) else { return invalid }
        offset += length
        return scalar
    }
}

/// The active steps of a compiled expression, in insertion order.
private struct StepSet {
    private(set) var steps: [Int] = []
    /// For each step, the `generation` in which it was last marked.
    private var marked: [Int]
    private var generation = 1

    init(_ count: Int) { marked = Array(repeating: 0, count: count) }

    /// Marks a step as visited. Returns false if it already is.
    mutating func mark(_ step: Int) -> Bool {
        guard marked[step] != generation else { return false }
        marked[step] = generation
        return true
    }

    mutating func append(_ step: Int) { steps.append(step) }

    mutating func removeAll() {
        steps.removeAll(keepingCapacity: true)
        generation += 1
    }
}
