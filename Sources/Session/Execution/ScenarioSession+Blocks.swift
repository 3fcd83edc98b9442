import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// `repeat` blocks and `outcome of … same as` comparisons.
extension ScenarioSession {
    mutating func executeBlock(_ instruction: Instruction) -> StepProgress {
        switch instruction.operation {
        case .beginRepeat(let counter, let count, let every, let end):
            return beginRepeat(counter, count, every, end)
        case .endRepeat: return endRepeat()
        case .beginEventually(let attempt, _):
            begin(attempt)
            return .done
        case .endEventually:
            attempts.removeLast()
            return .done
        case .comparisonMark(let round, let end): return comparisonMark(round, end)
        default: return .done
        }
    }

    // MARK: repeat

    private mutating func beginRepeat(
        _ variable: Int?, _ count: Int, _ every: Int64?, _ end: Int
    ) -> StepProgress {
        guard count > 0 else { return .jump(end) }
        loops.append(
            LoopFrame(
                begin: counter + 1, counter: variable, round: 1, count: count, every: every,
                beat: step.start + (every ?? 0)))
        if let variable { traffic.bindings[variable] = Array("1".utf8) }
        return .done
    }

    private mutating func endRepeat() -> StepProgress {
        guard var loop = loops.last else { return .done }
        guard loop.round < loop.count else {
            loops.removeLast()
            return .done
        }
        if loop.every != nil, now < loop.beat { return .blocked(until: loop.beat) }
        loop.round += 1
        // Rounds start at fixed intervals: a slow round does not delay later rounds.
        loop.beat += loop.every ?? 0
        if let variable = loop.counter {
            traffic.bindings[variable] = Array(String(loop.round).utf8)
        }
        loops[loops.count - 1] = loop
        return .jump(loop.begin)
    }

    // MARK: Comparisons

    /// Ends a round of a comparison once all connected operators have received the answers to their
    /// probes. Compares the rounds after the third and, if they differ, again after the fourth.
    private mutating func comparisonMark(_ round: Int, _ end: Int) -> StepProgress {
        for index in operators.indices where operators[index].connection == .open {
            if case .waiting(let until) = step.probes.state(of: index, in: &traffic) {
                return .blocked(until: until)
            }
        }
        if round == 0 {
            comparisonRounds = []
            for op in operators { op.lines.beginComparison() }
        } else {
            let outcome = operators.map { $0.lines.takeOutcome() }
            comparisonRounds?.append(outcome)
        }
        guard round >= 3, let rounds = comparisonRounds else { return .done }
        let parts = rounds.map { $0.map { lines in lines.map { traffic.bindings.parts($0) } } }
        let difference = RoundComparison(parts).difference
        // The part may have changed by itself, such as a clock's seconds. Run the first block again
        // to find out.
        if round == 3, case .line = difference { return .done }
        endComparison()
        return difference.map { .failed(failures.comparison($0, rounds)) } ?? .jump(end)
    }

    /// Ends the comparison and puts back the lines that were waiting when it started.
    mutating func endComparison() {
        comparisonRounds = nil
        for op in operators { op.lines.endComparison() }
    }
}
