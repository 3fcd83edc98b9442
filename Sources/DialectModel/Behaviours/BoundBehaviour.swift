package import LineProtocol
package import Scenario

/// A parsed behaviour from a dialect, such as `login`, `probe` or `say`.
package struct BoundBehaviour: Sendable {
    /// Name prefix of behaviours that wait for the lines that only clients with a certain feature
    /// receive. If such a behaviour also sends a line, that line makes the server send them.
    package static let featurePrefix = "shows-"

    package let name: String
    /// The parameters that the caller provides, in order.
    package let parameters: [String]
    /// The features that a server must support before checks can use this behaviour.
    package var needs: [OfferedName] = []
    package let steps: [Step]
    /// The lines that steps outside of blocks send or wait for, in order. Lines whose command is
    /// not in the command table are left out.
    package let lines: [Line]
    /// The lines that standing rules send in reply.
    package let replies: [LineShape]

    /// A line that a step sends or waits for.
    package struct Line: Sendable {
        /// Index of the step.
        package let step: Int
        /// The command and the arguments of the line.
        package let shape: LineShape
    }

    init(
        _ name: String, parameters: [String], steps: [Step], _ dialect: Dialect,
        _ decoder: MessageDecoder
    ) {
        self.name = name
        self.parameters = parameters
        self.steps = steps
        lines = steps.enumerated().compactMap { index, step in
            let shape =
                step.sent.flatMap { LineShape($0, dialect, decoder) }
                ?? step.awaited.flatMap { LineShape($0, dialect, decoder) }
            return shape.map { Line(step: index, shape: $0) }
        }
        replies = steps.compactMap { step in
            guard case .standingReply(_, let message) = step.kind else { return nil }
            return LineShape(message, dialect, decoder)
        }
    }
}

extension BoundBehaviour {
    /// The messages that the behaviour sends, in order.
    package var sends: [StepMessage] { steps.compactMap(\.sent) }

    /// The patterns that the behaviour waits for, in order.
    package var awaits: [Pattern] { steps.compactMap(\.awaited) }

    /// The lines that the behaviour sends.
    package var sentLines: [LineShape] { lines.map(\.shape).filter { $0.direction == .fromClient } }

    package var awaitedLines: [LineShape] {
        lines.map(\.shape).filter { $0.direction == .fromServer }
    }

    package func takes(_ parameter: String) -> Bool { parameters.contains(parameter) }

    package func sends(variable: String) -> Bool {
        sends.contains { $0.placeholders.contains { $0.variable == variable } }
    }

    /// Returns true if a line that the behaviour waits for compares or captures the variable.
    package func awaits(variable: String) -> Bool {
        awaits.contains { $0.placeholders.contains { $0.variable == variable } }
    }

    /// Returns true if any line, including a standing reply, uses the variable.
    package func uses(variable: String) -> Bool {
        steps.contains { $0.uses(variable: variable) }
    }
}

extension Step {
    /// True for a standing rule, which replies to matching lines or ignores them.
    package var isRule: Bool {
        switch kind {
        case .standingReply, .ignore: true
        default: false
        }
    }

    /// The message that an operator sends in this step; nil if the step does not send.
    package var sent: StepMessage? {
        if case .send(let message) = kind { message } else { nil }
    }

    /// The pattern that an operator waits for in this step; nil if the step does not wait for a
    /// line.
    package var awaited: Pattern? {
        guard case .expect(let expectation) = kind,
            expectation.mode == .next || expectation.mode == .skip
        else { return nil }
        return expectation.pattern
    }
}
