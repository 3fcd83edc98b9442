import DialectModel
package import Diagnostics
package import Scenario

/// How long an expectation waited for its line: from the send before it.
package struct StepTime: Sendable, Hashable {
    /// The instruction that waited.
    package var instruction: Int
    /// Where its pattern begins, in the scenario or the dialect: several stand in `any order`.
    package var offset: Int
    /// Who waited.
    package var operatorIndex: Int
    /// When something was sent last; where nothing was, when the step began.
    package var sent: Int64
    /// When the line came.
    package var arrived: Int64
}

extension Program {
    /// An expectation as it is written.
    package struct WrittenExpectation: Sendable {
        package var mode: Expectation.Mode
        package var text: String
        /// Its offset in the scenario or the dialect.
        package var start: Int
        /// The `use` that brought it in; nil where it stands in the scenario.
        package var useSite: SourceRange?
    }

    /// The expectation that a time belongs to.
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
