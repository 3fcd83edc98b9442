import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// Failures of blocks.
extension FailureExplainer {
    /// Maximum number of expectations to list in a failure message.
    static var listedMax: Int { 8 }

    // MARK: any order

    /// - Parameter nearest: the mismatch with the most similar of the pending expectations.
    func unorderedMismatch(
        _ nearest: Mismatch, _ line: ReceivedLine, _ index: Int, pending: [UnorderedExpectation]
    ) -> StepFailure {
        var failure = mismatch(nearest, line)
        guard pending.count > 1 else { return failure }
        let name = operators[index].name
        if nearest.isOtherCommand {
            failure.message =
                "\(described(line)) for \(name) matches none of the lines still expected"
            failure.range = nil
        } else {
            failure.message =
                "the line for \(name) matches none of the lines still expected; closest: "
                + failure.message
        }
        failure.message += " (any order)"
        failure.notes.append(DiagnosticNote(.note, "still expected: \(listed(pending))"))
        return failure
    }

    func unorderedTimeout(
        _ late: [UnorderedExpectation], _ waited: Int64, pending: [UnorderedExpectation]
    ) -> StepFailure {
        let count = pending.count
        let limit = duration(waited)
        let what =
            count == 1
            ? "expected this line within \(limit), but it did not arrive: "
            : "expected these lines in any order within \(limit), but they did not arrive: "
        var failure = StepFailure(
            code: "run.timeout", message: what + listed(pending),
            label: arrivals(Set(pending.map(\.operatorIndex)).sorted()))
        if count == 1 || late.count == 1 { failure.range = late.first?.pattern.range }
        return failure
    }

    func unorderedClose(
        _ open: UnorderedExpectation, _ manner: ClosingManner, pending: [UnorderedExpectation]
    ) -> StepFailure {
        closed(
            open.operatorIndex, manner,
            "while these lines were still expected in any order: "
                + listed(pending), open.pattern.range)
    }

    /// Lists expectations for a message: `alice <- JOIN {{...}}, bob <~ 376`.
    private func listed(_ open: [UnorderedExpectation]) -> String {
        var parts = open.prefix(Self.listedMax).map { expectation in
            "\(operators[expectation.operatorIndex].name) \(expectation.mode.rawValue) "
                + mask.masked(expectation.pattern.text)
        }
        if open.count > Self.listedMax { parts.append("\(open.count - Self.listedMax) more") }
        return parts.joined(separator: ", ")
    }

    // MARK: one of

    /// - Parameter nearest: the mismatch with the most similar of the blocks' first steps.
    func choiceMismatch(
        _ nearest: Mismatch, _ line: ReceivedLine, _ index: Int, _ choices: [Choice]
    ) -> StepFailure {
        var failure = mismatch(nearest, line)
        if nearest.isOtherCommand {
            failure.message =
                "\(described(line)) for \(operators[index].name) does not match the first step of any block"
            failure.range = nil
        } else {
            failure.message =
                "the line does not match the first step of any block; closest: " + failure.message
        }
        failure.notes.append(DiagnosticNote(.note, "expected one of: \(listed(choices))"))
        return failure
    }

    func choiceTimeout(_ choices: [Choice], _ waited: Int64) -> StepFailure {
        StepFailure(
            code: "run.timeout",
            message: "expected one of these within \(duration(waited)): \(listed(choices))",
            label: arrivals(Set(choices.map(\.operatorIndex)).sorted()))
    }

    /// Lists the first steps for a message: `alice <- 409 {{...}}, alice closed`.
    func listed(_ choices: [Choice]) -> String {
        choices.map { choice in
            let name = operators[choice.operatorIndex].name
            return switch choice.event {
            case .line(let mode, let pattern):
                "\(name) \(mode.rawValue) \(mask.masked(pattern.text))"
            case .closed(let manner):
                "\(name) closed" + (manner.map { " by \($0.rawValue)" } ?? "")
            }
        }.joined(separator: ", ")
    }

    // MARK: eventually

    /// Returns the failure with the block, its time limit and the number of attempts added.
    ///
    /// - Parameter name: the value of the name in `name X free`; nil if it has none.
    func ended(
        _ attempt: Attempt, name: [UInt8]?, tries: Int, limit: Int64, _ reason: StepFailure
    ) -> StepFailure {
        let what =
            switch attempt.kind {
            case .eventually: "the `eventually` block did not pass"
            case .nameFree:
                "the name \(name.map { escapedForDisplay($0) + " " } ?? "")did not become free"
            }
        var failure = reason
        failure.message =
            "\(what) within \(duration(limit)) (\(counted(tries, "attempt"))); "
            + "last failure: \(reason.message)"
        failure.block = reason.block ?? attempt.origin
        return failure
    }

    // MARK: Comparisons

    func comparison(
        _ difference: RoundComparison.Difference, _ rounds: [[[ReceivedLine]]]
    ) -> StepFailure {
        func name(_ index: Int) -> String { program.operators[index] }
        switch difference {
        case .unstable(let index):
            return StepFailure(
                kind: .inconclusive, code: "run.pair-unstable",
                message:
                    "\(name(index)) received \(rounds[0][index].count) and "
                    + "\(rounds[1][index].count) lines in two runs of the first block, so there is "
                    + "no stable outcome to compare with")
        case .count(let index):
            return differingOutcome(
                "\(name(index)) received \(counted(rounds[0][index].count, "line")) after the first "
                    + "block, but \(rounds[2][index].count) after the second",
                rounds[2][index].last)
        case .line(let index, let position):
            return differingOutcome(
                "\(name(index)) received \"\(shown(rounds[0][index][position]))\" after the first "
                    + "block and a different line after the second",
                rounds[2][index][position])
        }
    }

    private func differingOutcome(_ message: String, _ line: ReceivedLine?) -> StepFailure {
        StepFailure(
            code: "run.pair-differs", message: message,
            label: line.map { "received \"\(shown($0))\"" } ?? "received nothing")
    }
}
