package import Diagnostics

/// Steps created in memory. Their ranges are empty until they are printed.
extension Step {
    private init(_ kind: Kind, by handle: String? = nil) {
        self.init(kind, actor: handle.map(Actor.named), range: .none)
    }

    package static func connect(_ handle: String) -> Step { Step(.connect, by: handle) }
    package static func close(_ handle: String) -> Step { Step(.close, by: handle) }
    package static func halfClose(_ handle: String) -> Step { Step(.halfClose, by: handle) }
    package static func abort(_ handle: String) -> Step { Step(.abort, by: handle) }
    package static func pause(_ handle: String) -> Step { Step(.pause, by: handle) }
    package static func quiet(_ handle: String) -> Step { Step(.quiet(for: nil), by: handle) }

    /// - Parameters:
    ///   - handle: the operator; nil, in a fragment, for the one that runs it.
    ///   - limit: time limit in nanoseconds; nil for the step timeout.
    package static func closed(_ handle: String?, within limit: Int64? = nil) -> Step {
        Step(.closed(by: nil, limit.map(Window.init)), actor: .handle(handle), range: .none)
    }

    package static func send(_ handle: String, _ message: StepMessage) -> Step {
        Step(.send(message), by: handle)
    }

    /// - Parameters:
    ///   - handle: the operator; nil, in a fragment, for the one that runs it.
    ///   - limit: time limit in nanoseconds; nil for the step timeout.
    package static func expect(
        _ handle: String?, _ mode: Expectation.Mode, _ pattern: Pattern, within limit: Int64? = nil
    ) -> Step {
        Step(
            .expect(Expectation(mode, pattern, window: limit.map(Window.init))),
            actor: .handle(handle), range: .none)
    }

    /// Returns the step `name X free`.
    package static func nameFree(_ name: String, within limit: Int64) -> Step {
        Step(.nameFree(Template(Array(name.utf8)), Window(limit)))
    }

    /// Returns a step that waits for a number of nanoseconds.
    package static func wait(_ nanoseconds: Int64) -> Step {
        Step(.wait(DurationLiteral(nanoseconds: nanoseconds, range: .none)))
    }

    /// Returns a barrier for the given operators, or for all operators if there are none.
    package static func sync(_ handles: String...) -> Step { sync(handles) }

    package static func sync(_ handles: [String]) -> Step {
        Step(.sync(handles.map(Actor.named)))
    }

    /// Returns a step that uses a fragment or a behaviour.
    package static func use(
        _ name: String, as handle: String, _ arguments: [Argument] = []
    ) -> Step {
        Step(
            .use(
                Use(
                    name: Name(name, range: .none), operators: [.named(handle)],
                    arguments: arguments)))
    }

    /// - Parameter interval: time between the starts of rounds, in nanoseconds; nil for none.
    package static func repeated(
        _ count: Int, every interval: Int64? = nil, _ steps: [Step]
    ) -> Step {
        let every = interval.map { DurationLiteral(nanoseconds: $0, range: .none) }
        return Step(
            .repeated(Repetition(count: count, counter: nil, every: every, steps: steps)))
    }

    /// Returns a block that runs the steps of one of the blocks: the one whose first step is met.
    package static func oneOf(_ blocks: [Step]...) -> Step { Step(.oneOf(blocks)) }

    /// Returns a block whose expectations may be met in any order.
    package static func anyOrder(_ steps: [Step]) -> Step { Step(.anyOrder(steps)) }

    /// Returns the standing rule that hides matching lines from an operator.
    package static func ignore(_ handle: String, _ pattern: Pattern) -> Step {
        Step(.ignore(pattern), by: handle)
    }

    package static func outcome(of first: [Step], sameAs second: [Step]) -> Step {
        Step(.outcome(of: first, sameAs: second))
    }
}

extension Step {
    /// Returns a copy for a named operator.
    package func by(_ handle: String) -> Step {
        var copy = self
        copy.actor = .named(handle)
        return copy
    }

    /// Returns true if the step uses a fragment or a behaviour with this name.
    package func uses(_ name: String) -> Bool {
        if case .use(let use) = kind { use.name.text == name } else { false }
    }

    /// The only operator that runs the step; nil if there are several or none, and for blocks.
    package var handle: String? {
        switch kind {
        case .use(let use): use.operators.count == 1 ? use.operators[0].name : nil
        case .sync(let actors): actors.count == 1 ? actors[0].name : nil
        default: actor?.name
        }
    }
}

extension SourceRange {
    /// The range of a value that has not been printed.
    package static let none = SourceRange(start: 0, end: 0)
}

extension Actor {
    package static func named(_ handle: String) -> Actor { .named(Name(handle, range: .none)) }

    /// Returns the operator with this handle or, if it is nil, the one that runs the fragment.
    fileprivate static func handle(_ handle: String?) -> Actor {
        handle.map(named) ?? .itself(NotCompared(wrappedValue: SourceRange.none))
    }
}

extension Window {
    /// Creates a window with an upper bound in nanoseconds.
    package init(_ nanoseconds: Int64) {
        self.init(latest: DurationLiteral(nanoseconds: nanoseconds, range: .none), range: .none)
    }
}

extension Fragment {
    package init(_ name: String, _ parameters: [String] = [], _ steps: [Step]) {
        self.init(
            name: Name(name, range: .none), parameters: parameters.map { Name($0, range: .none) },
            steps: steps, range: .none)
    }
}

extension Argument {
    package init(_ name: String, _ value: Value) {
        self.init(name: Name(name, range: .none), value: value)
    }
}

extension Value {
    package static func text(_ text: String) -> Value { .bytes(Array(text.utf8)) }

    package static func bytes(_ bytes: [UInt8]) -> Value { .template(Template(bytes)) }

    package static func template(_ template: Template) -> Value {
        Value(.string(template), range: .none)
    }

    /// Returns a placeholder for a variable, as a value.
    package static func variable(_ name: String) -> Value {
        Value(.placeholder(Placeholder(.variable(name), range: .none)), range: .none)
    }

    package static func int(_ number: Int) -> Value { Value(.int(Int64(number)), range: .none) }
}

extension Template {
    /// Creates a template of literal bytes.
    package init(_ bytes: [UInt8]) {
        self.init(bytes.isEmpty ? [] : [.literal(Literal(bytes, range: .none))], range: .none)
    }
}

extension StepMessage {
    /// Returns a message of exactly these bytes, in one write.
    package static func raw(_ bytes: Template) -> StepMessage { .raw([.bytes(bytes)]) }

    /// Returns a line of literal text.
    package static func line(_ bytes: [UInt8]) -> StepMessage {
        .wire(Template(bytes), payload: nil)
    }
}
