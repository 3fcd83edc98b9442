extension Sequence<Step> {
    /// Visits each step in the order of the text, a block before the steps inside it.
    package func walk(_ visit: (Step) -> Void) {
        for step in self {
            visit(step)
            step.inner.walk(visit)
        }
    }
}

extension Step {
    /// Whether playing it shows nothing of a server: rules and waits alone.
    var isInert: Bool {
        switch kind {
        case .ignore, .standingReply, .wait, .think, .sync: true
        case .anyOrder, .repeated, .eventually, .outcome: inner.allSatisfy(\.isInert)
        default: false
        }
    }

    /// What the step sends: for a standing reply, what it replies.
    package var message: Message? {
        switch kind {
        case .send(let message), .standingReply(_, let message): message
        default: nil
        }
    }

    /// What the step holds lines against.
    package var pattern: Pattern? {
        switch kind {
        case .expect(let expectation): expectation.pattern
        case .standingReply(let pattern, _), .ignore(let pattern): pattern
        default: nil
        }
    }
}

extension Message {
    /// The placeholders in it, in order.
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
    /// The placeholders in it, in order.
    package var placeholders: [Placeholder] {
        switch self {
        case .wire(let text, let payload): text.placeholders + (payload?.placeholders ?? [])
        case .typed(let call): call.arguments.flatMap(\.value.placeholders)
        case .raw(let text): text.placeholders
        }
    }
}

extension Value {
    /// The placeholders in it, in order.
    package var placeholders: [Placeholder] {
        switch kind {
        case .string(let text): text.placeholders
        case .placeholder(let placeholder): [placeholder]
        case .list(let values): values.flatMap(\.placeholders)
        case .int, .decimal, .bool, .name: []
        }
    }
}

extension ScenarioFile {
    /// Who takes part: as declared, or else every name that starts a step or stands after `as`, in
    /// the order of the text.
    package var operatorNames: [String] {
        if let declared = header.operators { return declared.map(\.text) }
        var names: [String] = []
        var seen: Set<String> = []
        (fragments.flatMap(\.steps) + steps).walk { step in
            var found = [step.actor?.name].compactMap(\.self)
            if case .standingReply = step.kind { found = [] }
            if case .use(let use) = step.kind { found = use.operators.compactMap(\.name) }
            for name in found where seen.insert(name).inserted { names.append(name) }
        }
        return names
    }
}
