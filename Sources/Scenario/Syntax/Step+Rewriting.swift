extension Step {
    /// The same with each placeholder changed.
    package func mapHoles(_ change: (Hole) -> Hole) -> Step {
        var copy = self
        switch kind {
        case .send(let message): copy.kind = .send(message.mapHoles(change))
        case .expect(var expectation):
            expectation.pattern = expectation.pattern.mapHoles(change)
            copy.kind = .expect(expectation)
        case .standingReply(let pattern, let message):
            copy.kind = .standingReply(
                pattern.mapHoles(change), message.mapHoles(change))
        case .ignore(let pattern): copy.kind = .ignore(pattern.mapHoles(change))
        case .eventually(let window, let steps):
            copy.kind = .eventually(window, steps.map { $0.mapHoles(change) })
        case .anyOrder(let steps):
            copy.kind = .anyOrder(steps.map { $0.mapHoles(change) })
        default: break
        }
        return copy
    }

    /// The same expectation in another mode; any other step as it is.
    package func expecting(_ mode: Expectation.Mode) -> Step {
        guard case .expect(var expectation) = kind else { return self }
        expectation.mode = mode
        var copy = self
        copy.kind = .expect(expectation)
        return copy
    }
}

extension Message {
    /// The same with each placeholder changed.
    package func mapHoles(_ change: (Hole) -> Hole) -> Message {
        switch self {
        case .wire(let line, let payload):
            .wire(
                line.mapHoles(change), payload: payload?.mapHoles(change))
        case .typed(let call): .typed(call.mapHoles(change))
        case .raw(let segments):
            .raw(
                segments.map { segment in
                    if case .bytes(let text) = segment {
                        .bytes(text.mapHoles(change))
                    } else {
                        segment
                    }
                })
        }
    }
}

extension Pattern {
    /// The same with each placeholder changed.
    package func mapHoles(_ change: (Hole) -> Hole) -> Pattern {
        switch self {
        case .wire(let line, let payload):
            .wire(
                line.mapHoles(change), payload: payload?.mapHoles(change))
        case .typed(let call): .typed(call.mapHoles(change))
        case .raw(let text): .raw(text.mapHoles(change))
        }
    }
}

extension TypedCall {
    fileprivate func mapHoles(_ change: (Hole) -> Hole) -> TypedCall {
        var copy = self
        for index in arguments.indices {
            copy.arguments[index].value = arguments[index].value.mapHoles(change)
        }
        return copy
    }
}

extension Value {
    fileprivate func mapHoles(_ change: (Hole) -> Hole) -> Value {
        var copy = self
        switch kind {
        case .string(let text): copy.kind = .string(text.mapHoles(change))
        case .list(let values):
            copy.kind = .list(values.map { $0.mapHoles(change) })
        case .hole(let hole): copy.kind = .hole(change(hole))
        case .int, .decimal, .bool, .name: break
        }
        return copy
    }
}

extension Template {
    fileprivate func mapHoles(_ change: (Hole) -> Hole) -> Template {
        var copy = self
        copy.pieces = pieces.map { piece in
            if case .hole(let hole) = piece { .hole(change(hole)) } else { piece }
        }
        return copy
    }
}

extension Hole {
    /// The same under another name, if it has the name of the variable.
    fileprivate func renaming(_ variable: String, to name: String) -> Hole {
        guard self.variable == variable else { return self }
        var copy = self
        switch kind {
        case .variable: copy.kind = .variable(name)
        case .typed(_, let type): copy.kind = .typed(name: name, type: type)
        case .regex(_, let expression): copy.kind = .regex(name: name, expression: expression)
        case .rest: copy.kind = .rest(name: name)
        case .anything, .end, .bytes, .length, .environment: break
        }
        return copy
    }
}

extension Step {
    /// The same with a variable under another name.
    package func renaming(_ variable: String, to name: String) -> Step {
        mapHoles { $0.renaming(variable, to: name) }
    }

    /// Whether a line of it, those inside a block included, has the variable.
    package func uses(variable: String) -> Bool {
        let holes = (message?.holes ?? []) + (pattern?.holes ?? [])
        return holes.contains { $0.variable == variable }
            || inner.contains { $0.uses(variable: variable) }
    }
}

extension Message {
    /// The same with a variable under another name.
    package func renaming(_ variable: String, to name: String) -> Message {
        mapHoles { $0.renaming(variable, to: name) }
    }

    /// The same with bytes instead of a variable.
    package func replacing(_ variable: String, with bytes: [UInt8]) -> Message {
        mapHoles { hole in
            guard hole.variable == variable else { return hole }
            return Hole(.bytes(bytes, count: 1), range: hole.range)
        }
    }
}

extension Pattern {
    /// The same with a variable under another name.
    package func renaming(_ variable: String, to name: String) -> Pattern {
        mapHoles { $0.renaming(variable, to: name) }
    }
}
