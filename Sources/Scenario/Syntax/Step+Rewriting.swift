extension Step {
    /// Returns a copy with `change` applied to each placeholder of its messages and patterns. Steps
    /// of the kinds `use`, `name … free`, `repeat` and `outcome of` are returned unchanged.
    package func mapPlaceholders(_ change: (Placeholder) -> Placeholder) -> Step {
        var copy = self
        switch kind {
        case .send(let message): copy.kind = .send(message.mapPlaceholders(change))
        case .expect(var expectation):
            expectation.pattern = expectation.pattern.mapPlaceholders(change)
            copy.kind = .expect(expectation)
        case .standingReply(let pattern, let message):
            copy.kind = .standingReply(
                pattern.mapPlaceholders(change), message.mapPlaceholders(change))
        case .ignore(let pattern): copy.kind = .ignore(pattern.mapPlaceholders(change))
        case .eventually(let window, let steps):
            copy.kind = .eventually(window, steps.map { $0.mapPlaceholders(change) })
        case .anyOrder(let steps):
            copy.kind = .anyOrder(steps.map { $0.mapPlaceholders(change) })
        case .oneOf(let blocks):
            copy.kind = .oneOf(blocks.map { $0.map { $0.mapPlaceholders(change) } })
        default: break
        }
        return copy
    }

    /// Returns a copy with the mode of the expectation changed. Other steps are returned unchanged.
    package func expecting(_ mode: Expectation.Mode) -> Step {
        guard case .expect(var expectation) = kind else { return self }
        expectation.mode = mode
        var copy = self
        copy.kind = .expect(expectation)
        return copy
    }
}

extension StepMessage {
    /// Returns a copy with `change` applied to each placeholder.
    package func mapPlaceholders(_ change: (Placeholder) -> Placeholder) -> StepMessage {
        switch self {
        case .wire(let line, let payload):
            .wire(
                line.mapPlaceholders(change), payload: payload?.mapPlaceholders(change))
        case .typed(let call): .typed(call.mapPlaceholders(change))
        case .raw(let segments):
            .raw(
                segments.map { segment in
                    if case .bytes(let text) = segment {
                        .bytes(text.mapPlaceholders(change))
                    } else {
                        segment
                    }
                })
        }
    }
}

extension Pattern {
    /// Returns a copy with `change` applied to each placeholder.
    package func mapPlaceholders(_ change: (Placeholder) -> Placeholder) -> Pattern {
        switch self {
        case .wire(let line, let payload):
            .wire(
                line.mapPlaceholders(change), payload: payload?.mapPlaceholders(change))
        case .typed(let call): .typed(call.mapPlaceholders(change))
        case .raw(let text): .raw(text.mapPlaceholders(change))
        }
    }
}

extension TypedCall {
    fileprivate func mapPlaceholders(_ change: (Placeholder) -> Placeholder) -> TypedCall {
        var copy = self
        for index in arguments.indices {
            copy.arguments[index].value = arguments[index].value.mapPlaceholders(change)
        }
        return copy
    }
}

extension Value {
    fileprivate func mapPlaceholders(_ change: (Placeholder) -> Placeholder) -> Value {
        var copy = self
        switch kind {
        case .string(let text): copy.kind = .string(text.mapPlaceholders(change))
        case .list(let values):
            copy.kind = .list(values.map { $0.mapPlaceholders(change) })
        case .unordered(let values):
            copy.kind = .unordered(values.map { $0.mapPlaceholders(change) })
        case .placeholder(let placeholder):
            copy.kind = .placeholder(change(placeholder.mapInner(change)))
        case .int, .decimal, .bool, .name: break
        }
        return copy
    }
}

extension Template {
    fileprivate func mapPlaceholders(_ change: (Placeholder) -> Placeholder) -> Template {
        var copy = self
        copy.pieces = pieces.map { piece in
            if case .placeholder(let placeholder) = piece {
                .placeholder(change(placeholder.mapInner(change)))
            } else {
                piece
            }
        }
        return copy
    }
}

extension Placeholder {
    /// Returns a copy with `change` applied to the placeholders inside it.
    fileprivate func mapInner(_ change: (Placeholder) -> Placeholder) -> Placeholder {
        guard case .computed(let computation) = kind else { return self }
        var copy = self
        switch computation {
        case .base64(let template):
            copy.kind = .computed(.base64(template.mapPlaceholders(change)))
        case .sum(let terms):
            copy.kind = .computed(
                .sum(
                    terms.map { term in
                        guard case .placeholder(let placeholder) = term.operand else { return term }
                        var copy = term
                        copy.operand = .placeholder(change(placeholder))
                        return copy
                    }))
        }
        return copy
    }

    /// Returns a copy with the variable renamed; returns other variables' placeholders unchanged.
    fileprivate func renaming(_ variable: String, to name: String) -> Placeholder {
        guard self.variable == variable else { return self }
        var copy = self
        switch kind {
        case .variable: copy.kind = .variable(name)
        case .typed(_, let type): copy.kind = .typed(name: name, type: type)
        case .regex(_, let expression): copy.kind = .regex(name: name, expression: expression)
        case .rest: copy.kind = .rest(name: name)
        case .anything, .end, .bytes, .length, .environment, .computed: break
        }
        return copy
    }
}

extension Step {
    /// Returns a copy with the variable renamed.
    package func renaming(_ variable: String, to name: String) -> Step {
        mapPlaceholders { $0.renaming(variable, to: name) }
    }

    /// Returns true if the step or a step inside its block uses the variable.
    package func uses(variable: String) -> Bool {
        let placeholders = (message?.placeholders ?? []) + (pattern?.placeholders ?? [])
        return placeholders.contains { $0.variable == variable }
            || inner.contains { $0.uses(variable: variable) }
    }
}

extension StepMessage {
    /// Returns a copy with the variable renamed.
    package func renaming(_ variable: String, to name: String) -> StepMessage {
        mapPlaceholders { $0.renaming(variable, to: name) }
    }

    /// Returns a copy with the variable replaced by literal bytes.
    package func replacing(_ variable: String, with bytes: [UInt8]) -> StepMessage {
        mapPlaceholders { $0.replacing(variable, with: bytes) }
    }
}

extension Placeholder {
    fileprivate func replacing(_ name: String, with bytes: [UInt8]) -> Placeholder {
        variable == name ? Placeholder(.bytes(bytes, count: 1), range: range) : self
    }
}

extension Pattern {
    /// Returns a copy with the variable renamed.
    package func renaming(_ variable: String, to name: String) -> Pattern {
        mapPlaceholders { $0.renaming(variable, to: name) }
    }

    /// Returns a copy with the variable replaced by literal bytes.
    package func replacing(_ variable: String, with bytes: [UInt8]) -> Pattern {
        mapPlaceholders { $0.replacing(variable, with: bytes) }
    }
}
