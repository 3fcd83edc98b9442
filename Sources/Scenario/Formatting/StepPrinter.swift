import RegularExpressions

/// Printer for steps that were created or changed in memory. Its output parses back to equal steps.
package enum StepPrinter {
    /// Prints steps, one line each; the contents of blocks are indented.
    package static func lines(_ steps: [Step], indent: Int = 0) -> [String] {
        steps.flatMap { step -> [String] in
            let margin = String(repeating: " ", count: indent)
            let actor = step.prefixActor.map { $0 + " " } ?? ""
            return blockLines(step, indent).map { [margin + actor + $0[0]] + $0.dropFirst() }
                ?? [margin + actor + line(step)]
        }
    }

    package static func lines(_ fragment: Fragment) -> [String] {
        let names = fragment.parameters.map(\.text).joined(separator: ", ")
        let parameters = fragment.parameters.isEmpty ? "" : "(\(names))"
        return ["fragment \(fragment.name.text)\(parameters) {"]
            + lines(fragment.steps, indent: 4) + ["}"]
    }

    /// Prints a step on one line, without its actor.
    package static func line(_ step: Step) -> String {
        switch step.kind {
        case .send(let message): "-> \(text(message))"
        case .expect(let expectation): text(expectation)
        case .connect: "connect"
        case .close: "close"
        case .halfClose: "half-close"
        case .abort: "abort"
        case .pause: "pause"
        case .resume: "resume"
        case .startTLS: "starttls"
        case .closed(let manner, let window):
            words(
                "closed", manner.map { "by \($0.rawValue)" },
                window.map { " " + text($0, "within") })
        case .quiet(let window): words("quiet", window.map { " " + text($0, "for") })
        case .nameFree(let name, let window):
            words("name", string(name), "free", window.map { " " + text($0, "within") })
        case .wait(let time): "wait \(text(time))"
        case .think(let minimum, let maximum): "think \(text(minimum))..\(text(maximum))"
        case .sync(let actors): words("sync", actors.isEmpty ? nil : names(actors))
        case .use(let use):
            words(
                "use", use.name.text, use.operators.isEmpty ? nil : "as \(names(use.operators))",
                use.arguments.isEmpty ? nil : text(use.arguments))
        case .standingReply(let pattern, let message):
            words("on", step.actor?.name) + " <- \(text(pattern))  reply -> \(text(message))"
        case .ignore(let pattern): "ignore \(text(pattern))"
        case .anyOrder, .oneOf, .repeated, .eventually, .outcome: ""
        }
    }

    /// Prints a block and the steps inside it; nil if the step is not a block.
    private static func blockLines(_ step: Step, _ indent: Int) -> [String]? {
        let end = String(repeating: " ", count: indent) + "}"
        func block(_ opening: String, _ steps: [Step]) -> [String] {
            [opening] + lines(steps, indent: indent + 4)
        }
        switch step.kind {
        case .anyOrder(let steps): return block("any order {", steps) + [end]
        case .oneOf(let blocks):
            let middle = String(repeating: " ", count: indent) + "} or {"
            let lines = blocks.enumerated().flatMap { index, steps in
                block(index == 0 ? "one of {" : middle, steps)
            }
            return lines + [end]
        case .eventually(let window, let steps):
            let opening = words("eventually", window.map { text($0, "within") }, "{")
            return block(opening, steps) + [end]
        case .repeated(let repetition):
            let opening = words(
                "repeat \(repetition.count)", repetition.counter.map { "as \($0.text)" },
                repetition.every.map { "every \(text($0))" }, "{")
            return block(opening, repetition.steps) + [end]
        case .outcome(let first, let second):
            let middle = String(repeating: " ", count: indent) + "} same as {"
            return block("outcome of {", first) + block(middle, second) + [end]
        default: return nil
        }
    }

    // MARK: Messages and patterns

    /// Prints a message as it appears after the arrow.
    package static func text(_ message: StepMessage) -> String {
        switch message {
        case .wire(let line, let payload): wire(line) + self.payload(payload)
        case .typed(let call): text(call)
        case .raw(let segments):
            segments.map { segment in
                switch segment {
                case .bytes(let template): string(template)
                case .wait(let time): text(time)
                }
            }.joined(separator: " | ")
        }
    }

    /// Prints a pattern as it appears after the arrow.
    package static func text(_ pattern: Pattern) -> String {
        switch pattern {
        case .wire(let line, let payload): wire(line) + self.payload(payload)
        case .typed(let call): text(call)
        case .raw(let template): string(template)
        }
    }

    private static func text(_ expectation: Expectation) -> String {
        let word = expectation.mode == .never ? "for" : "within"
        let modifier = expectation.window.map { "  " + text($0, word) } ?? ""
        return "\(expectation.mode.rawValue) \(text(expectation.pattern))\(modifier)"
    }

    private static func payload(_ payload: Template?) -> String {
        payload.map { "  payload \(string($0))" } ?? ""
    }

    private static func text(_ call: TypedCall) -> String {
        call.name.text + text(call.arguments)
    }

    private static func text(_ arguments: [Argument]) -> String {
        let parts = arguments.map { "\($0.name.text): \(text($0.value))" }
        return "(\(parts.joined(separator: ", ")))"
    }

    private static func text(_ value: Value) -> String {
        switch value.kind {
        case .string(let template): string(template)
        case .int(let number): String(number)
        case .decimal(let digits), .name(let digits): digits
        case .bool(let flag): flag ? "true" : "false"
        case .list(let values): list(values)
        case .unordered(let values): "any order \(list(values))"
        case .placeholder(let placeholder): text(placeholder)
        }
    }

    private static func list(_ values: [Value]) -> String {
        "[\(values.map { text($0) }.joined(separator: ", "))]"
    }

    // MARK: Templates

    private static func wire(_ template: Template) -> String {
        ScenarioSpelling.wireText(
            template.pieces.map { piece in
                switch piece {
                case .literal(let literal): .bytes(literal.bytes)
                case .placeholder(let placeholder): .placeholder(text(placeholder))
                }
            })
    }

    private static func string(_ template: Template) -> String {
        let inner = template.pieces.map { piece in
            switch piece {
            case .literal(let literal):
                String(ScenarioSpelling.string(literal.bytes).dropFirst().dropLast())
            case .placeholder(let placeholder): text(placeholder)
            }
        }
        return "\"\(inner.joined())\""
    }

    private static func text(_ placeholder: Placeholder) -> String {
        let inner =
            switch placeholder.kind {
            case .variable(let name): name
            case .typed(let name, let type): "\(name ?? "_"):\(type.rawValue)"
            case .regex(let name, let expression):
                (name.map { $0 + ":" } ?? "")
                    + "/" + expression.source.replacing("/", with: "\\/") + "/"
            case .anything: "_"
            case .rest(let name): (name ?? "") + "..."
            case .end: "end"
            case .bytes(let bytes, let count):
                ScenarioSpelling.string(bytes) + (count == 1 ? "" : " * \(count)")
            case .length: "length"
            case .environment(let name): "env.\(name)"
            case .computed(.base64(let template)): "base64 \(string(template))"
            case .computed(.sum(let terms)): text(terms)
            }
        return "{{\(inner)}}"
    }

    private static func text(_ terms: [Placeholder.Term]) -> String {
        let parts = terms.enumerated().map { index, term in
            let operand =
                switch term.operand {
                case .number(let number): String(number)
                case .placeholder(let placeholder): placeholder.variable ?? ""
                }
            return index == 0 ? operand : "\(term.isNegative ? "-" : "+") \(operand)"
        }
        return parts.joined(separator: " ")
    }

    // MARK: Words

    private static func text(_ window: Window, _ word: String) -> String {
        let earliest = window.earliest.map { text($0) + ".." } ?? ""
        return "\(word) \(earliest)\(text(window.latest))"
    }

    /// Prints a duration in the largest unit that needs no fraction.
    private static func text(_ time: DurationLiteral) -> String {
        for unit in [DurationLiteral.Unit.seconds, .milliseconds]
        where time.nanoseconds % unit.nanoseconds == 0 {
            return "\(time.nanoseconds / unit.nanoseconds)\(unit.rawValue)"
        }
        return "\(time.nanoseconds / DurationLiteral.Unit.microseconds.nanoseconds)us"
    }

    private static func names(_ actors: [Actor]) -> String {
        actors.map { $0.name ?? "self" }.joined(separator: ", ")
    }

    private static func words(_ words: String?...) -> String {
        words.compactMap(\.self).joined(separator: " ")
    }
}

extension Step {
    /// The actor to print in front of the step; nil if the step is printed without one.
    fileprivate var prefixActor: String? {
        if case .standingReply = kind { return nil }
        return actor?.name
    }
}
