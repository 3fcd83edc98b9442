import DialectModel
package import Diagnostics
package import Scenario

/// The waiting time of an expectation: from the preceding send to the arrival of the expected line.
/// Times are in nanoseconds on the session's clock.
package struct StepTime: Sendable, Hashable {
    /// Index of the waiting instruction.
    package var instruction: Int
    /// Offset of the pattern in the scenario or dialect file. It shows which pattern of an `any
    /// order` block was met.
    package var offset: Int
    /// Index of the waiting operator.
    package var operatorIndex: Int
    /// Time of the preceding send, or the start of the step if there was none.
    package var sent: Int64
    /// Time when the line arrived.
    package var arrived: Int64
}

extension Program {
    /// The position of an expectation in its source text.
    package struct WrittenExpectation: Sendable {
        package var mode: Expectation.Mode
        package var text: String
        /// Offset of the pattern in the scenario or dialect file.
        package var start: Int
        /// The `use` step that included the expectation; nil if it is in the scenario itself.
        package var useSite: SourceRange?
    }

    /// Returns the expectation that a waiting time belongs to.
    package func expectation(of time: StepTime) -> WrittenExpectation {
        let instruction = instructions[time.instruction]
        let (mode, pattern): (Expectation.Mode, LinePattern?) =
            switch instruction.operation {
            case .expect(_, let mode, let pattern, _): (mode, pattern)
            case .anyOrder(let expectations):
                expectations.first { $0.pattern.range.start == time.offset }
                    .map { ($0.mode, $0.pattern) } ?? (.next, nil)
            case .oneOf(let choices, _): Self.expectation(at: time.offset, in: choices)
            default: (.next, nil)
            }
        return WrittenExpectation(
            mode: mode, text: pattern?.text ?? "",
            start: pattern?.range.start ?? instruction.origin.range.start,
            useSite: instruction.origin.useSite)
    }

    private static func expectation(
        at offset: Int, in choices: [Choice]
    ) -> (Expectation.Mode, LinePattern?) {
        for choice in choices {
            if case .line(let mode, let pattern) = choice.event, pattern.range.start == offset {
                return (mode, pattern)
            }
        }
        return (.next, nil)
    }
}
