import Diagnostics
import Scenario
import Session

/// Where an expectation of a program stands, for people.
package struct StepLocation: Sendable, Hashable, Codable {
    /// The line of the scenario, counted from 1.
    package var line: Int
    /// The step as it was written, without its clauses: `bob <- 433 {{...}}`.
    package var text: String
    /// The `use` that brought it in; nil where it stands in the scenario.
    package var behaviour: String?

    package init(line: Int, text: String, behaviour: String? = nil) {
        self.line = line
        self.text = text
        self.behaviour = behaviour
    }
}

extension StepLocation {
    /// Where the expectation that waited stands.
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
