import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// Loops and twins.
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
        case .twinMark(let round): return twinMark(round)
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
        if let variable { context.variables[variable] = Array("1".utf8) }
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
        // The beat is fixed: a round that took too long does not move the ones after it.
        loop.beat += loop.every ?? 0
        if let variable = loop.counter {
            context.variables[variable] = Array(String(loop.round).utf8)
        }
        loops[loops.count - 1] = loop
        return .jump(loop.begin)
    }

    // MARK: Twins

    /// Ends a round when every connected operator's probe is answered; after the third they are compared.
    private mutating func twinMark(_ round: Int) -> StepProgress {
        for index in operators.indices where operators[index].connection == .open {
            if case .waiting(let until) = barrier(index) { return .blocked(until: until) }
        }
        if round == 0 {
            twins = []
            // What was there before is no part of the outcome: the steps after the twins want it.
            for box in operators { box.setAside = Array(box.inbox.unread) }
        } else {
            twins?.append(operators.map { Array($0.outcome.unread) })
        }
        for box in operators {
            box.outcome.removeAll()
            box.inbox.removeAll()
        }
        guard round == 3, let rounds = twins else { return .done }
        endTwins()
        return compareTwins(rounds)
    }

    /// Goes back to the lines that waited before.
    mutating func endTwins() {
        twins = nil
        for box in operators { box.restoreLines() }
    }

    private mutating func compareTwins(_ rounds: [[[ReceivedLine]]]) -> StepProgress {
        for (index, name) in program.operators.enumerated() {
            let first = rounds[0][index].map { matcher.parts($0) }
            let again = rounds[1][index].map { matcher.parts($0) }
            let other = rounds[2][index].map { matcher.parts($0) }
            guard first.count == again.count else {
                return .failed(
                    StepFailure(
                        kind: .inconclusive, code: "run.twins-unsteady",
                        message: "two runs of the first spelling gave \(name) \(first.count) and "
                            + "\(again.count) lines: there is nothing steady to compare with"))
            }
            guard first.count == other.count else {
                return .failed(
                    twinFailure(
                        "\(name) received \(first.count) lines after the first spelling, "
                            + "\(other.count) after the second",
                        rounds[2][index].last))
            }
            for place in first.indices
            where !Self.agree(first[place], again[place], other[place]) {
                return .failed(
                    twinFailure(
                        "\(name) received \"\(shown(rounds[0][index][place]))\" after the first "
                            + "spelling, another line after the second",
                        rounds[2][index][place]))
            }
        }
        return .done
    }

    private func twinFailure(_ message: String, _ line: ReceivedLine?) -> StepFailure {
        StepFailure(
            code: "run.twins-differ", message: message,
            label: line.map { "received \"\(shown($0))\"" } ?? "received nothing")
    }

    /// Whether the other spelling's line is the first's, except where two runs of the first differ.
    private static func agree(_ first: [[UInt8]], _ again: [[UInt8]], _ other: [[UInt8]]) -> Bool {
        guard first.count == again.count else { return true }
        guard first.count == other.count else { return false }
        return zip(zip(first, again), other).allSatisfy { $0.0 != $0.1 || $0.0 == $1 }
    }
}
