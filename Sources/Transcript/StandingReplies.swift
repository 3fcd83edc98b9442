package import DialectModel
package import LineProtocol
import Scenario

/// The server lines that a dialect's `login` answers automatically, such as PING, and their
/// answers. The scenario contains rules for answering these lines instead of the lines themselves.
package struct StandingReplies: Sendable {
    /// The rules, as scenario text.
    private(set) var rules: [String] = []
    private var triggers: [[UInt8]] = []
    private var answers: [[UInt8]] = []

    init(_ login: LoginSteps) {
        for step in login.steps {
            guard case .standingReply(.wire(let pattern, _), .wire(let reply, _)) = step.kind else {
                continue
            }
            rules.append(login.text(step))
            triggers.append(Self.verb(pattern, login, .fromServer))
            answers.append(Self.verb(reply, login, .fromClient))
        }
    }

    package init(_ dialect: BoundDialect) { self.init(LoginSteps(dialect)) }

    /// Returns true if a rule answers the server's line.
    func triggersReply(_ line: RecordedLine) -> Bool {
        triggersReply(line.verbBytes, line.direction)
    }

    /// Returns true if a rule answers the server's lines with this verb.
    package func triggersReply(_ verb: [UInt8], _ direction: Direction) -> Bool {
        direction == .fromServer && triggers.contains(verb)
    }

    /// Returns true if the client's line is an answer defined by a rule; `open` is the number of
    /// server lines that have not yet been answered.
    func isAnswer(_ line: RecordedLine, open: Int) -> Bool {
        isAnswer(line.verbBytes, line.direction, open: open)
    }

    package func isAnswer(_ verb: [UInt8], _ direction: Direction, open: Int) -> Bool {
        open > 0 && direction == .fromClient && answers.contains(verb)
    }

    private static func verb(
        _ template: Template, _ login: LoginSteps, _ sender: Direction
    ) -> [UInt8] {
        let (line, split) = login.divided(template, from: sender)
        return Array(line[split.verb])
    }
}
