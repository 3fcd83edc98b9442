import Diagnostics
import Scenario
import Session

/// The location of an expectation, for reports.
package struct StepLocation: Sendable, Hashable, Codable {
    /// Line number in the scenario, starting at 1.
    package var line: Int
    /// The step as written, without its modifiers, such as `bob <- 433 {{...}}`.
    package var text: String
    /// The behaviour containing the step; nil if the step is in the scenario itself.
    package var behaviour: String?

    package init(line: Int, text: String, behaviour: String? = nil) {
        self.line = line
        self.text = text
        self.behaviour = behaviour
    }
}

extension StepLocation {
    /// Finds the location of the timed expectation.
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
