import Diagnostics

/// Changes to the templates of a step: wire text, strings and payloads.
extension Step {
    /// Returns a copy with `change` applied to each template, including those of inner steps.
    package func mapTemplates(_ change: (Template) -> Template) -> Step {
        func mapped(_ steps: [Step]) -> [Step] { steps.map { $0.mapTemplates(change) } }
        var copy = self
        switch kind {
        case .send(let message): copy.kind = .send(message.mapTemplates(change))
        case .expect(var expectation):
            expectation.pattern = expectation.pattern.mapTemplates(change)
            copy.kind = .expect(expectation)
        case .standingReply(let pattern, let message):
            copy.kind = .standingReply(
                pattern.mapTemplates(change), message.mapTemplates(change))
        case .ignore(let pattern): copy.kind = .ignore(pattern.mapTemplates(change))
        case .nameFree(let name, let window): copy.kind = .nameFree(change(name), window)
        case .use(var use):
            use.arguments = use.arguments.map { $0.mapTemplates(change) }
            copy.kind = .use(use)
        case .anyOrder(let steps): copy.kind = .anyOrder(mapped(steps))
        case .oneOf(let blocks): copy.kind = .oneOf(blocks.map(mapped))
        case .eventually(let window, let steps): copy.kind = .eventually(window, mapped(steps))
        case .repeated(var repetition):
            repetition.steps = mapped(repetition.steps)
            copy.kind = .repeated(repetition)
        case .outcome(let first, let second):
            copy.kind = .outcome(of: mapped(first), sameAs: mapped(second))
        case .connect, .close, .halfClose, .abort, .pause, .resume, .startTLS, .closed, .quiet,
            .wait, .think, .sync:
            break
        }
        return copy
    }
}

extension StepMessage {
    fileprivate func mapTemplates(_ change: (Template) -> Template) -> StepMessage {
        switch self {
        case .wire(let line, let payload): .wire(change(line), payload: payload.map(change))
        case .typed(let call): .typed(call.mapTemplates(change))
        case .raw(let segments):
            .raw(
                segments.map { segment in
                    if case .bytes(let bytes) = segment { .bytes(change(bytes)) } else { segment }
                })
        }
    }
}

extension Pattern {
    fileprivate func mapTemplates(_ change: (Template) -> Template) -> Pattern {
        switch self {
        case .wire(let line, let payload): .wire(change(line), payload: payload.map(change))
        case .typed(let call): .typed(call.mapTemplates(change))
        case .raw(let text): .raw(change(text))
        }
    }
}

extension TypedCall {
    fileprivate func mapTemplates(_ change: (Template) -> Template) -> TypedCall {
        var copy = self
        copy.arguments = arguments.map { $0.mapTemplates(change) }
        return copy
    }
}

extension Argument {
    fileprivate func mapTemplates(_ change: (Template) -> Template) -> Argument {
        Argument(name: name, value: value.mapTemplates(change))
    }
}

extension Value {
    fileprivate func mapTemplates(_ change: (Template) -> Template) -> Value {
        var copy = self
        switch kind {
        case .string(let template): copy.kind = .string(change(template))
        case .list(let values): copy.kind = .list(values.map { $0.mapTemplates(change) })
        case .unordered(let values):
            copy.kind = .unordered(values.map { $0.mapTemplates(change) })
        case .int, .decimal, .bool, .name, .placeholder: break
        }
        return copy
    }
}

extension Template {
    /// Returns a copy in which `piece` replaces these bytes wherever a literal contains them.
    ///
    /// - Parameter isWord: true to replace the bytes only where no letter or digit is next to them.
    package func replacing(
        _ bytes: [UInt8], with piece: Piece, isWord: Bool = false
    ) -> Template {
        guard !bytes.isEmpty else { return self }
        var copy = self
        copy.pieces = pieces.flatMap { old -> [Piece] in
            switch old {
            case .literal(let literal): return literal.replacing(bytes, with: piece, isWord)
            case .placeholder(let placeholder):
                guard case .bytes(let text, count: 1) = placeholder.kind, text == bytes else {
                    return [old]
                }
                return [piece]
            }
        }
        copy.mergeLiterals()
        return copy
    }

    /// Joins literals that are next to each other.
    private mutating func mergeLiterals() {
        var merged: [Piece] = []
        for piece in pieces {
            if case .literal(let right) = piece, case .literal(let left) = merged.last {
                merged[merged.count - 1] = .literal(
                    Literal(left.bytes + right.bytes, range: left.range.joined(with: right.range)))
            } else {
                merged.append(piece)
            }
        }
        pieces = merged
    }
}

extension Template.Literal {
    fileprivate func replacing(
        _ other: [UInt8], with piece: Template.Piece, _ isWord: Bool
    ) -> [Template.Piece] {
        var result: [Template.Piece] = []
        var start = 0
        var offset = 0
        func add(upTo end: Int) {
            if start < end {
                result.append(.literal(Template.Literal(Array(bytes[start..<end]), range: range)))
            }
        }
        while let found = bytes[offset...].firstRange(of: other) {
            offset = found.upperBound
            if isWord, isInWord(found.lowerBound - 1) || isInWord(found.upperBound) { continue }
            add(upTo: found.lowerBound)
            result.append(piece)
            start = found.upperBound
        }
        add(upTo: bytes.count)
        return result
    }

    private func isInWord(_ offset: Int) -> Bool {
        guard bytes.indices.contains(offset) else { return false }
        return bytes[offset].isNamePart
    }
}
