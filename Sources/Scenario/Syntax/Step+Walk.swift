extension Sequence<Step> {
    /// Visits every step in source order. A block comes before the steps inside it.
    package func walk(_ visit: (Step) -> Void) {
        for step in self {
            visit(step)
            step.inner.walk(visit)
        }
    }
}

extension Step {
    /// True if the step contains only rules, waits and barriers. Such a step does not test the
    /// server.
    var isInert: Bool {
        switch kind {
        case .ignore, .standingReply, .wait, .think, .sync: true
        case .anyOrder, .oneOf, .repeated, .eventually, .outcome: inner.allSatisfy(\.isInert)
        default: false
        }
    }

    /// The message that the step sends; for a standing reply, the reply. Nil for other steps.
    package var message: StepMessage? {
        switch kind {
        case .send(let message), .standingReply(_, let message): message
        default: nil
        }
    }

    /// The pattern that the step compares lines with; nil if it compares none.
    package var pattern: Pattern? {
        switch kind {
        case .expect(let expectation): expectation.pattern
        case .standingReply(let pattern, _), .ignore(let pattern): pattern
        default: nil
        }
    }
}

extension StepMessage {
    /// All placeholders, in order.
    package var placeholders: [Placeholder] {
        switch self {
        case .wire(let text, let payload): text.placeholders + (payload?.placeholders ?? [])
        case .typed(let call): call.arguments.flatMap(\.value.placeholders)
        case .raw(let segments):
            segments.flatMap { segment -> [Placeholder] in
                if case .bytes(let text) = segment { text.placeholders } else { [] }
            }
        }
    }
}

extension Pattern {
    /// All placeholders, in order.
    package var placeholders: [Placeholder] {
        switch self {
        case .wire(let text, let payload): text.placeholders + (payload?.placeholders ?? [])
        case .typed(let call): call.arguments.flatMap(\.value.placeholders)
        case .raw(let text): text.placeholders
        }
    }
}

extension Value {
    /// All placeholders, in order.
    package var placeholders: [Placeholder] {
        switch kind {
        case .string(let text): text.placeholders
        case .placeholder(let placeholder): [placeholder] + placeholder.inner
        case .list(let values), .unordered(let values): values.flatMap(\.placeholders)
        case .int, .decimal, .bool, .name: []
        }
    }
}

extension ScenarioFile {
    /// Operator names: the names declared in the header or, without a declaration, every name that
    /// starts a step or follows `as`, first in the file's fragments, then in its steps, then in
    /// included fragments.
    package var operatorNames: [String] {
        if let declared = header.operators { return declared.map(\.text) }
        var names: [String] = []
        var seen: Set<String> = []
        let others = included.flatMap(\.fragment.steps)
        (fragments.flatMap(\.steps) + steps + others).walk { step in
            var found = [step.actor?.name].compactMap(\.self)
            if case .standingReply = step.kind { found = [] }
            if case .use(let use) = step.kind { found = use.operators.compactMap(\.name) }
            for name in found where seen.insert(name).inserted { names.append(name) }
        }
        return names
    }
}
