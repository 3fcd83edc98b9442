package import Diagnostics

/// One statement of a scenario.
package struct Step: Sendable, Equatable {
    package var kind: Kind
    /// The operator that runs the step; nil if the step applies to all operators or to none.
    package var actor: Actor?
    /// The rule cited by the nearest preceding `cite` line in the body; nil if there is none. Rules
    /// cited in the header are not repeated here.
    package var citation: Citation?
    /// Source range of the step: one line, or for a block, everything up to its closing brace.
    @NotCompared package var range: SourceRange

    package init(_ kind: Kind, actor: Actor?, citation: Citation? = nil, range: SourceRange) {
        self.kind = kind
        self.actor = actor
        self.citation = citation
        self.range = range
    }

    /// The kind of action that a step performs.
    package indirect enum Kind: Sendable, Equatable {
        /// `->`.
        case send(StepMessage)
        /// `<-`, `<~`, `<?`, `<!`.
        case expect(Expectation)
        /// `connect`.
        case connect
        /// `close`: closes both directions.
        case close
        /// `half-close`: sends FIN and keeps reading.
        case halfClose
        /// `abort`: sends RST.
        case abort
        /// `pause`: stops reading.
        case pause
        /// `resume`: starts reading again.
        case resume
        /// `starttls`: encrypts the connection with TLS from here on.
        case startTLS
        /// `closed [by fin|reset] [within …]`: expects the server to close the connection.
        case closed(by: ClosingManner?, Window?)
        /// `quiet [for …]`.
        case quiet(for: Window?)
        /// `name X free [within …]`, `nick X free`.
        case nameFree(Template, Window?)
        /// `wait 50ms`.
        case wait(DurationLiteral)
        /// `think 100ms..2s`.
        case think(minimum: DurationLiteral, maximum: DurationLiteral)
        /// `sync`; an empty list means all operators.
        case sync([Actor])
        /// `use NAME …`.
        case use(Use)
        /// `any order { … }`; contains only `<-` and `<~` steps.
        case anyOrder([Step])
        /// `one of { … } or { … }`. The first step of each block decides whether that block runs.
        case oneOf([[Step]])
        /// `repeat N … { … }`.
        case repeated(Repetition)
        /// `eventually [within …] { … }`.
        case eventually(Window?, [Step])
        /// `outcome of { … } same as { … }`.
        case outcome(of: [Step], sameAs: [Step])
        /// `on … <- PATTERN  reply -> MESSAGE`; applies to every operator if the actor is nil.
        case standingReply(Pattern, StepMessage)
        /// `ignore PATTERN`; applies to every operator if the actor is nil.
        case ignore(Pattern)
    }

    /// The steps inside a block, in order; empty for other steps.
    package var inner: [Step] {
        switch kind {
        case .anyOrder(let steps), .eventually(_, let steps): steps
        case .oneOf(let blocks): blocks.flatMap(\.self)
        case .repeated(let repetition): repetition.steps
        case .outcome(let first, let second): first + second
        default: []
        }
    }
}

/// An expectation of a step: a line that must arrive or, with `<!`, must not arrive.
package struct Expectation: Sendable, Equatable {
    /// The way an expectation consumes incoming lines.
    package enum Mode: String, Sendable, CaseIterable {
        /// `<-`: the next line that is not ignored must match.
        case next = "<-"
        /// `<~`: skips lines until one matches.
        case skip = "<~"
        /// `<?`: consumes the next line if it matches, otherwise leaves it.
        case optional = "<?"
        /// `<!`: no matching line may arrive.
        case never = "<!"
    }

    package var mode: Mode
    package var pattern: Pattern
    /// The time limit from `within` or, after `<!`, from `for`. If nil, `<-` and `<~` use the step
    /// timeout, while `<!` and `<?` end when the server has answered a probe.
    package var window: Window?

    package init(_ mode: Mode, _ pattern: Pattern, window: Window? = nil) {
        self.mode = mode
        self.pattern = pattern
        self.window = window
    }
}

/// The way a connection is closed: orderly or by a reset.
package enum ClosingManner: String, Sendable, CaseIterable {
    /// Orderly close (FIN).
    case fin
    /// Reset (RST).
    case reset
}

/// A `use NAME [as A, B] [(PARAMETER: value, …)]` step.
package struct Use: Sendable, Equatable {
    /// Name of the fragment, or of the dialect's behaviour.
    package var name: Name
    /// The operators that run it, one after the other; if empty, all operators.
    package var operators: [Actor]
    /// Values for the fragment's parameters.
    package var arguments: [Argument]

    package init(name: Name, operators: [Actor], arguments: [Argument]) {
        self.name = name
        self.operators = operators
        self.arguments = arguments
    }
}

/// A `repeat COUNT [as NAME] [every DURATION] { … }` block.
package struct Repetition: Sendable, Equatable {
    /// Number of rounds.
    package var count: Int
    /// Variable that holds the current round number, from 1; nil if there is none.
    package var counter: Name?
    /// Interval between the starts of consecutive rounds; nil to start each round as soon as the
    /// previous one ends.
    package var every: DurationLiteral?
    package var steps: [Step]
}

/// A `fragment NAME(PARAMETER, …) { … }` definition.
package struct Fragment: Sendable, Equatable {
    package var name: Name
    /// The variables that `use` assigns values to.
    package var parameters: [Name]
    package var steps: [Step]
    /// Source range, up to the closing brace.
    @NotCompared package var range: SourceRange

    package init(name: Name, parameters: [Name], steps: [Step], range: SourceRange) {
        self.name = name
        self.parameters = parameters
        self.steps = steps
        self.range = range
    }
}
