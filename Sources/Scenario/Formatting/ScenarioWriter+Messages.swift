import Diagnostics
import RegularExpressions

/// Messages, patterns and the values in them.
extension ScenarioWriter {
    /// Prints a message as it appears after the arrow.
    mutating func message(_ message: StepMessage) -> StepMessage {
        switch message {
        case .wire(let line, let payload):
            let line = wire(line)
            return .wire(line, payload: self.payload(payload))
        case .typed(let call): return .typed(self.call(call))
        case .raw(let segments):
            var printed: [RawSegment] = []
            for segment in segments {
                if !printed.isEmpty { write(" | ") }
                switch segment {
                case .bytes(let template): printed.append(.bytes(string(template)))
                case .wait(let time): printed.append(.wait(duration(time)))
                }
            }
            return .raw(printed)
        }
    }

    /// Prints a pattern as it appears after the arrow.
    mutating func pattern(_ pattern: Pattern) -> Pattern {
        switch pattern {
        case .wire(let line, let payload):
            let line = wire(line)
            return .wire(line, payload: self.payload(payload))
        case .typed(let call): return .typed(self.call(call))
        case .raw(let template): return .raw(string(template))
        }
    }

    private mutating func payload(_ payload: Template?) -> Template? {
        guard let payload else { return nil }
        write("  payload ")
        return string(payload)
    }

    private mutating func call(_ call: TypedCall) -> TypedCall {
        var copy = call
        let start = end
        copy.name = name(call.name)
        copy.arguments = arguments(call.arguments)
        copy.range = range(from: start)
        return copy
    }

    mutating func arguments(_ arguments: [Argument]) -> [Argument] {
        write("(")
        let printed = list(arguments) { writer, argument in
            let name = writer.name(argument.name)
            writer.write(": ")
            return Argument(name: name, value: writer.value(argument.value))
        }
        write(")")
        return printed
    }

    mutating func value(_ value: Value) -> Value {
        var copy = value
        let start = end
        switch value.kind {
        case .string(let template): copy.kind = .string(string(template))
        case .int(let number): write(String(number))
        case .decimal(let word), .name(let word): write(word)
        case .bool(let flag): write(flag ? "true" : "false")
        case .list(let values): copy.kind = .list(brackets(values))
        case .unordered(let values):
            write("any order ")
            copy.kind = .unordered(brackets(values))
        case .placeholder(let placeholder): copy.kind = .placeholder(self.placeholder(placeholder))
        }
        copy.range = range(from: start)
        return copy
    }

    private mutating func brackets(_ values: [Value]) -> [Value] {
        write("[")
        let printed = list(values) { $0.value($1) }
        write("]")
        return printed
    }

    // MARK: Templates

    /// Prints a template as wire text.
    private mutating func wire(_ template: Template) -> Template {
        let start = end
        let (text, ranges) = ScenarioSpelling.located(
            template.pieces.map { piece in
                switch piece {
                case .literal(let literal): .bytes(literal.bytes)
                case .placeholder(let placeholder): .placeholder(Self.text(placeholder))
                }
            })
        write(text)
        let pieces = zip(template.pieces, ranges).map { piece, range -> Template.Piece in
            let range = SourceRange(start: start + range.lowerBound, end: start + range.upperBound)
            switch piece {
            case .literal(let literal):
                return .literal(Template.Literal(literal.bytes, range: range))
            // Print the placeholder again, to find the positions inside it.
            case .placeholder(let placeholder):
                var writer = ScenarioWriter(at: range.start)
                return .placeholder(writer.placeholder(placeholder))
            }
        }
        return Template(pieces, range: range(from: start))
    }

    /// Prints a template as a quoted string.
    mutating func string(_ template: Template) -> Template {
        let start = end
        write("\"")
        let pieces = template.pieces.map { piece -> Template.Piece in
            switch piece {
            case .literal(let literal):
                let text = ScenarioSpelling.string(literal.bytes).dropFirst().dropLast()
                return .literal(Template.Literal(literal.bytes, range: written(String(text))))
            case .placeholder(let placeholder): return .placeholder(self.placeholder(placeholder))
            }
        }
        write("\"")
        return Template(pieces, range: range(from: start))
    }

    private static func text(_ placeholder: Placeholder) -> String {
        var writer = ScenarioWriter()
        _ = writer.placeholder(placeholder)
        return writer.text
    }

    mutating func placeholder(_ placeholder: Placeholder) -> Placeholder {
        var copy = placeholder
        let start = end
        write("{{")
        switch placeholder.kind {
        case .computed(.base64(let template)):
            write("base64 ")
            copy.kind = .computed(.base64(string(template)))
        case .computed(.sum(let terms)): copy.kind = .computed(.sum(sum(terms)))
        default: write(Self.words(placeholder.kind))
        }
        write("}}")
        copy.range = range(from: start)
        return copy
    }

    private mutating func sum(_ terms: [Placeholder.Term]) -> [Placeholder.Term] {
        var printed: [Placeholder.Term] = []
        for term in terms {
            var copy = term
            if !printed.isEmpty { write(term.isNegative ? " - " : " + ") }
            switch term.operand {
            case .number(let number): write(String(number))
            case .placeholder(var placeholder):
                placeholder.range = written(placeholder.variable ?? "")
                copy.operand = .placeholder(placeholder)
            }
            printed.append(copy)
        }
        return printed
    }

    /// Returns the text inside the braces of a placeholder without inner placeholders.
    private static func words(_ kind: Placeholder.Kind) -> String {
        switch kind {
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
        case .computed: ""
        }
    }
}
