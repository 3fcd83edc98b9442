import Diagnostics
import LineProtocol
package import Scenario

/// Compiles expectations.
extension PatternCompiler {
    package mutating func pattern(
        _ pattern: Pattern, _ actor: Int?, _ context: CompileContext
    ) -> LinePattern? {
        let form: LinePattern.Form?
        switch pattern {
        case .raw(let template):
            let elements = template.pieces.map { element($0, actor, context) }
            let bytes = BytesPattern(elements: elements, range: template.range)
            form = .raw(bytes, withTerminator: endsWithTerminator(bytes))
        case .wire(let template, let payload):
            if let syntax = dialect.syntax.fromServer.json {
                form = json(template, syntax, actor, context)
                break
            }
            reportMisplacedRest(template, context)
            form = wire(template, payload, actor, context).map { .wire($0) }
        case .typed(let call):
            form = typed(call, actor, context).map { .typed($0) }
        }
        guard let form else { return nil }
        let range = pattern.range
        let text = String(decoding: context.source.bytes(in: range), as: UTF8.self)
        return LinePattern(form: form, range: range, text: text)
    }

    /// Reports a placeholder for the rest of the line that is followed by other text. Only JSON may
    /// have text after this placeholder.
    private mutating func reportMisplacedRest(_ template: Template, _ context: CompileContext) {
        for piece in template.pieces.dropLast() {
            guard case .placeholder(let placeholder) = piece, case .rest = placeholder.kind else {
                continue
            }
            report(
                "scenario.misplaced-placeholder",
                "nothing may follow a placeholder that matches the rest of the line",
                context.source, placeholder.range)
        }
    }

    private func endsWithTerminator(_ pattern: BytesPattern) -> Bool {
        guard case .literal(let bytes) = pattern.elements.last else { return false }
        return dialect.framing.fromServer.accepted.contains {
            bytes.suffix($0.count).elementsEqual($0.bytes)
        }
    }

    /// Compiles a piece of a template into a pattern element.
    package mutating func element(
        _ piece: Template.Piece, _ actor: Int?, _ context: CompileContext
    ) -> BytesPattern.Element {
        guard case .placeholder(let placeholder) = piece else {
            if case .literal(let literal) = piece { return .literal(literal.bytes) }
            return .literal([])
        }
        switch placeholder.kind {
        case .variable(let name):
            if name == "self", let itself = actor ?? context.itself {
                return .literal(Array(operators[itself].utf8))
            }
            if let variable = context.scope.variable(name) { return .variable(variable) }
            return .placeholder(.any, capture: context.scope.capture(name))
        case .typed(let name, let type):
            return .placeholder(.typed(type), capture: name.map { context.scope.capture($0) })
        case .regex(let name, let expression):
            return .placeholder(.regex(expression), capture: name.map { context.scope.capture($0) })
        case .anything: return .placeholder(.any, capture: nil)
        case .rest(let name): return .rest(capture: name.map { context.scope.capture($0) })
        case .end: return .literal([])
        case .bytes(let bytes, let count): return .literal(Self.repeated(bytes, count))
        case .length: return .placeholder(.typed(.int), capture: nil)
        case .computed(let computation):
            return computed(computation, actor, context).map { .computed($0) } ?? .literal([])
        case .environment(let name):
            report(
                "scenario.environment-in-pattern",
                "`{{env.\(name)}}` can be used only in a send", context.source, placeholder.range,
                help: "pass the value with --var and write `{{\(name)}}`")
            return .literal([])
        }
    }

    // MARK: Typed messages

    private mutating func typed(
        _ call: TypedCall, _ actor: Int?, _ context: CompileContext
    ) -> TypedPattern? {
        guard let command = command(call, .fromServer, context) else { return nil }
        let signature = dialect.commands.signatures[command]
        var arguments: [TypedPattern.ArgumentPattern] = []
        for argument in call.arguments {
            guard let index = argumentIndex(argument, signature, context),
                let value = valuePattern(
                    argument.value, signature.arguments[index].valueType, actor, context)
            else { continue }
            arguments.append(
                TypedPattern.ArgumentPattern(
                    index: index, name: argument.name.text, range: argument.value.range,
                    value: value))
        }
        return TypedPattern(
            command: command, name: call.name.text, nameRange: call.name.range,
            arguments: arguments)
    }

    private mutating func valuePattern(
        _ value: Value, _ type: ArgumentType, _ actor: Int?, _ context: CompileContext
    ) -> TypedPattern.ValuePattern? {
        switch value.kind {
        case .placeholder(let placeholder):
            let element = element(.placeholder(placeholder), actor, context)
            return .bytes(BytesPattern(elements: [element], range: placeholder.range))
        case .string(let template) where template.constantBytes() == nil || isText(type):
            let elements = template.pieces.map { element($0, actor, context) }
            return .bytes(BytesPattern(elements: elements, range: template.range))
        case .list(let values), .unordered(let values):
            guard let element = type.element else {
                reportType(value, type, context)
                return nil
            }
            let patterns = values.compactMap { valuePattern($0, element, actor, context) }
            if case .list = value.kind { return .list(patterns) }
            return .unordered(patterns)
        default:
            guard let constant = constant(value, type) else {
                reportType(value, type, context)
                return nil
            }
            return .equals(constant)
        }
    }

    private func isText(_ type: ArgumentType) -> Bool {
        switch type {
        case .text, .bytes, .json, .xml: true
        default: false
        }
    }
}
