public import Diagnostics

/// One thing that happens, or must.
public struct Step: Sendable, Equatable {
    /// What is done.
    public var kind: Kind
    /// Who does it; nil where it is done for no operator or for all of them.
    public var actor: Actor?
    /// The rule of the nearest `cite` line before it in the body; header citations stand in the
    /// header only.
    public var citation: Citation?
    /// All of it: one line, or a block from its first line to its closing brace.
    @NotCompared public var range: SourceRange

    /// A step from its parts.
    public init(_ kind: Kind, actor: Actor?, citation: Citation? = nil, range: SourceRange) {
        self.kind = kind
        self.actor = actor
        self.citation = citation
        self.range = range
    }

    /// What a step does.
    public indirect enum Kind: Sendable, Equatable {
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
    public var inner: [Step] {
        switch kind {
        case .anyOrder(let steps), .eventually(_, let steps): steps
        case .repeated(let repetition): repetition.steps
        case .outcome(let first, let second): first + second
        default: []
        }
    }
}

/// What an operator expects to read.
public struct Expectation: Sendable, Equatable {
    /// How the lines are gone through.
    public enum Mode: String, Sendable, CaseIterable {
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
    public var mode: Mode
    /// What a line is held against.
    public var pattern: Pattern
    /// `within` (for `<!`: `for`); nil means the step timeout, for `<!` and `<?` the probe's fence.
    public var window: Window?

    /// An expectation from its parts.
    public init(_ mode: Mode, _ pattern: Pattern, window: Window? = nil) {
        self.mode = mode
        self.pattern = pattern
        self.window = window
    }
}

/// How a server closes a connection.
public enum ClosingManner: String, Sendable, CaseIterable {
    /// In order.
    case fin
    /// With RST.
    case reset
}

/// `use NAME [as A, B] [(PARAMETER: value, …)]`.
public struct Use: Sendable, Equatable {
    /// The fragment, or the dialect's behaviour.
    public var name: Name
    /// Who plays it, in turn; empty means all operators.
    public var operators: [Actor]
    /// Values for the fragment's parameters.
    public var arguments: [Argument]

    /// A use from its parts.
    public init(name: Name, operators: [Actor], arguments: [Argument]) {
        self.name = name
        self.operators = operators
        self.arguments = arguments
    }
}

/// `repeat COUNT [as NAME] [every DURATION] { … }`.
public struct Repetition: Sendable, Equatable {
    /// How often.
    public var count: Int
    /// The variable that counts from 1.
    public var counter: Name?
    /// The beat on which rounds start.
    public var every: TimeLength?
    /// What is repeated.
    public var steps: [Step]

    /// A repetition from its parts.
    public init(count: Int, counter: Name?, every: TimeLength?, steps: [Step]) {
        self.count = count
        self.counter = counter
        self.every = every
        self.steps = steps
    }
}

/// `fragment NAME(PARAMETER, …) { … }`.
public struct Fragment: Sendable, Equatable {
    /// What it is called.
    public var name: Name
    /// The variables that `use` gives a value.
    public var parameters: [Name]
    /// What is played.
    public var steps: [Step]
    /// All of it, to its closing brace.
    @NotCompared public var range: SourceRange

    /// A fragment from its parts.
    public init(name: Name, parameters: [Name], steps: [Step], range: SourceRange) {
        self.name = name
        self.parameters = parameters
        self.steps = steps
        self.range = range
    }
}
