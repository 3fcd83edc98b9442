import Diagnostics

/// Printer that writes parts of the syntax tree in canonical form. Words, numbers, strings and wire
/// text are copied from the source; only the spacing between them changes.
struct SourcePrinter {
    let source: SourceText

    func slice(_ range: SourceRange) -> String {
        String(decoding: source.bytes(in: range), as: UTF8.self)
    }

    func template(_ template: Template) -> String {
        let isString = source.bytes(in: template.range).first == UInt8(ascii: "\"")
        let quote = isString ? "\"" : ""
        let text = template.pieces.map { piece in
            if case .placeholder(let placeholder) = piece {
                self.placeholder(placeholder)
            } else {
                slice(piece.range)
            }
        }
        return quote + text.joined() + quote
    }

    func placeholder(_ placeholder: Placeholder) -> String {
        let inner = source.bytes(in: placeholder.range).dropFirst(2).dropLast(2)
        let trimmed = inner.drop(while: \.isSpace).reversed().drop(while: \.isSpace).reversed()
        return "{{\(String(decoding: Array(trimmed), as: UTF8.self))}}"
    }

    func message(_ message: StepMessage) -> String {
        switch message {
        case .wire(let text, let payload): template(text) + self.payload(payload)
        case .typed(let call): self.call(call)
        case .raw(let segments):
            segments.map { segment in
                switch segment {
                case .bytes(let text): template(text)
                case .wait(let time): slice(time.range)
                }
            }.joined(separator: " | ")
        }
    }

    func pattern(_ pattern: Pattern) -> String {
        switch pattern {
        case .wire(let text, let payload): template(text) + self.payload(payload)
        case .typed(let call): self.call(call)
        case .raw(let text): template(text)
        }
    }

    private func payload(_ payload: Template?) -> String {
        payload.map { "  payload \(template($0))" } ?? ""
    }

    func call(_ call: TypedCall) -> String { call.name.text + arguments(call.arguments) }

    func arguments(_ arguments: [Argument]) -> String {
        let parts = arguments.map { "\($0.name.text): \(value($0.value))" }
        return "(\(parts.joined(separator: ", ")))"
    }

    func value(_ value: Value) -> String {
        switch value.kind {
        case .string(let text): template(text)
        case .placeholder(let placeholder): self.placeholder(placeholder)
        case .list(let values): list(values)
        case .unordered(let values): "any order \(list(values))"
        case .int, .decimal, .bool, .name: slice(value.range)
        }
    }

    private func list(_ values: [Value]) -> String {
        "[\(values.map { value($0) }.joined(separator: ", "))]"
    }

    func names(_ names: [Name]) -> String { names.map(\.text).joined(separator: ", ") }

    func actors(_ actors: [Actor]) -> String {
        actors.map { $0.name ?? "self" }.joined(separator: ", ")
    }

    /// Prints a window modifier: `within 1s..2s` or `for 2s`.
    func window(_ window: Window, _ word: String = "within") -> String {
        let earliest = window.earliest.map { "\(slice($0.range)).." } ?? ""
        return "\(word) \(earliest)\(slice(window.latest.range))"
    }

    // MARK: Steps

    /// Prints a step without its actor and without the steps inside it: `-> PING x`, `repeat 3 {`.
    func step(_ step: Step) -> String {
        switch step.kind {
        case .send(let message): "-> \(self.message(message))"
        case .expect(let expectation): self.expectation(expectation)
        case .connect: "connect"
        case .close: "close"
        case .halfClose: "half-close"
        case .abort: "abort"
        case .pause: "pause"
        case .resume: "resume"
        case .startTLS: "starttls"
        case .closed(let manner, let window):
            words("closed", manner.map { "by \($0.rawValue)" }, window.map { self.window($0) })
        case .quiet(let window): words("quiet", window.map { self.window($0, "for") })
        case .nameFree(let name, let window):
            words(
                slice(step.range).hasPrefix("nick") ? "nick" : "name", template(name), "free",
                window.map { self.window($0) })
        case .wait(let time): "wait \(slice(time.range))"
        case .think(let minimum, let maximum):
            "think \(slice(minimum.range))..\(slice(maximum.range))"
        case .sync(let names): words("sync", names.isEmpty ? nil : actors(names))
        case .use(let use): self.use(use)
        case .standingReply(let pattern, let message):
            words("on", step.actor.map { $0.name ?? "self" })
                + " <- \(self.pattern(pattern))  reply -> \(self.message(message))"
        case .ignore(let pattern): "ignore \(self.pattern(pattern))"
        case .anyOrder, .oneOf, .repeated, .eventually, .outcome: opening(step)
        }
    }

    private func expectation(_ expectation: Expectation) -> String {
        let word = expectation.mode == .never ? "for" : "within"
        let modifier = expectation.window.map { "  " + window($0, word) } ?? ""
        return "\(expectation.mode.rawValue) \(pattern(expectation.pattern))\(modifier)"
    }

    private func use(_ use: Use) -> String {
        words(
            "use", use.name.text, use.operators.isEmpty ? nil : "as \(actors(use.operators))",
            use.arguments.isEmpty ? nil : arguments(use.arguments))
    }

    private func opening(_ step: Step) -> String {
        switch step.kind {
        case .anyOrder: "any order {"
        case .oneOf: "one of {"
        case .eventually(let window, _): words("eventually", window.map { self.window($0) }, "{")
        case .outcome: "outcome of {"
        case .repeated(let repetition):
            words(
                "repeat \(repetition.count)", repetition.counter.map { "as \($0.text)" },
                repetition.every.map { "every \(slice($0.range))" }, "{")
        default: ""
        }
    }

    func opening(_ fragment: Fragment) -> String {
        let parameters = fragment.parameters.isEmpty ? "" : "(\(names(fragment.parameters)))"
        return "fragment \(fragment.name.text)\(parameters) {"
    }

    private func words(_ words: String?...) -> String {
        words.compactMap(\.self).joined(separator: " ")
    }
}
