import Diagnostics
import Scenario
import Session

/// The location of an expectation, for reports.
package struct StepLocation: Sendable, Hashable, Codable {
    /// Line number in the scenario, from 1.
    package var line: Int
    /// The step as written, without its clauses: `bob <- 433 {{...}}`.
    package var text: String
    /// The behaviour that contains the step; nil if the scenario itself does.
    package var behaviour: String?

    package init(line: Int, text: String, behaviour: String? = nil) {
        self.line = line
        self.text = text
        self.behaviour = behaviour
    }
}

extension StepLocation {
    /// Creates the location of the expectation that was timed.
    init(_ time: StepTime, of program: Program) {
        let expectation = program.expectation(of: time)
        let source = program.file.source
        let name =
            program.operators.indices.contains(time.operatorIndex)
            ? program.operators[time.operatorIndex] : ""
        self.init(
            line: source.line(at: expectation.useSite?.start ?? expectation.start),
            text: "\(name) \(expectation.mode.rawValue) \(expectation.text)",
            behaviour: expectation.useSite.map {
                String(decoding: source.bytes(in: $0), as: UTF8.self)
            })
    }
}
