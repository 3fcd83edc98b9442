/// A tracker that decides which messages of one side have a block, or lack a command, based on the
/// lines of the other side (`block-after`, `line-after`).
struct BlockConditions: Sendable {
    /// Maximum number of requests without an answer that are tracked.
    static let requestsMax = 65_536
    let triggers: [Trigger]
    /// True if blocks follow the answers to certain requests; false if they follow certain answers.
    private let followsRequests: Bool
    private let greets: Bool
    /// Finds the commands of the other side.
    private let verbs: VerbFinder
    /// For each unanswered request, the set of rules for blocks that its answer may have.
    private var requests: [UInt64] = []
    private var firstRequest = 0
    /// What the next message is, if it is not an ordinary one.
    var awaited: AwaitedMessage?

    /// A line from the other side, and the set of rules that it triggers.
    struct Trigger: Sendable, Equatable {
        var line: Framing.BlockTrigger
        var rules: UInt64
        /// True if the line triggers a line without a command.
        var isLinePrompt = false
    }

    /// Creates the conditions for a direction; nil if its blocks do not depend on the other
    /// direction.
    init?(_ dialect: Dialect, _ direction: Direction) {
        let framing = dialect.framing
        let rules = framing.conditionalBlocks(direction)
        let prompts = direction == .fromClient ? framing.linePrompts : []
        guard !rules.isEmpty || !prompts.isEmpty, framing.unit == .line else { return nil }
        triggers =
            rules.enumerated().flatMap { index, rule in
                (rule.after ?? []).map { Trigger(line: $0, rules: Self.bit(index)) }
            } + prompts.map { Trigger(line: $0, rules: 0, isLinePrompt: true) }
        followsRequests = direction == .fromServer
        greets = framing.greeting
        verbs = VerbFinder(dialect.syntax[direction.opposite])
    }

    /// Returns the set that contains only the rule at `index` of
    /// ``Framing/conditionalBlocks(_:)``.
    static func bit(_ index: Int) -> UInt64 {
        index < Framing.conditionalBlocksMax ? 1 << UInt64(index) : 0
    }

    /// True if the conditions hold no state from earlier lines.
    var isAtRest: Bool { firstRequest == requests.count && awaited == nil }

    /// Notes that a connection has been opened. If the server greets clients, this adds an entry
    /// that the greeting answers, so that it does not use up the entry of a request.
    mutating func noteConnected() {
        if followsRequests, greets { add(0) }
    }

    /// Records a line from the other side.
    mutating func recordFromOtherSide(_ line: Range<Int>, in bytes: Span<UInt8>) {
        let (rules, isLinePrompt) = rules(after: line, in: bytes)
        if followsRequests {
            add(rules)
        } else if rules != 0 || isLinePrompt {
            awaited = rules != 0 ? .block : .line
        }
    }

    /// Returns the set of rules that a line from the other side triggers, and whether it triggers a
    /// line without a command.
    private func rules(
        after line: Range<Int>, in bytes: Span<UInt8>
    ) -> (rules: UInt64, isLinePrompt: Bool) {
        guard !line.isEmpty else { return (0, false) }
        let verb = verbs.verb(of: line, in: bytes)
        let ignoringCase = verbs.syntax.ignoresVerbCase
        let isBare = (verb.upperBound..<line.upperBound).allSatisfy {
            verbs.separators.contains(bytes[$0])
        }
        var rules: UInt64 = 0
        var isLinePrompt = false
        for trigger in triggers
        where bytes.matches(verb, trigger.line.verb, ignoringCase: ignoringCase)
            && (isBare || !trigger.line.withoutArguments)
        {
            rules |= trigger.rules
            isLinePrompt = isLinePrompt || trigger.isLinePrompt
        }
        return (rules, isLinePrompt)
    }

    private mutating func add(_ rules: UInt64) {
        // Removing only when half of the elements are unused makes the cost per request constant.
        if firstRequest == requests.count
            || firstRequest > 1024 && firstRequest > requests.count / 2
        {
            requests.removeSubrange(..<firstRequest)
            firstRequest = 0
        }
        if requests.count - firstRequest < Self.requestsMax { requests.append(rules) }
    }

    /// Removes the oldest unanswered request, and returns the set of rules that apply to its
    /// answer.
    mutating func takeAnswer() -> UInt64 {
        guard followsRequests, firstRequest < requests.count else { return 0 }
        firstRequest += 1
        return requests[firstRequest - 1]
    }
}

/// A message without a command, which the line of the other side announces.
public enum AwaitedMessage: Sendable, Equatable {
    /// A block without a line before it.
    case block
    /// A line that consists only of a payload.
    case line
}

extension LineFramer {
    /// What the next message is, if it is not an ordinary one.
    public var awaited: AwaitedMessage? { conditions?.awaited }

    /// Notes that the connection has just been opened, so that the server's greeting is not
    /// mistaken for the answer to the first request.
    public mutating func noteConnected() { conditions?.noteConnected() }

    /// Records a frame from the other direction. Call this before appending the bytes that answer
    /// the frame.
    public mutating func recordFromOtherSide(_ frame: Frame, in bytes: Span<UInt8>) {
        conditions?.recordFromOtherSide(frame.line, in: bytes)
    }

    /// Makes the framer read such a message next, as it does after an answer that requests it.
    public mutating func expect(_ message: AwaitedMessage) { conditions?.awaited = message }

    /// Starts reading a message without a command.
    mutating func begin(_ message: AwaitedMessage) {
        conditions?.awaited = nil
        let offset = start + lead
        begin(
            message == .block ? .dotLine : .line,
            after: Frame(line: offset..<offset, whole: start..<offset))
    }
}
