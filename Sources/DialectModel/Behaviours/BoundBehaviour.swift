import LineProtocol
package import Scenario

/// A behaviour of a dialect as steps: how an operator logs in, is probed, sends a text.
package struct BoundBehaviour: Sendable {
    /// What it is called.
    package let name: String
    /// The parameters that its user gives, in order.
    package let parameters: [String]
    /// What happens, in order.
    package let steps: [Step]
    /// The lines of its sends and plain expectations that the command table knows, in order.
    package let lines: [Line]
    /// The lines with which its standing rules reply.
    package let replies: [LineShape]

    /// A line that is sent or expected.
    package struct Line: Sendable {
        /// The step's index.
        package let step: Int
        /// Its command and arguments.
        package let shape: LineShape
    }

    init(_ name: String, parameters: [String], steps: [Step], _ dialect: Dialect) {
        self.name = name
        self.parameters = parameters
        self.steps = steps
        lines = steps.enumerated().compactMap { index, step in
            let shape =
                step.sent.flatMap { LineShape($0, dialect) }
                ?? step.awaited.flatMap { LineShape($0, dialect) }
            return shape.map { Line(step: index, shape: $0) }
        }
        replies = steps.compactMap { step in
            guard case .standingReply(_, let message) = step.kind else { return nil }
            return LineShape(message, dialect)
        }
    }
}

extension BoundBehaviour {
    /// The messages that it sends, in order.
    package var sends: [Scenario.Message] { steps.compactMap(\.sent) }

    /// The patterns that it waits for, in order.
    package var awaits: [Pattern] { steps.compactMap(\.awaited) }

    /// The lines that it sends.
    package var sentLines: [LineShape] { lines.map(\.shape).filter { $0.direction == .fromClient } }

    /// The lines that it waits for.
    package var awaitedLines: [LineShape] {
        lines.map(\.shape).filter { $0.direction == .fromServer }
    }

    /// Whether a parameter of this name is given by its user.
    package func takes(_ parameter: String) -> Bool { parameters.contains(parameter) }

    /// Whether it sends the variable.
    package func sends(variable: String) -> Bool {
        sends.contains { $0.placeholders.contains { $0.variable == variable } }
    }

    /// Whether it waits for a line with the variable, which it compares or captures.
    package func awaits(variable: String) -> Bool {
        awaits.contains { $0.placeholders.contains { $0.variable == variable } }
    }

    /// Whether a line of it, standing replies included, has the variable.
    package func uses(variable: String) -> Bool {
        steps.contains { $0.uses(variable: variable) }
    }
}

extension Step {
    /// Whether it is a rule that holds from here on: a standing reply, or lines to ignore.
    package var isRule: Bool {
        switch kind {
        case .standingReply, .ignore: true
        default: false
        }
    }

    /// The message that an operator sends.
    package var sent: Scenario.Message? {
        if case .send(let message) = kind { message } else { nil }
    }

    /// The pattern that an operator waits for.
    package var awaited: Pattern? {
        guard case .expect(let expectation) = kind,
            expectation.mode == .next || expectation.mode == .skip
        else { return nil }
        return expectation.pattern
    }
}
