package import Diagnostics

/// One thing that happens, or must.
package struct Step: Sendable, Equatable {
    /// What is done.
    package var kind: Kind
    /// Who does it; nil where it is done for no operator or for all of them.
    package var actor: Actor?
    /// The rule of the nearest `cite` line before it in the body; header citations stand in the
    /// header only.
    package var citation: Citation?
    /// All of it: one line, or a block from its first line to its closing brace.
    @NotCompared package var range: SourceRange

    /// A step from its parts.
    package init(_ kind: Kind, actor: Actor?, citation: Citation? = nil, range: SourceRange) {
        self.kind = kind
        self.actor = actor
        self.citation = citation
        self.range = range
    }

    /// What a step does.
    package indirect enum Kind: Sendable, Equatable {
        /// `->`.
        case send(Message)
        /// `<-`, `<~`, `<?`, `<!`.
        case expect(Expectation)
        /// `connect`.
        case connect
        /// `close`: both directions.
        case close
        /// `half-close`: FIN, still reading.
        case halfClose
        /// `abort`: RST.
        case abort
        /// `pause`: reads nothing any more.
        case pause
        /// `resume`: reads on.
        case resume
        /// `closed [by fin|reset] [within …]`: the server closes.
        case closed(by: ClosingManner?, Window?)
        /// `quiet [for …]`.
        case quiet(for: Window?)
        /// `name X free [within …]`, `nick X free`.
        case nameFree(Template, Window?)
        /// `wait 50ms`.
        case wait(TimeLength)
        /// `think 100ms..2s`.
        case think(least: TimeLength, most: TimeLength)
        /// `sync`; nobody named means all operators.
        case sync([Actor])
        /// `use NAME …`.
        case use(Use)
        /// `any order { … }`: only `<-` and `<~` steps.
        case anyOrder([Step])
        /// `repeat N … { … }`.
        case repeated(Repetition)
        /// `eventually [within …] { … }`.
        case eventually(Window?, [Step])
        /// `outcome of { … } same as { … }`.
        case outcome(of: [Step], sameAs: [Step])
        /// `on … <- PATTERN  reply -> MESSAGE`; the actor is nil for every operator.
        case standingReply(Pattern, Message)
        /// `ignore PATTERN`; the actor is nil for every operator.
        case ignore(Pattern)
    }

    /// The steps inside a block, in order; empty for a step that is no block.
    package var inner: [Step] {
        switch kind {
        case .anyOrder(let steps), .eventually(_, let steps): steps
        case .repeated(let repetition): repetition.steps
        case .outcome(let first, let second): first + second
        default: []
        }
    }
}

/// What an operator expects to read.
package struct Expectation: Sendable, Equatable {
    /// How the lines are gone through.
    package enum Mode: String, Sendable, CaseIterable {
        /// `<-`: the next line that is not ignored must match.
        case next = "<-"
        /// `<~`: lines are skipped until one matches.
        case skip = "<~"
        /// `<?`: taken if it matches, left if not.
        case optional = "<?"
        /// `<!`: must not arrive.
        case never = "<!"
    }

    /// How the lines are gone through.
    package var mode: Mode
    /// What a line is held against.
    package var pattern: Pattern
    /// `within` (for `<!`: `for`); nil means the step timeout, for `<!` and `<?` the probe's barrier.
    package var window: Window?

    /// An expectation from its parts.
    package init(_ mode: Mode, _ pattern: Pattern, window: Window? = nil) {
        self.mode = mode
        self.pattern = pattern
        self.window = window
    }
}

/// How a server closes a connection.
package enum ClosingManner: String, Sendable, CaseIterable {
    /// In order.
    case fin
    /// With RST.
    case reset
}

/// `use NAME [as A, B] [(PARAMETER: value, …)]`.
package struct Use: Sendable, Equatable {
    /// The fragment, or the dialect's behaviour.
    package var name: Name
    /// Who plays it, in turn; empty means all operators.
    package var operators: [Actor]
    /// Values for the fragment's parameters.
    package var arguments: [Argument]

    /// A use from its parts.
    package init(name: Name, operators: [Actor], arguments: [Argument]) {
        self.name = name
        self.operators = operators
        self.arguments = arguments
    }
}

/// `repeat COUNT [as NAME] [every DURATION] { … }`.
package struct Repetition: Sendable, Equatable {
    /// How often.
    package var count: Int
    /// The variable that counts from 1.
    package var counter: Name?
    /// The beat on which rounds start.
    package var every: TimeLength?
    /// What is repeated.
    package var steps: [Step]

    /// A repetition from its parts.
    package init(count: Int, counter: Name?, every: TimeLength?, steps: [Step]) {
        self.count = count
        self.counter = counter
        self.every = every
        self.steps = steps
    }
}

/// `fragment NAME(PARAMETER, …) { … }`.
package struct Fragment: Sendable, Equatable {
    /// What it is called.
    package var name: Name
    /// The variables that `use` gives a value.
    package var parameters: [Name]
    /// What is played.
    package var steps: [Step]
    /// All of it, to its closing brace.
    @NotCompared package var range: SourceRange

    /// A fragment from its parts.
    package init(name: Name, parameters: [Name], steps: [Step], range: SourceRange) {
        self.name = name
        self.parameters = parameters
        self.steps = steps
        self.range = range
    }
}
