import DialectModel
package import Diagnostics
package import Scenario

/// The time that an expectation waited for its line after the preceding send.
package struct StepTime: Sendable, Hashable {
    /// Index of the waiting instruction.
    package var instruction: Int
    /// Offset of the pattern in the scenario or the dialect, which distinguishes the patterns of
    /// `any order`.
    package var offset: Int
    /// Index of the waiting operator.
    package var operatorIndex: Int
    /// Time of the preceding send, or the start of the step if there was none.
    package var sent: Int64
    /// Time at which the line arrived.
    package var arrived: Int64
}

extension Program {
    /// The position of an expectation in its source text.
    package struct WrittenExpectation: Sendable {
        package var mode: Expectation.Mode
        package var text: String
        /// Offset in the scenario or the dialect.
        package var start: Int
        /// The `use` step that included it; nil if it is in the scenario itself.
        package var useSite: SourceRange?
    }

    /// Returns the expectation that a time belongs to.
    package func expectation(of time: StepTime) -> WrittenExpectation {
        let instruction = instructions[time.instruction]
        let (mode, pattern): (Expectation.Mode, LinePattern?) =
            switch instruction.operation {
            case .expect(_, let mode, let pattern, _): (mode, pattern)
            case .anyOrder(let expectations):
                expectations.first { $0.pattern.range.start == time.offset }
                    .map { ($0.mode, $0.pattern) } ?? (.next, nil)
            default: (.next, nil)
            }
        return WrittenExpectation(
            mode: mode, text: pattern?.text ?? "",
            start: pattern?.range.start ?? instruction.origin.range.start,
            useSite: instruction.origin.useSite)
    }
}
